#ifndef USMP_PASSES_FOLD_CONSTANTS_H_
#define USMP_PASSES_FOLD_CONSTANTS_H_

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::passes {

// Computes what depends on constants only: DEQUANTIZE of weights that are stored as float16 or
// integers, and RESHAPE. The tensor becomes the constant, the operator goes; the old constant stays
// for others.
//
//     %2 = DEQUANTIZE(%1 const: float16[8,4])          (gone)
//     %3 = FULLY_CONNECTED(%0, %2: float32[8,4])   =>  %3 = FULLY_CONNECTED(%0, %2 const:
//     float32[8,4])
Result<ir::Graph> FoldConstants(ir::Graph graph);

}  // namespace usmp::passes

#endif  // USMP_PASSES_FOLD_CONSTANTS_H_
