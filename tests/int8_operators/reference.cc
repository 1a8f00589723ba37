#include "int8_operators/reference.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace usmp::testing {
namespace {

using gemmlowp::RoundingDivideByPOT;
using gemmlowp::SaturatingRoundingDoublingHighMul;

int8_t Clamp(int64_t x, int min, int max) {
  return static_cast<int8_t>(std::clamp<int64_t>(x, min, max));
}

// The sum of both operands rescaled by `left_shift` 20, for ADD in double and for SUB in float.
template <class Real>
int8_t Sum(int8_t a, Affine qa, int32_t sign, int8_t b, Affine qb, Affine out, int min, int max) {
  const Real twice_max = 2 * static_cast<Real>(std::max(qa.scale, qb.scale));
  const Real a_real = static_cast<Real>(qa.scale) / twice_max;
  const Real b_real = static_cast<Real>(qb.scale) / twice_max;
  const Real out_real = twice_max / (Real{1048576} * static_cast<Real>(out.scale));
  const int32_t a_scaled = ReferenceRequantize((a - qa.zero_point) * 1048576,
                                               ReferenceMultiplier(static_cast<double>(a_real)));
  const int32_t b_scaled = ReferenceRequantize((b - qb.zero_point) * 1048576,
                                               ReferenceMultiplier(static_cast<double>(b_real)));
  const int32_t y = ReferenceRequantize(a_scaled + sign * b_scaled,
                                        ReferenceMultiplier(static_cast<double>(out_real)));
  return Clamp(int64_t{y} + out.zero_point, min, max);
}

using Argument = gemmlowp::FixedPoint<int32_t, 4>;

// Where a sigmoid saturates; else its argument.
struct SigmoidInput {
  int saturated = 0;  // -1 low, 1 high
  Argument argument{};
};
SigmoidInput PrepareSigmoid(int8_t x, Affine in) {
  int shift = 0;
  const double q = std::frexp(static_cast<double>(in.scale) * (1 << 27), &shift);
  const Multiplier by{static_cast<int32_t>(std::round(q * 2147483648.0)), shift};
  const auto radius = static_cast<int32_t>(std::floor(15.0 * (1 << 27) / std::ldexp(1.0, shift)));
  const int32_t centered = x - in.zero_point;
  if (centered <= -radius) return {.saturated = -1};
  if (centered >= radius) return {.saturated = 1};
  return {.argument = Argument::FromRaw(ReferenceRequantize(centered, by))};
}

}  // namespace

Multiplier ReferenceMultiplier(double real) {
  if (real == 0.0) return {};
  int shift = 0;
  auto fixed = static_cast<int64_t>(std::llround(std::frexp(real, &shift) * 2147483648.0));
  if (fixed == 2147483648) {
    fixed /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  return {static_cast<int32_t>(fixed), shift};
}

int32_t ReferenceRequantize(int32_t x, Multiplier by) {
  const int left = std::max(by.shift, 0);
  const int right = std::max(-by.shift, 0);
  const auto shifted = static_cast<int32_t>(int64_t{x} * (int64_t{1} << left));
  return RoundingDivideByPOT(SaturatingRoundingDoublingHighMul(shifted, by.multiplier), right);
}

int8_t ReferenceAdd(int8_t a, Affine qa, int8_t b, Affine qb, Affine out, int min, int max) {
  return Sum<double>(a, qa, 1, b, qb, out, min, max);
}

int8_t ReferenceSub(int8_t a, Affine qa, int8_t b, Affine qb, Affine out, int min, int max) {
  return Sum<float>(a, qa, -1, b, qb, out, min, max);
}

int8_t ReferenceMul(int8_t a, Affine qa, int8_t b, Affine qb, Affine out, int min, int max) {
  const double real = static_cast<double>(qa.scale) * static_cast<double>(qb.scale) /
                      static_cast<double>(out.scale);
  const int32_t product = (a - qa.zero_point) * (b - qb.zero_point);
  const int32_t y = ReferenceRequantize(product, ReferenceMultiplier(real));
  return Clamp(int64_t{y} + out.zero_point, min, max);
}

int8_t ReferenceLogistic(int8_t x, Affine in) {
  const SigmoidInput input = PrepareSigmoid(x, in);
  if (input.saturated != 0) return input.saturated < 0 ? -128 : 127;
  const int32_t value = gemmlowp::logistic(input.argument).raw();
  return Clamp(RoundingDivideByPOT(value, 23) - 128, -128, 127);
}

int8_t ReferenceTanh(int8_t x, Affine in) {
  const SigmoidInput input = PrepareSigmoid(x, in);
  if (input.saturated != 0) return input.saturated < 0 ? -128 : 127;
  const int32_t value = gemmlowp::tanh(input.argument).raw();
  return Clamp(RoundingDivideByPOT(value, 24), -128, 127);
}

int8_t ReferenceMean(int32_t sum, int64_t elements, Affine in, Affine out) {
  Multiplier by =
      ReferenceMultiplier(static_cast<double>(in.scale) / static_cast<double>(out.scale));
  int shift = 0;
  while ((elements >> (shift + 1)) != 0) ++shift;
  shift = std::min({shift, 32, 31 + by.shift});
  by.multiplier = static_cast<int32_t>((int64_t{by.multiplier} << shift) / elements);
  by.shift -= shift;
  const auto centered = static_cast<int32_t>(sum - in.zero_point * elements);
  return Clamp(int64_t{ReferenceRequantize(centered, by)} + out.zero_point, -128, 127);
}

int32_t ReferenceRescale(int32_t x, Affine in, Affine out, double ratio, int min, int max) {
  const int64_t y = ReferenceRequantize(x - in.zero_point, ReferenceMultiplier(ratio));
  return static_cast<int32_t>(std::clamp<int64_t>(y + out.zero_point, min, max));
}

std::vector<int8_t> ReferenceSoftmax(const std::vector<int8_t>& row, float scale, float beta) {
  const double real =
      std::min(static_cast<double>(beta) * static_cast<double>(scale) * (1 << 26), 2147483647.0);
  const Multiplier by = ReferenceMultiplier(real);
  const auto diff_min =
      -static_cast<int32_t>(std::floor(31.0 * (1 << 26) / std::ldexp(1.0, by.shift)));
  const int8_t max = *std::max_element(row.begin(), row.end());
  using Diff = gemmlowp::FixedPoint<int32_t, 5>;
  const auto exponential = [&](int8_t x) {
    return gemmlowp::exp_on_negative_values(Diff::FromRaw(ReferenceRequantize(x - max, by)));
  };
  gemmlowp::FixedPoint<int32_t, 12> sum = gemmlowp::FixedPoint<int32_t, 12>::Zero();
  for (int8_t x : row) {
    if (x - max >= diff_min) sum = sum + gemmlowp::Rescale<12>(exponential(x));
  }
  const int headroom = __builtin_clz(static_cast<uint32_t>(sum.raw()));
  const auto rest =
      static_cast<int32_t>((static_cast<uint32_t>(sum.raw()) << headroom) - (uint32_t{1} << 31));
  using Unit = gemmlowp::FixedPoint<int32_t, 0>;
  const Unit reciprocal = gemmlowp::one_over_one_plus_x_for_x_in_0_1(Unit::FromRaw(rest));
  std::vector<int8_t> out;
  for (int8_t x : row) {
    int32_t y = -128;
    if (x - max >= diff_min) {
      y += RoundingDivideByPOT((reciprocal * exponential(x)).raw(), 12 - headroom + 31 - 8);
    }
    out.push_back(Clamp(y, -128, 127));
  }
  return out;
}

}  // namespace usmp::testing
