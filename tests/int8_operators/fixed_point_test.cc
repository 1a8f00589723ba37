#include "lower/fixed_point.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace usmp::lower {
namespace {

template <int kIntegerBits>
using Fixed = gemmlowp::FixedPoint<int32_t, kIntegerBits>;

// Raw arguments > INT32_MIN: random ones of every magnitude, and the neighbors of every power of
// two.
std::vector<int32_t> Arguments() {
  std::mt19937 random(1);
  std::vector<int32_t> arguments = {0};
  for (int bit = 0; bit < 31; ++bit) {
    for (int step = -2; step <= 2; ++step) {
      const int64_t x = (int64_t{1} << bit) + step;
      arguments.insert(arguments.end(), {static_cast<int32_t>(x), static_cast<int32_t>(-x)});
    }
    for (int i = 0; i < 5000; ++i) {
      const auto x = static_cast<int32_t>(random() & 0x7FFFFFFF) >> (30 - bit);
      arguments.insert(arguments.end(), {x, -x});
    }
  }
  return arguments;
}

template <int kIntegerBits>
void CheckExp() {
  for (int32_t x : Arguments()) {
    if (x > 0) continue;
    ASSERT_EQ(ExpOnNegative(x, kIntegerBits),
              gemmlowp::exp_on_negative_values(Fixed<kIntegerBits>::FromRaw(x)).raw())
        << x << " with " << kIntegerBits << " integer bits";
  }
}

TEST(FixedPoint, ExpEqualsGemmlowp) {
  CheckExp<2>();
  CheckExp<4>();
  CheckExp<5>();
}

template <int kIntegerBits>
void CheckSigmoids() {
  for (int32_t x : Arguments()) {
    const auto argument = Fixed<kIntegerBits>::FromRaw(x);
    ASSERT_EQ(Logistic(x, kIntegerBits), gemmlowp::logistic(argument).raw()) << x;
    ASSERT_EQ(Tanh(x, kIntegerBits), gemmlowp::tanh(argument).raw()) << x;
  }
}

TEST(FixedPoint, LogisticAndTanhEqualGemmlowp) {
  CheckSigmoids<2>();
  CheckSigmoids<4>();
}

TEST(FixedPoint, RoundingShiftRightEqualsGemmlowp) {
  for (int32_t x : Arguments()) {
    for (int exponent = 0; exponent <= 31; ++exponent) {
      ASSERT_EQ(RoundingShiftRight(x, exponent), gemmlowp::RoundingDivideByPOT(x, exponent)) << x;
    }
  }
}

}  // namespace
}  // namespace usmp::lower
