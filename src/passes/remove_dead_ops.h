#ifndef USMP_PASSES_REMOVE_DEAD_OPS_H_
#define USMP_PASSES_REMOVE_DEAD_OPS_H_

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::passes {

// Removes the operators that no output of the graph depends on.
//
//     %1 = RELU(%0)
//     %2 = TANH(%0)     (gone)
//     return %1
Result<ir::Graph> RemoveDeadOps(ir::Graph graph);

}  // namespace usmp::passes

#endif  // USMP_PASSES_REMOVE_DEAD_OPS_H_
