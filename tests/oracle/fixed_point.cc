#include "oracle/fixed_point.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace usmp::oracle {
namespace {

using Fixed0 = gemmlowp::FixedPoint<int32_t, 0>;
using Fixed4 = gemmlowp::FixedPoint<int32_t, 4>;
using Fixed5 = gemmlowp::FixedPoint<int32_t, 5>;
using Fixed12 = gemmlowp::FixedPoint<int32_t, 12>;

// The largest input, in units of the input's scale, that a fixed-point number with `integer_bits`
// holds after the multiplication by 2^shift.
int32_t InputRadius(int32_t integer_bits, int32_t shift) {
  const double most = std::ldexp(std::ldexp(1.0, integer_bits) - 1, 31 - integer_bits);
  return static_cast<int32_t>(std::floor(std::ldexp(most, -shift)));
}

// Both functions of one argument take it as a fixed-point number with 4 integer bits.
Multiplier ToFixed4(float in_scale) {
  int shift = 0;
  const double fraction = std::frexp(static_cast<double>(in_scale) * (1 << 27), &shift);
  return {static_cast<int32_t>(std::round(fraction * 2147483648.0)), shift};
}

// 1 / x for x > 0 with 12 integer bits; the result is scaled by 2^*bits_over_unit.
Fixed0 Reciprocal(int32_t x, int32_t* bits_over_unit) {
  const int headroom = std::countl_zero(static_cast<uint32_t>(x));
  *bits_over_unit = 12 - headroom;
  const uint32_t shifted = (static_cast<uint32_t>(x) << headroom) - (uint32_t{1} << 31);
  return gemmlowp::one_over_one_plus_x_for_x_in_0_1(Fixed0::FromRaw(static_cast<int32_t>(shifted)));
}

}  // namespace

Multiplier Quantize(double value) {
  if (value == 0) return {};
  int shift = 0;
  const double fraction = std::frexp(value, &shift);
  auto rounded = static_cast<int64_t>(std::round(fraction * 2147483648.0));
  if (rounded == int64_t{1} << 31) {
    rounded /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  return {static_cast<int32_t>(rounded), shift};
}

int32_t DoublingHighMul(int32_t a, int32_t b) {
  constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();
  if (a == kLowest && b == kLowest) return std::numeric_limits<int32_t>::max();
  const int64_t product = int64_t{a} * b;
  const int64_t nudge = product >= 0 ? (1LL << 30) : 1 - (1LL << 30);
  return static_cast<int32_t>((product + nudge) / (1LL << 31));
}

int32_t DivideByPowerOfTwo(int32_t x, int32_t exponent) {
  const int64_t divisor = int64_t{1} << exponent;
  const int64_t magnitude = (std::abs(int64_t{x}) + divisor / 2) / divisor;
  return static_cast<int32_t>(x < 0 ? -magnitude : magnitude);
}

int32_t Multiply(int32_t x, Multiplier by) {
  const int32_t left = std::max(by.shift, 0);
  const int32_t right = std::max(-by.shift, 0);
  const auto scaled = static_cast<int32_t>(x * (int64_t{1} << left));
  return DivideByPowerOfTwo(DoublingHighMul(scaled, by.multiplier), right);
}

int32_t LogisticInt8(int32_t x, float in_scale) {
  const Multiplier to_fixed = ToFixed4(in_scale);
  const int32_t radius = InputRadius(4, to_fixed.shift);
  if (x <= -radius) return -128;
  if (x >= radius) return 127;
  const int32_t y = gemmlowp::logistic(Fixed4::FromRaw(Multiply(x, to_fixed))).raw();
  return std::clamp(DivideByPowerOfTwo(y, 23) - 128, -128, 127);
}

int32_t TanhInt8(int32_t x, float in_scale) {
  const Multiplier to_fixed = ToFixed4(in_scale);
  const int32_t radius = InputRadius(4, to_fixed.shift);
  if (x <= -radius) return -128;
  if (x >= radius) return 127;
  const int32_t y = gemmlowp::tanh(Fixed4::FromRaw(Multiply(x, to_fixed))).raw();
  return std::clamp(DivideByPowerOfTwo(y, 24), -128, 127);
}

void SoftmaxInt8(const int32_t* in, int64_t depth, float in_scale, float beta, int32_t* out) {
  const double real =
      std::min(static_cast<double>(beta) * static_cast<double>(in_scale) * (1 << 26), 2147483647.0);
  const Multiplier to_fixed = Quantize(real);
  const int32_t radius = InputRadius(5, to_fixed.shift);
  const int32_t largest = *std::max_element(in, in + depth);

  std::vector<Fixed0> exponentials;
  Fixed12 sum = Fixed12::Zero();
  for (int64_t i = 0; i < depth; ++i) {
    exponentials.push_back(Fixed0::Zero());
    if (in[i] - largest < -radius) continue;
    const Fixed5 difference = Fixed5::FromRaw(Multiply(in[i] - largest, to_fixed));
    exponentials.back() = gemmlowp::exp_on_negative_values(difference);
    sum = sum + gemmlowp::Rescale<12>(exponentials.back());
  }
  int32_t bits_over_unit = 0;
  const Fixed0 scale = Reciprocal(sum.raw(), &bits_over_unit);
  for (int64_t i = 0; i < depth; ++i) {
    if (in[i] - largest < -radius) {
      out[i] = -128;
      continue;
    }
    const int32_t y = (scale * exponentials[static_cast<size_t>(i)]).raw();
    out[i] = std::clamp(DivideByPowerOfTwo(y, bits_over_unit + 31 - 8) - 128, -128, 127);
  }
}

}  // namespace usmp::oracle
