// What the lowering of several quantized operators shares.
#ifndef USMP_LOWER_QUANTIZED_H_
#define USMP_LOWER_QUANTIZED_H_

#include <cstdint>
#include <span>
#include <vector>

#include "lower/builder.h"
#include "lower/requantize.h"
#include "usmp/result.h"

namespace usmp::lower {

// Input 0 is the activation, input 1 the constant weights, input 2 the optional bias. Checks that all
// are int8 (bias int32, constant), quantized, that the weights' zero points are 0 and that their scales are
// one or as many as dimension `channel_axis` has elements.
Result<void> CheckWeights(const OpBuilder& builder, size_t channel_axis);

// Multipliers as the kernels read them: two tables of equal length.
struct MultiplierTables {
  std::vector<int32_t> multipliers{};
  std::vector<int8_t> shifts{};
};
MultiplierTables PackMultipliers(std::span<const FixedPointMultiplier> multipliers);

// bias[c] - zero_point(input) * sum of the weights of output channel c, for weights whose *first* dimension is
// the output channel. Exact where padding counts as the value zero_point(input).
std::vector<int32_t> FoldedBias(const OpBuilder& builder, int64_t out_channels);

// "no kernel for int16 input, int8 weights": names the types of all operands.
tl::unexpected<Error> UnsupportedTypes(const OpBuilder& builder);

}  // namespace usmp::lower

#endif  // USMP_LOWER_QUANTIZED_H_
