// Branches that the model's order makes alive all at once.
#include <gtest/gtest.h>

#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"
#include "usmp/compile.h"

namespace usmp::testing {
namespace {

using oracle::Model;
using oracle::Type;

//   x 128 -> a 1024 -> c 64 -.
//        \-> b 1024 -> d 64 --> sum 64        bytes, in int8
Model TwoBranches(Type type) {
  Net net(type);
  const int32_t x = net.Input({1, 8, 8, 2});
  const int32_t a = net.Conv(x, 16, 1);
  const int32_t b = net.Conv(x, 16, 1);
  const int32_t c = net.Conv(a, 1, 1);
  const int32_t d = net.Conv(b, 1, 1);
  return net.Finish({net.Add(c, d)});
}

Report ReportOf(const Model& model, CompileOptions options) {
  options.io = IoPlacement::kWorkspace;
  const auto compiled = Compile(ToTflite(model), options);
  EXPECT_TRUE(compiled) << (compiled ? "" : ErrorText(compiled.error()));
  return compiled ? compiled->report : Report{};
}

TEST(Order, OneBranchAfterTheOther) {
  const CompileOptions whole{.overlap = false, .stream = StreamMode::kOff};
  CompileOptions as_it_is = whole;
  as_it_is.reorder = false;
  const Report before = ReportOf(TwoBranches(Type::kInt8), as_it_is);
  EXPECT_EQ(before.total_ram_bytes, 128 + 1024 + 1024);  // x, a, b
  EXPECT_FALSE(before.models[0].is_reordered);
  EXPECT_FALSE(before.models[0].is_order_proved_best);
  const Report after = ReportOf(TwoBranches(Type::kInt8), whole);
  EXPECT_EQ(after.total_ram_bytes, 128 + 1024 + 64);  // x, a, c; and then x, b, c
  EXPECT_TRUE(after.models[0].is_reordered);
  EXPECT_TRUE(after.models[0].is_order_proved_best);
}

TEST(Order, OfAChainIsTheOnlyOne) {
  Net net(Type::kInt8);
  const Report report =
      ReportOf(net.Finish({net.Unary("RELU", net.Conv(net.Input({1, 8, 8, 2}), 4, 3))}), {});
  EXPECT_FALSE(report.models[0].is_reordered);
  EXPECT_TRUE(report.models[0].is_order_proved_best);
}

TEST(Order, AnotherOneComputesTheSame) {
  ExpectOracleOutputs({TwoBranches(Type::kInt8), TwoBranches(Type::kFloat32)},
                      {.all_builds = true});
}

}  // namespace
}  // namespace usmp::testing
