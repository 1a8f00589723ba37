#include "lower/fixed_point.h"

#include <algorithm>
#include <limits>

namespace usmp::lower {
namespace {

constexpr int32_t kMax = std::numeric_limits<int32_t>::max();  // 1 with 31 fractional bits
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kOneQ2 = 1 << 29;  // 1 with 29 fractional bits

int32_t Multiply(int32_t a, int32_t b) {
  if (a == kMin && b == kMin) return kMax;
  return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 30)) >> 31);
}

int32_t WrappingAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

int32_t SaturatingShiftLeft(int32_t x, int bits) {
  return static_cast<int32_t>(std::clamp<int64_t>(int64_t{x} * (int64_t{1} << bits), kMin, kMax));
}

// exp(a) for a in [-1/4, 0), 31 fractional bits: the Taylor series around -1/8, to the fourth
// power.
int32_t ExpOnLastQuarter(int32_t a) {
  constexpr int32_t kExpMinusEighth = 1895147668;
  constexpr int32_t kThird = 715827883;
  const int32_t x = WrappingAdd(a, 1 << 28);
  const int32_t x2 = Multiply(x, x);
  const int32_t x3 = Multiply(x2, x);
  const int32_t x4 = Multiply(x2, x2);
  const int32_t cubic = WrappingAdd(RoundingShiftRight(x4, 2), x3);
  const int32_t higher = RoundingShiftRight(WrappingAdd(Multiply(cubic, kThird), x2), 1);
  return WrappingAdd(kExpMinusEighth, Multiply(kExpMinusEighth, WrappingAdd(x, higher)));
}

// 1 / d for d = (1 + x) / 2 with x in [0, 1) and 31 fractional bits; the result has 29. Newton's
// method from 48/17 - 32/17 * d, three steps.
int32_t ReciprocalOfHalf(int32_t x) {
  const auto half = static_cast<int32_t>((int64_t{x} + kMax + 1) / 2);
  int32_t estimate = WrappingAdd(1515870810, Multiply(half, -1010580540));
  for (int i = 0; i < 3; ++i) {
    const int32_t error = WrappingAdd(kOneQ2, -Multiply(half, estimate));
    estimate = WrappingAdd(estimate, SaturatingShiftLeft(Multiply(estimate, error), 2));
  }
  return estimate;
}

}  // namespace

int32_t RoundingShiftRight(int32_t x, int exponent) {
  const auto mask = static_cast<int32_t>((int64_t{1} << exponent) - 1);
  const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + ((x & mask) > threshold ? 1 : 0);
}

int32_t ExpOnNegative(int32_t a, int integer_bits) {
  if (a == 0) return kMax;
  constexpr int32_t kExpOfMinusPower[] = {1672461947, 1302514674, 790015084, 290630308,
                                          39332535,   720401,     242};  // exp(-2^-2) ... exp(-2^4)
  const int fractional_bits = 31 - integer_bits;
  const int32_t quarter = 1 << (fractional_bits - 2);
  const int32_t last_quarter = (a & (quarter - 1)) - quarter;
  int32_t result = ExpOnLastQuarter(SaturatingShiftLeft(last_quarter, integer_bits));
  const int32_t rest = last_quarter - a;  // a multiple of 1/4
  for (int power = -2; power < integer_bits; ++power) {
    if ((rest & (1 << (fractional_bits + power))) != 0) {
      result = Multiply(result, kExpOfMinusPower[power + 2]);
    }
  }
  return result;
}

int32_t Logistic(int32_t a, int integer_bits) {
  if (a == 0) return 1 << 30;
  const int32_t exp = ExpOnNegative(a > 0 ? -a : a, integer_bits);
  const int32_t positive = SaturatingShiftLeft(ReciprocalOfHalf(exp), 1);
  return a > 0 ? positive : kMax - positive;
}

int32_t Tanh(int32_t a, int integer_bits) {
  if (a == 0) return 0;
  const int32_t exp = ExpOnNegative(a > 0 ? -a : a, integer_bits + 1);  // the same bits, doubled
  const int32_t magnitude = SaturatingShiftLeft(ReciprocalOfHalf(exp) - kOneQ2, 2);
  return a > 0 ? magnitude : -magnitude;
}

int64_t InputRadius(int integer_bits, int left_shift) {
  return (((int64_t{1} << integer_bits) - 1) << (31 - integer_bits)) >> left_shift;
}

}  // namespace usmp::lower
