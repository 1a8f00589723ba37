#ifndef USMP_IR_VERIFY_H_
#define USMP_IR_VERIFY_H_

#include <string>
#include <vector>

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::ir {

// Checks every invariant that graph.h states, and that operand counts, attributes, shapes and types
// of each operator agree (the shapes of the outputs follow from those of the inputs). Lists
// everything found. Whether we have a kernel for it is another question: lower/kernels.h.
Result<void> VerifyGraph(const Graph& graph);

// The parts of VerifyGraph that concern one tensor or one operator alone: what is wrong is added to
// `problems`. True if nothing is. For CheckOp, the ids must be kNoTensor or in range, and the
// operands' tensors right.
// What is wrong with a tensor's quantization, as a clause: "its scale 0 is not ..."; empty:
// nothing.
std::string QuantizationProblem(const Tensor& tensor);
bool CheckTensor(const Graph& graph, TensorId id, std::vector<Diagnostic>& problems);
bool CheckOp(const Graph& graph, const Op& op, std::vector<Diagnostic>& problems);

}  // namespace usmp::ir

#endif  // USMP_IR_VERIFY_H_
