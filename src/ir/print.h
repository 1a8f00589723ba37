#ifndef USMP_IR_PRINT_H_
#define USMP_IR_PRINT_H_

#include <string>

#include "ir/graph.h"

namespace usmp::ir {

// One line for each operator, in execution order, with shapes, types and attributes.
std::string PrintGraph(const Graph& graph);

}  // namespace usmp::ir

#endif  // USMP_IR_PRINT_H_
