// The fixed-point functions of TensorFlow Lite's quantized activations, bit for bit: int32 values
// with a stated number of integer bits, products rounded and doubled, sums that wrap. They run at
// compile time and become tables.
#ifndef USMP_LOWER_FIXED_POINT_H_
#define USMP_LOWER_FIXED_POINT_H_

#include <cstdint>

namespace usmp::lower {

// x / 2^exponent, rounded half away from zero; exponent in [0, 31].
int32_t RoundingShiftRight(int32_t x, int exponent);

// exp(a) with 31 fractional bits, for a <= 0 with `integer_bits` (2 to 5) integer bits.
int32_t ExpOnNegative(int32_t a, int integer_bits);

// 1 / (1 + exp(-a)) and tanh(a) with 31 fractional bits, for a with `integer_bits` (2 to 4) integer
// bits.
int32_t Logistic(int32_t a, int integer_bits);
int32_t Tanh(int32_t a, int integer_bits);

// The least |difference| that saturates a function whose argument has `integer_bits` integer bits,
// after it has been shifted left by `left_shift`: floor((2^integer_bits - 1) * 2^(31 -
// integer_bits) / 2^left_shift).
int64_t InputRadius(int integer_bits, int left_shift);

}  // namespace usmp::lower

#endif  // USMP_LOWER_FIXED_POINT_H_
