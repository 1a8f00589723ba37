// Small networks of several operators, put together one by one.
#ifndef USMP_TESTS_E2E_NET_H_
#define USMP_TESTS_E2E_NET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "e2e/models.h"
#include "oracle/model.h"

namespace usmp::testing {

// Every function adds a tensor, computed by an operator where it is not an input, and returns its
// index.
class Net {
 public:
  explicit Net(oracle::Type type, uint32_t seed = 1) : type_(type), random_(seed) {}

  int32_t Input(const std::vector<int32_t>& shape, const std::string& name = "input");
  int32_t Constant(const std::vector<int32_t>& shape);
  int32_t Conv(int32_t x, int32_t channels, int32_t filter, int32_t stride = 1);
  int32_t Depthwise(int32_t x, int32_t filter);
  int32_t Dense(int32_t x, int32_t outputs);
  int32_t Binary(const std::string& kind, int32_t a, int32_t b);
  int32_t Add(int32_t a, int32_t b) { return Binary("ADD", a, b); }
  int32_t Unary(const std::string& kind, int32_t x);
  int32_t Pool(const std::string& kind, int32_t x, int32_t filter, int32_t stride);
  int32_t Reshape(int32_t x, const std::vector<int32_t>& shape);
  int32_t Squeeze(int32_t x);  // drops every dimension of 1
  int32_t ExpandDims(int32_t x, int32_t axis);
  int32_t Concat(const std::vector<int32_t>& parts, int32_t axis);
  int32_t Slice(int32_t x, const std::vector<int32_t>& begin, const std::vector<int32_t>& size);
  int32_t Pad(int32_t x, int32_t border);  // around height and width

  const std::vector<int32_t>& ShapeOf(int32_t tensor) const;
  void Rename(int32_t tensor, const std::string& name);
  oracle::Model Finish(const std::vector<int32_t>& outputs);

 private:
  // Takes over the model of one operator: its first tensors are `operands`, the last of its tensors
  // without data is the result.
  int32_t Graft(const oracle::Model& single, const std::vector<int32_t>& operands);

  oracle::Type type_;
  Random random_;
  oracle::Model model_{};
};

// Two inputs and twelve operators; any tensor so far may be an operand, any subset an output.
oracle::Model RandomNet(oracle::Type type, uint32_t seed);

}  // namespace usmp::testing

#endif  // USMP_TESTS_E2E_NET_H_
