// How compiling grows with the model: in proportion.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"
#include "usmp/compile.h"

namespace usmp::testing {
namespace {

std::vector<uint8_t> Chain(int operators) {
  Net net(oracle::Type::kInt8);
  int32_t x = net.Input({1, 32});
  for (int i = 0; i < operators; ++i) x = net.Unary("RELU", x);
  return ToTflite(net.Finish({x}));
}

// The least of three, seconds of processor time.
double CompileTime(const std::vector<uint8_t>& model) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    const auto compiled = Compile(model, {.model_name = "chain"});
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    EXPECT_TRUE(compiled) << ErrorText(compiled.error());
  }
  return least;
}

TEST(Scale, CompileTimeGrowsWithTheNumberOfOperators) {
  constexpr int kTimes = 8;
  const double small = CompileTime(Chain(1000));
  const double large = CompileTime(Chain(1000 * kTimes));
  // Twice as much leaves room for caches; a quadratic step would take eight times as much.
  EXPECT_LT(large, small * kTimes * 2) << small << " s, " << large << " s";
}

}  // namespace
}  // namespace usmp::testing
