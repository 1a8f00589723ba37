// The runtime's requantization against gemmlowp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "kernels/conv_kernels.h"
#include "kernels/reference_s8.h"

namespace usmp::kernels_test {
namespace {

constexpr int32_t kMultipliers[] = {1 << 30, (1 << 30) + 1, 0x5A5A5A5A, 0x7FFFFFFF, 0x7FFF0000};

// As struct usmp_requantization has it.
int Encoded(int shift) { return shift < -20 ? shift + 64 : shift; }

void ExpectEqual(int32_t x, int32_t multiplier, int shift) {
  const int32_t expected = ReferenceRequantize(x, multiplier, shift);
  ASSERT_EQ(run_requantize(x, multiplier, shift), expected)
      << x << " * " << multiplier << " << " << shift;
  for (int zero_point : {-128, 0, 127}) {
    const int64_t sum = int64_t{expected} + zero_point;
    ASSERT_EQ(run_requantize_s8(x, multiplier, Encoded(shift), zero_point),
              static_cast<int8_t>(std::clamp<int64_t>(sum, -128, 127)))
        << x << " * " << multiplier << " << " << shift << " + " << zero_point;
  }
}

TEST(Requantize, EqualsGemmlowpForSmallNumbers) {
  for (int32_t multiplier : kMultipliers) {
    for (int shift = -31; shift <= 6; ++shift) {
      for (int32_t x = -2000; x <= 2000; ++x) ExpectEqual(x, multiplier, shift);
    }
  }
}

// Numbers that the two roundings bring within one of a tie.
TEST(Requantize, EqualsGemmlowpAroundTies) {
  std::mt19937 random(7);
  for (int shift = -31; shift < 0; ++shift) {
    for (int i = 0; i < 20000; ++i) {
      const auto multiplier = static_cast<int32_t>((1U << 30) | (random() >> 2));
      const double step = 2147483648.0 / multiplier * std::ldexp(1.0, -shift);
      const double tie = (static_cast<int32_t>(random() % 301) - 150 + 0.5) * step;
      if (tie > 1e9 || tie < -1e9) continue;
      for (int delta = -2; delta <= 2; ++delta) {
        ExpectEqual(static_cast<int32_t>(tie) + delta, multiplier, shift);
      }
    }
  }
}

TEST(Requantize, EqualsGemmlowpForAnyNumber) {
  std::mt19937 random(11);
  for (int i = 0; i < 300000; ++i) {
    const auto multiplier = static_cast<int32_t>((1U << 30) | (random() >> 2));
    const int shift = static_cast<int>(random() % 38) - 31;
    const int width = static_cast<int>(random() % 31);  // numbers of every length
    const auto x = static_cast<int32_t>(random()) >>
                   (width + std::max(shift, 0) > 31 ? 31 : width + std::max(shift, 0));
    ExpectEqual(x, multiplier, shift);
  }
}

TEST(Requantize, SaturatesAtTheEndsOfInt32) {
  for (int32_t multiplier : kMultipliers) {
    for (int shift = -31; shift <= 0; ++shift) {
      for (int32_t x : {INT32_MIN, INT32_MIN + 1, INT32_MAX, INT32_MAX - 1, 1 << 30, -(1 << 30)}) {
        ExpectEqual(x, multiplier, shift);
      }
    }
  }
}

}  // namespace
}  // namespace usmp::kernels_test
