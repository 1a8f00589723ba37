#ifndef USMP_PASSES_FOLD_PADDING_H_
#define USMP_PASSES_FOLD_PADDING_H_

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::passes {

// A PAD of height and width with the value that stands for zero becomes part of the padding of the
// convolutions that read it, if nothing else does. Pools stay: they do not count what is outside.
//
//     %1 = PAD(%0) 1 1 1 1
//     %2 = CONV_2D(%1) padding 0 0 0 0    ->    %2 = CONV_2D(%0) padding 1 1 1 1
Result<ir::Graph> FoldPadding(ir::Graph graph);

}  // namespace usmp::passes

#endif  // USMP_PASSES_FOLD_PADDING_H_
