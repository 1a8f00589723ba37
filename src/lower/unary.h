// Operators on one byte at a time: a function on 256 points.
#ifndef USMP_LOWER_UNARY_H_
#define USMP_LOWER_UNARY_H_

#include <array>
#include <cstdint>

#include "lower/builder.h"
#include "lower/requantize.h"

namespace usmp::lower {

// By input value + 128; int8 values. A uint8 tensor is seen as int8: every value less 128.
using UnaryTable = std::array<int8_t, 256>;

// clamp(MultiplyByQuantizedMultiplier(x - in_zero_point, by) + out_zero_point).
UnaryTable TabulateRescale(int32_t in_zero_point, FixedPointMultiplier by, int32_t out_zero_point,
                           QuantizedRange range);

// Adds the call that maps input 0 to the output as `table` says: a copy, a linear formula where one
// is exact
// (`ratio`: about how much the output grows with the input), else a lookup.
void CallUnary(OpBuilder& builder, const UnaryTable& table, double ratio);

// Adds the call that looks every value up.
void CallLookup(OpBuilder& builder, const UnaryTable& table);

// Input 0 as it is.
void CallCopy(OpBuilder& builder, Bytes bytes);

}  // namespace usmp::lower

#endif  // USMP_LOWER_UNARY_H_
