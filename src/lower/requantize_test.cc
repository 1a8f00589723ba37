#include "lower/requantize.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace usmp::lower {
namespace {

TEST(QuantizeMultiplier, KnownValues) {
  struct Case {
    double real;
    int32_t multiplier;
    int32_t shift;
  };
  const Case cases[] = {
      {0.0, 0, 0},
      {1.0, 1 << 30, 1},
      {0.5, 1 << 30, 0},
      {0.25, 1 << 30, -1},
      {0.75, 3 << 29, 0},
      {3.0, 3 << 29, 2},
      // The fraction rounds up to 1: halved, and one shift more.
      {1.0 - std::ldexp(1.0, -33), 1 << 30, 1},
      // The last bit: half of it rounds away from zero.
      {0.5 + std::ldexp(1.0, -32), (1 << 30) + 1, 0},
      {0.5 + std::ldexp(1.0, -33), 1 << 30, 0},
      {std::ldexp(1.0, -32), 1 << 30, -31},
      {std::ldexp(1.0, -33), 0, 0},  // too small to matter
  };
  for (const Case& c : cases) {
    const FixedPointMultiplier m = QuantizeMultiplier(c.real);
    EXPECT_EQ(m.multiplier, c.multiplier) << c.real;
    EXPECT_EQ(m.shift, c.shift) << c.real;
  }
}

TEST(QuantizeMultiplier, IsWithinHalfAUnitInTheLastPlace) {
  std::mt19937 random(5);
  for (int i = 0; i < 100000; ++i) {
    const int exponent = static_cast<int>(random() % 55) - 30;
    const double real = std::ldexp(1.0 + static_cast<double>(random()) * 0x1p-32, exponent);
    const FixedPointMultiplier m = QuantizeMultiplier(real);
    ASSERT_GE(m.multiplier, 1 << 30);
    ASSERT_LE(std::abs(std::ldexp(m.multiplier, m.shift - 31) - real),
              std::ldexp(0.5, m.shift - 31));
  }
}

TEST(MultiplyByQuantizedMultiplier, EqualsGemmlowp) {
  std::mt19937 random(6);
  for (int i = 0; i < 200000; ++i) {
    const auto multiplier = static_cast<int32_t>((1U << 30) | (random() >> 2));
    const int32_t shift = static_cast<int32_t>(random() % 36) - 31;
    const int left = std::max(shift, 0);
    const auto width = static_cast<int>(random() % static_cast<uint32_t>(32 - left));
    const auto x = static_cast<int32_t>(random()) >> (width + left);
    const int32_t expected = gemmlowp::RoundingDivideByPOT(
        gemmlowp::SaturatingRoundingDoublingHighMul(x * (1 << left), multiplier),
        std::max(-shift, 0));
    ASSERT_EQ(MultiplyByQuantizedMultiplier(x, {multiplier, shift}), expected)
        << x << " * " << multiplier << " << " << shift;
  }
}

// Bounds worked out by hand from real = scale * (q - zero_point).
TEST(ActivationRange, ByHand) {
  struct Case {
    ir::Activation activation;
    float scale;
    int32_t zero_point;
    int32_t min;
    int32_t max;
  };
  const Case cases[] = {
      {ir::Activation::kNone, 0.1F, 3, -128, 127},
      {ir::Activation::kRelu, 0.1F, 3, 3, 127},
      {ir::Activation::kRelu, 0.1F, -128, -128, 127},
      {ir::Activation::kRelu6, 0.1F, 3, 3, 63},
      {ir::Activation::kRelu6, 0.1F, 100, 100, 127},
      {ir::Activation::kRelu6, 4.0F, 0, 0, 2},  // 1.5 rounds away from zero
      {ir::Activation::kRelu6, 1e-6F, 0, 0, 127},
      {ir::Activation::kReluN1To1, 0.25F, 10, 6, 14},
      {ir::Activation::kReluN1To1, 0.01F, -100, -128, 0},
      {ir::Activation::kReluN1To1, 2.0F, 0, -1, 1},  // -0.5 and 0.5 round away from zero
  };
  for (const Case& c : cases) {
    ir::Tensor output{.dtype = ir::DType::kInt8};
    output.quantization = {.scales = {c.scale}, .zero_points = {c.zero_point}};
    const QuantizedRange range = ActivationRange(c.activation, output);
    EXPECT_EQ(range.min, c.min) << c.scale << " " << c.zero_point;
    EXPECT_EQ(range.max, c.max) << c.scale << " " << c.zero_point;
  }
}

TEST(ActivationRange, OfUnsignedBytes) {
  ir::Tensor output{.dtype = ir::DType::kUInt8};
  output.quantization = {.scales = {0.1F}, .zero_points = {10}};
  const QuantizedRange range = ActivationRange(ir::Activation::kRelu6, output);
  EXPECT_EQ(range.min, 10);
  EXPECT_EQ(range.max, 70);
}

}  // namespace
}  // namespace usmp::lower
