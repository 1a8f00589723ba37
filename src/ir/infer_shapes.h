#ifndef USMP_IR_INFER_SHAPES_H_
#define USMP_IR_INFER_SHAPES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::ir {

// How many operands an operator of this kind has.
struct OperandCount {
  size_t min = 1, max = 1;
  bool last_is_optional = false;  // may be kNoTensor
};
OperandCount Operands(OpKind kind);

// The shape of the op's one output, from its operands' shapes and its attributes. Absent if they
// contradict each other: then `problems` has grown. The result of a RESHAPE and of a STRIDED_SLICE
// is its output's own shape, of which only the number of elements can be wrong. Operand ids, their
// number and the type of `op.attributes` must be right already; attribute values may be anything.
std::optional<std::vector<int32_t>> InferOutputShape(const Graph& graph, const Op& op,
                                                     std::vector<Diagnostic>& problems);

}  // namespace usmp::ir

#endif  // USMP_IR_INFER_SHAPES_H_
