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

// Input 0 is the activation, input 1 the constant weights, input 2 the optional bias. Checks that
// all are int8 (bias int32, constant), quantized, that the weights' zero points are 0 and that
// their scales are one or as many as dimension `channel_axis` has elements.
Result<void> CheckWeights(const OpBuilder& builder, size_t channel_axis);

// double(input scale) * weight scale / output scale, for each scale of the weights: the multipliers
// of all kernels but the per-tensor FULLY_CONNECTED.
std::vector<FixedPointMultiplier> ConvolutionMultipliers(const OpBuilder& builder);

// The multipliers as the kernels read them: two tables, with one entry for each output channel
// (step 1) or one entry for all (step 0).
struct RequantizationTables {
  Operand multipliers{};
  Operand shifts{};
  int64_t step = 0;
};
RequantizationTables AddRequantization(OpBuilder& builder,
                                       std::span<const FixedPointMultiplier> multipliers);

// bias[c] - zero_point(input) * sum of the weights of output channel c. Exact where what lies
// outside the image counts as the value zero_point(input). `channel_axis` of the weights is their
// first or last dimension.
std::vector<int32_t> FoldedBias(const OpBuilder& builder, size_t channel_axis);

// "no kernel for int16 input, int8 weights": names the types of all operands.
tl::unexpected<Error> UnsupportedTypes(const OpBuilder& builder);

}  // namespace usmp::lower

#endif  // USMP_LOWER_QUANTIZED_H_
