// The compiler's own fixed-point arithmetic, with which it makes tables, against gemmlowp and the
// oracle.
#include <gemmlowp/fixedpoint/fixedpoint.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "lower/requantize.h"
#include "oracle/fixed_point.h"

namespace usmp {
namespace {

int32_t Gemmlowp(int32_t x, int32_t multiplier, int32_t shift) {
  const int32_t left = shift > 0 ? shift : 0;
  const int32_t right = shift > 0 ? 0 : -shift;
  return gemmlowp::RoundingDivideByPOT(
      gemmlowp::SaturatingRoundingDoublingHighMul(x * (1 << left), multiplier), right);
}

void ExpectAgreement(int32_t x, int32_t multiplier, int32_t shift) {
  const int32_t expected = Gemmlowp(x, multiplier, shift);
  ASSERT_EQ(lower::MultiplyByQuantizedMultiplier(x, {multiplier, shift}), expected)
      << x << " * " << multiplier << " shift " << shift;
}

TEST(CompileTimeArithmetic, AgreesWithGemmlowpOnRandomNumbers) {
  std::mt19937 random(3);
  for (int32_t shift = -31; shift <= 10; ++shift) {
    const int32_t headroom = shift > 0 ? shift : 0;
    for (int i = 0; i < 5000; ++i) {
      const int32_t x = static_cast<int32_t>(random()) >> (headroom + i % 20 % (31 - headroom));
      const auto multiplier = static_cast<int32_t>((random() >> 2) | (1U << 30));
      ExpectAgreement(x, multiplier, shift);
    }
  }
}

TEST(CompileTimeArithmetic, AgreesWithGemmlowpAroundTies) {
  // x * multiplier close to odd multiples of 2^(30 + right): where the two roundings differ from
  // one.
  std::mt19937 random(4);
  for (int32_t right = 0; right <= 20; ++right) {
    for (int i = 0; i < 2000; ++i) {
      const auto multiplier = static_cast<int32_t>((random() >> 2) | (1U << 30));
      const double tie = std::ldexp(2.0 * (i % 200) + 1 - 200, 30 + right) / multiplier;
      if (std::abs(tie) > 2e9) continue;
      for (int32_t near = -1; near <= 1; ++near) {
        ExpectAgreement(static_cast<int32_t>(std::lround(tie)) + near, multiplier, -right);
      }
    }
  }
}

TEST(CompileTimeArithmetic, QuantizesMultipliersAsTheOracleDoes) {
  std::mt19937 random(5);
  std::vector<double> values = {0.0, 1.0, 0.5, 1.0 - 1e-12, 1e-12, std::ldexp(1.0, -32)};
  for (int i = 0; i < 20000; ++i) {
    values.push_back(std::ldexp(1.0 + static_cast<uint32_t>(random()) / 4294967296.0,
                                static_cast<int>(random() % 40) - 33));
  }
  for (double value : values) {
    const lower::FixedPointMultiplier ours = lower::QuantizeMultiplier(value);
    const oracle::Multiplier expected = oracle::Quantize(value);
    ASSERT_EQ(ours.multiplier, expected.multiplier) << value;
    ASSERT_EQ(ours.shift, expected.shift) << value;
  }
}

}  // namespace
}  // namespace usmp
