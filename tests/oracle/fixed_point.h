// The fixed-point arithmetic of the quantized operators (double rounding), each function straight
// from its definition, in the slowest and plainest form. Transcendental functions are gemmlowp's
// own.
#ifndef USMP_ORACLE_FIXED_POINT_H_
#define USMP_ORACLE_FIXED_POINT_H_

#include <cstdint>

namespace usmp::oracle {

// value ~ multiplier * 2^(shift - 31)
struct Multiplier {
  int32_t multiplier = 0;
  int32_t shift = 0;
};
Multiplier Quantize(double value);

// 2 * a * b / 2^32, rounded half up; saturates.
int32_t DoublingHighMul(int32_t a, int32_t b);
// x / 2^exponent, rounded half away from zero.
int32_t DivideByPowerOfTwo(int32_t x, int32_t exponent);
// x * by, rounded twice. The intermediate x * 2^shift must fit 32 bits.
int32_t Multiply(int32_t x, Multiplier by);

// One element of an int8 LOGISTIC or TANH: `x` has its zero point removed.
int32_t LogisticInt8(int32_t x, float in_scale);
int32_t TanhInt8(int32_t x, float in_scale);

// An int8 SOFTMAX row.
void SoftmaxInt8(const int32_t* in, int64_t depth, float in_scale, float beta, int32_t* out);

}  // namespace usmp::oracle

#endif  // USMP_ORACLE_FIXED_POINT_H_
