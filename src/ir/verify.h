#ifndef USMP_IR_VERIFY_H_
#define USMP_IR_VERIFY_H_

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::ir {

// Checks every invariant that graph.h states, and that operand counts, attributes, shapes and types of
// each operator agree (the shapes of the outputs follow from those of the inputs). Lists everything found.
// Whether we have a kernel for it is another question: lower/kernels.h.
Result<void> VerifyGraph(const Graph& graph);

}  // namespace usmp::ir

#endif  // USMP_IR_VERIFY_H_
