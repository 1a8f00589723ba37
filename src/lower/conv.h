// What FULLY_CONNECTED shares with the convolutions.
#ifndef USMP_LOWER_CONV_H_
#define USMP_LOWER_CONV_H_

#include <span>

#include "lower/builder.h"
#include "lower/requantize.h"

namespace usmp::lower {

// Input 0, vectors of input channels, times input 1, weights [out_channels][in_channels]: a
// convolution over one row of 1x1 pixels.
void AddMatrixProduct(OpBuilder& builder, std::span<const FixedPointMultiplier> multipliers,
                      ir::Activation activation);

}  // namespace usmp::lower

#endif  // USMP_LOWER_CONV_H_
