// Fixed-point multipliers, as TensorFlow Lite's reference kernels compute them (double rounding).
// Everything here runs at compile time; the generated code has only the integers.
#ifndef USMP_LOWER_REQUANTIZE_H_
#define USMP_LOWER_REQUANTIZE_H_

#include <cstdint>

#include "ir/graph.h"

namespace usmp::lower {

// real ~ multiplier * 2^(shift - 31); multiplier in [2^30, 2^31), or 0. Positive shift: left.
struct FixedPointMultiplier {
  int32_t multiplier = 0;
  int32_t shift = 0;
};
FixedPointMultiplier QuantizeMultiplier(double real);

// RDBPOT(SRDHM(x << left, multiplier), right): what usmp_requantize of the runtime does.
int32_t MultiplyByQuantizedMultiplier(int32_t x, FixedPointMultiplier by);

// The range that a fused activation leaves of a quantized type, for the output's scale and zero
// point.
struct QuantizedRange {
  int32_t min = 0, max = 0;
};
QuantizedRange ActivationRange(ir::Activation activation, const ir::Tensor& output);

}  // namespace usmp::lower

#endif  // USMP_LOWER_REQUANTIZE_H_
