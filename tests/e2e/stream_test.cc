// Networks that run row by row, against the oracle: whatever rings, runs of pixels and shared
// memory can get wrong becomes a wrong result, above all where dead bytes are overwritten.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"

namespace usmp::testing {
namespace {

using oracle::Model;
using oracle::Type;

class Streams : public ::testing::TestWithParam<Type> {};

INSTANTIATE_TEST_SUITE_P(All, Streams, ::testing::Values(Type::kInt8, Type::kFloat32),
                         [](const auto& row) {
                           return row.param == Type::kInt8 ? "int8" : "float32";
                         });

class RandomNet {
 public:
  RandomNet(Type type, uint32_t seed) : net_(type, seed), random_(seed) {}

  Model Make() {
    int32_t x = net_.Input({1, Pick(7, 18), Pick(1, 9), Pick(1, 5)});
    const int32_t blocks = Pick(2, 6);
    for (int32_t i = 0; i < blocks; ++i) x = Block(x);
    if (Pick(0, 2) == 0) {
      const std::vector<int32_t> shape = net_.ShapeOf(x);
      if (shape[1] == shape[2]) x = net_.Pool("AVERAGE_POOL_2D", x, shape[1], 1);
    }
    return net_.Finish({x});
  }

 private:
  int32_t Pick(int32_t low, int32_t high) {
    return low + static_cast<int32_t>(random_() % static_cast<uint32_t>(high - low + 1));
  }

  int32_t Block(int32_t x) {
    const int32_t channels = net_.ShapeOf(x)[3];
    const bool is_small = std::min(net_.ShapeOf(x)[1], net_.ShapeOf(x)[2]) < 4;
    switch (Pick(0, 7)) {
      case 0:
        return net_.Conv(x, Pick(1, 12), 2 * Pick(0, 2) + 1);
      case 1:
        return net_.Conv(x, Pick(2, 12), 3, is_small ? 1 : 2);
      case 2:
        return net_.Conv(net_.Depthwise(x, 3), Pick(3, 12), 1);
      case 3:  // a residual block
        return net_.Add(x, net_.Conv(net_.Conv(x, Pick(1, 9), 3), channels, 3));
      case 4:  // a mobile one
        return net_.Add(net_.Conv(net_.Depthwise(net_.Conv(x, 3 * channels, 1), 3), channels, 1),
                        x);
      case 5: {  // a shortcut with a convolution of its own
        const int32_t stride = is_small ? 1 : 2;
        const int32_t a = net_.Conv(net_.Conv(x, 6, 3, stride), 7, 3);
        return net_.Add(a, net_.Conv(x, 7, 1, stride));
      }
      case 6:
        return net_.Unary("RELU", net_.Conv(x, Pick(1, 8), 3));
      default:
        return is_small ? net_.Conv(x, 4, 1) : net_.Pool("MAX_POOL_2D", x, 2, Pick(1, 2));
    }
  }

  Net net_;
  std::mt19937 random_;
};

// Of the model compiled with such inputs, in the workspace or by rows.
int CountGroups(const Model& model, IoPlacement input) {
  const auto compiled =
      Compile(ToTflite(model), {.io = IoPlacement::kWorkspace, .io_tensors = {{"input:0", input}}});
  EXPECT_TRUE(compiled) << (compiled ? "" : ErrorText(compiled.error()));
  if (!compiled) return 0;
  return static_cast<int>(std::ranges::count(compiled->report.calls, "rows", &ReportCall::kernel));
}

TEST_P(Streams, RandomNets) {
  std::vector<Model> models;
  int with_groups = 0, fed = 0;
  for (uint32_t seed = 1; seed <= 32; ++seed) {
    models.push_back(RandomNet(GetParam(), seed).Make());
    with_groups += CountGroups(models.back(), IoPlacement::kWorkspace) > 0 ? 1 : 0;
    fed += CountGroups(models.back(), IoPlacement::kRows) > 0 ? 1 : 0;
  }
  EXPECT_GE(with_groups, 16);  // or the test tests something else
  EXPECT_GE(fed, 16);
  ExpectOracleOutputs(models, {.all_builds = true});
}

CompiledModel Compiled(const Model& model, const CompileOptions& options) {
  auto compiled = Compile(ToTflite(model), options);
  EXPECT_TRUE(compiled) << (compiled ? "" : ErrorText(compiled.error()));
  return compiled ? *std::move(compiled) : CompiledModel{};
}

// Three convolutions of twelve rows: three calls, or thirty-six.
TEST(Tradeoffs, CountFunctionCalls) {
  Net net(Type::kInt8);
  const int32_t x = net.Conv(net.Conv(net.Input({1, 12, 12, 1}), 6, 3), 6, 3);
  const Model model = net.Finish({net.Conv(x, 1, 3)});
  const CompiledModel compiled = Compiled(model, {.io = IoPlacement::kWorkspace});
  const std::vector<ReportTradeoff>& tradeoffs = compiled.report.models.at(0).tradeoffs;
  ASSERT_GE(tradeoffs.size(), 2);
  EXPECT_EQ(tradeoffs.front().kernel_calls, 3);
  EXPECT_EQ(tradeoffs.front().calls_by_rows, 0);
  EXPECT_EQ(tradeoffs.front().time_ratio, 1);
  EXPECT_EQ(tradeoffs.back().kernel_calls, 36);
  EXPECT_EQ(tradeoffs.back().calls_by_rows, 3);
  EXPECT_GT(tradeoffs.back().time_ratio, 1);
}

// Less memory for more time, and what --stream promises: each is what comes of its bytes, and of
// one byte less comes the next.
TEST(Tradeoffs, AreWhatCanBeHad) {
  int choices = 0;
  for (uint32_t seed = 1; seed <= 32; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = RandomNet(Type::kInt8, seed).Make();
    CompileOptions options{.io = IoPlacement::kWorkspace};
    const std::vector<ReportTradeoff> tradeoffs =
        Compiled(model, options).report.models.at(0).tradeoffs;
    options.stream = StreamMode::kFit;
    for (size_t i = 0; i < tradeoffs.size(); ++i) {
      if (i > 0) {
        EXPECT_LT(tradeoffs[i].ram_bytes, tradeoffs[i - 1].ram_bytes);
        EXPECT_GT(tradeoffs[i].kernel_calls, tradeoffs[i - 1].kernel_calls);
        EXPECT_GE(tradeoffs[i].time_ratio, tradeoffs[i - 1].time_ratio);
      }
      options.stream_ram_bytes = tradeoffs[i].ram_bytes;
      const Bytes needed = Compiled(model, options).report.total_ram_bytes;
      if (i + 1 == tradeoffs.size()) continue;  // a plan may need more than the estimate
      EXPECT_LE(needed, tradeoffs[i].ram_bytes);
      if (i + 2 == tradeoffs.size()) continue;
      options.stream_ram_bytes = needed - 1;
      EXPECT_LT(Compiled(model, options).report.total_ram_bytes, needed);
      ++choices;
    }
  }
  EXPECT_GE(choices, 32);
}

}  // namespace
}  // namespace usmp::testing
