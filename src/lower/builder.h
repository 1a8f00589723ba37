// What an operator's lowering function works with: it reads its op's tensors, adds constants and
// scratch, and adds calls. It never sees buffers of other operators.
#ifndef USMP_LOWER_BUILDER_H_
#define USMP_LOWER_BUILDER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "lower/program.h"
#include "lower/scan.h"
#include "usmp/result.h"

namespace usmp::lower {

class OpBuilder {
 public:
  // `tensor_buffers` is by TensorId: the buffer of every tensor that is not a constant. Both
  // outlive *this.
  OpBuilder(const ir::Graph& graph, const ir::Op& op,
            std::span<const std::optional<BufferId>> tensor_buffers, Program& program);

  const ir::Graph& graph() const { return graph_; }
  const ir::Op& op() const { return op_; }

  // Operands of the op. `Input(i)` must be present; `HasInput(i)` says whether an optional one is.
  bool HasInput(size_t index) const;
  const ir::Tensor& Input(size_t index) const;
  const ir::Tensor& Output(size_t index = 0) const;
  template <class T>
  const T& Attributes() const {
    return std::get<T>(op_.attributes);
  }

  // Pointer arguments. Read() of a constant tensor adds it to the program as a constant, as it is.
  Operand Read(size_t input_index);
  Operand Write(size_t output_index = 0);
  // A table computed here: requantization multipliers, a bias with the zero point folded in, ...
  // `what` names it for people: "bias", "multipliers".
  Operand Constant(std::string_view what, std::span<const int8_t> values);
  Operand Constant(std::string_view what, std::span<const int16_t> values);
  Operand Constant(std::string_view what, std::span<const int32_t> values);
  Operand Constant(std::string_view what, std::span<const float> values);
  Operand Scratch(ElementType element, int64_t count);
  static Operand Null() { return {}; }

  void Call(std::string_view kernel, std::vector<Param> params, std::vector<Operand> operands);
  // How far an input of the last call may share bytes with its output. A constant never does.
  void MayOverlap(const Operand& input, const ScanDistances& distances);

  // The last call can also run row by row.
  void ByRows(std::optional<RowAccess> rows);
  // The same for an element-wise call with parameter `count`, where the shapes allow it.
  void ByPixels();

  // Instead of Call: the application computes it.
  void Offload(OffloadedCall call, std::vector<Operand> operands);

  // `return builder.Unsupported("dilation with groups")`: an error that names this operator.
  tl::unexpected<Error> Unsupported(std::string message) const;

 private:
  Operand AddConstant(std::string_view what, ElementType element, std::vector<uint8_t> bytes);

  const ir::Graph& graph_;
  const ir::Op& op_;
  std::span<const std::optional<BufferId>> tensor_buffers_;
  Program& program_;
};

}  // namespace usmp::lower

#endif  // USMP_LOWER_BUILDER_H_
