// What FULLY_CONNECTED shares with the convolutions.
#ifndef USMP_LOWER_CONV_H_
#define USMP_LOWER_CONV_H_

#include <cstdint>
#include <vector>

#include "lower/builder.h"
#include "lower/requantize.h"

namespace usmp::lower {

// A matrix product: each of `pixels` vectors of input channels times the weights
// [out_channels][in_channels].
struct PointwiseConvolution {
  int64_t pixels = 0;
  int64_t in_channels = 0;
  int64_t out_channels = 0;
  std::vector<FixedPointMultiplier> multipliers{};
  ir::Activation activation = ir::Activation::kNone;
};
void AddPointwiseConvolution(OpBuilder& builder, const PointwiseConvolution& convolution);

}  // namespace usmp::lower

#endif  // USMP_LOWER_CONV_H_
