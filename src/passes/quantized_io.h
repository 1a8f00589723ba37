#ifndef USMP_PASSES_QUANTIZED_IO_H_
#define USMP_PASSES_QUANTIZED_IO_H_

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::passes {

// Inputs that are only quantized become the quantized tensor, and outputs that were dequantized the
// tensor before that, under the names that they had: the application converts, or never had floats.
//
//     %1 = QUANTIZE(%0), ... = CONV_2D(%1)    ->    input %1, named as %0 was
Result<ir::Graph> QuantizedIo(ir::Graph graph);

}  // namespace usmp::passes

#endif  // USMP_PASSES_QUANTIZED_IO_H_
