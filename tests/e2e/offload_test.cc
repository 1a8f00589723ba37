// Operators that a C function of the application computes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "e2e/application.h"
#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/scenario.h"
#include "e2e/to_tflite.h"
#include "import/tflite/schema_generated.h"
#include "support/tflite_builder.h"

namespace usmp::testing {
namespace {

// y = relu(Scale(x)), Scale a custom operator with an absent second input.
std::vector<uint8_t> CustomModel() {
  TfliteBuilder b;
  const TensorSpec spec{.type = ir::DType::kFloat32, .shape = {2, 3}};
  TensorSpec x = spec, t = spec, y = spec;
  x.name = "x";
  t.name = "t";
  y.name = "y";
  const int scaled = b.Op("CUSTOM:Scale", {b.Input(x), kAbsent}, t);
  b.op(0).custom_options = {2, 7};
  b.Output(b.Op("RELU", {scaled}, y));
  return b.Build();
}

CompileOptions CustomOptions() {
  return {.model_name = "m",
          .offloads = {{"CUSTOM:Scale", "scale_fn", 20, "npu1"}},
          .devices = {"npu1"},
          .pools = {{.pool_name = "fast", .is_internal = false, .targets = {"cpu"}},
                    {.pool_name = "shared", .is_internal = false}},
          .debug = DebugMode::kPoison};
}

TEST(Offload, CustomOperatorOnADevice) {
  const auto compiled = Compile(CustomModel(), CustomOptions());
  ASSERT_TRUE(compiled) << ErrorText(compiled.error());
  TemporaryFolder folder;
  WriteFiles(folder.path(), compiled->files);
  const CommandResult result = RunCommand(fmt::format(
      "cd {} && cc {} {} -I. {}/custom_check.c tvmgen_m.c -lm -o check && ./check",
      Quoted(folder.path().string()), kStrictFlags, kSanitizedFlags, Quoted(USMP_HARNESS_DIR)));
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

// Convolutions of the model, by kind or one by one, in plain loops: the oracle's bytes.
TEST(Offload, KnownOperatorsGiveTheSameBytes) {
  const Scenario run = MakeScenario({Chain()});
  for (const std::vector<Offload>& offloads : {std::vector<Offload>{{"CONV_2D", "plain_conv", 100}},
                                               std::vector<Offload>{{"op:1", "plain_conv"}}}) {
    const auto compiled =
        CompileAll(run, {{.model_name = "m0", .offloads = offloads, .debug = DebugMode::kPoison}},
                   ModelSharing::kExclusive);
    ASSERT_TRUE(compiled) << ErrorText(compiled.error());
    TemporaryFolder folder;
    WriteFiles(folder.path(), compiled->files);
    WriteFile(folder.path() / "main.c",
              ApplicationPrologue() + ApplicationSource(*compiled, {"tvmgen_m0"}, run.inputs));
    const CommandResult result = RunCommand(fmt::format(
        "cd {} && cc {} {} -I. {}/offload_functions.c *.c -lm -o app && ./app",
        Quoted(folder.path().string()), kStrictFlags, kSanitizedFlags, Quoted(USMP_HARNESS_DIR)));
    EXPECT_EQ(result.output, run.expected[0] + run.expected[0]);
    EXPECT_EQ(result.exit_code, 0);
  }
}

std::vector<std::string> CallsOf(const std::vector<Offload>& offloads) {
  const auto compiled =
      CompileAll({.models = {Chain()}},
                 {{.model_name = "m", .offloads = offloads, .stream = StreamMode::kOff}},
                 ModelSharing::kExclusive);
  EXPECT_TRUE(compiled) << ErrorText(compiled.error());
  std::vector<std::string> kernels;
  if (compiled) {
    for (const ReportCall& call : compiled->report.calls) kernels.push_back(call.kernel);
  }
  return kernels;
}

// One operator goes before a kind, then the first rule wins.
TEST(Offload, Choice) {
  const std::string ours = "conv2d_s8";
  using Names = std::vector<std::string>;
  EXPECT_EQ(CallsOf({{"CONV_2D", "all"}}), (Names{"all", "all", "all"}));
  EXPECT_EQ(CallsOf({{"op:1", "one"}}), (Names{ours, "one", ours}));
  EXPECT_EQ(CallsOf({{"CONV_2D", "all"}, {"op:2", "one"}}), (Names{"all", "all", "one"}));
}

std::string Refusal(CompileOptions options, const std::vector<uint8_t>& model = CustomModel()) {
  const auto compiled = Compile(model, options);
  return compiled ? "compiled" : ErrorText(compiled.error());
}

TEST(Offload, RefusalsSayWhatWouldMakeItRight) {
  EXPECT_EQ(
      Refusal({.model_name = "m"}),
      "  op 0 CUSTOM:Scale 't': only its author knows what it computes: hand it to a function "
      "of yours with --offload 'CUSTOM:Scale=my_function'\n");
  CompileOptions options = CustomOptions();
  options.offloads.push_back({"SOFTMAX", "f"});
  EXPECT_EQ(
      Refusal(options),
      "  offload of 'SOFTMAX': no operator is left for it; name a kind of the model, which has "
      "CUSTOM:Scale (1), RELU (1); or one operator, by a tensor that it writes or as op:N\n");
  options = CustomOptions();
  options.offloads[0].function = "2fast";
  EXPECT_NE(Refusal(options).find("'2fast' must be a C identifier"), std::string::npos);
  options = CustomOptions();
  options.devices = {"dsp"};
  EXPECT_NE(Refusal(options).find("no operator is offloaded to it: say target=dsp"),
            std::string::npos);
  options = CustomOptions();
  options.devices = {"npu1", "NPU_1"};
  EXPECT_NE(Refusal(options).find("another device's functions have the same names"),
            std::string::npos);
}

// A tensor that both use needs a pool that both reach.
TEST(Offload, BuffersStayWithinReach) {
  CompileOptions options = CustomOptions();
  options.pools[1].targets = {"npu1"};
  EXPECT_EQ(Refusal(options),
            "  buffer 't': no pool that it may be in is reached by cpu and npu1; there is fast "
            "(cpu), shared (npu1): add the missing target to targets= of one of them\n");
  options.pools[1].targets = {"npu1", "c"};
  const auto compiled = Compile(CustomModel(), options);
  ASSERT_TRUE(compiled) << ErrorText(compiled.error());
  for (const ReportBuffer& buffer : compiled->report.buffers) {
    if (buffer.kind == BufferKind::kConstant) continue;
    EXPECT_EQ(buffer.allocation.pool, PoolId{1}) << buffer.name;
  }
}

}  // namespace
}  // namespace usmp::testing
