// One float32 operator, lowered by the compiler and run: the kernel gets its parameters by name, as
// the generated code would give them.
#ifndef USMP_TESTS_KERNELS_FLOAT_CALL_H_
#define USMP_TESTS_KERNELS_FLOAT_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "kernels/float_kernels.h"
#include "lower/builder.h"
#include "lower/program.h"

namespace usmp::kernels_test {

struct FloatTensor {
  std::vector<int32_t> shape{};
  std::vector<float> values{};  // of the output: not used
  bool is_constant = false;
};

struct FloatOp {
  ir::OpKind kind{};
  ir::Attributes attributes{};
  std::vector<FloatTensor> inputs{};
  std::vector<int32_t> out_shape{};
};

// A lowered operator with memory of its own for each operand, of exactly its size.
class FloatCall {
 public:
  // The operator must be lowered to one call.
  explicit FloatCall(const FloatOp& op);

  const std::string& kernel() const { return call_.kernel; }
  // The parameters as the kernel's struct; each member must be given, once, and nothing else.
  template <class Params>
  Params ParamsAs() const;
  std::vector<void*> operands();
  const std::vector<float>& Input() const { return memory_.front().floats; }
  // Runs the kernel, whichever it is; the output starts as NaN. `reverse` where the kernel has it.
  std::vector<float> Run(bool reverse = false);

 private:
  struct Memory {  // one of the two, or neither: NULL
    std::vector<float> floats{};
    std::vector<int64_t> words{};
  };

  lower::Call call_{};
  std::vector<Memory> memory_{};  // by operand; the last is the output
};

std::vector<float> RunOp(const FloatOp& op);

}  // namespace usmp::kernels_test

#endif  // USMP_TESTS_KERNELS_FLOAT_CALL_H_
