// One or two models, pools of the caller or of ours, tensors of the caller, in the workspace or
// some of each: the same bytes come out of all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "e2e/application.h"
#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/scenario.h"
#include "e2e/to_tflite.h"
#include "oracle/oracle.h"

namespace usmp::testing {
namespace {

using oracle::Model;
using oracle::Type;

enum class Io : uint8_t { kCaller, kWorkspace, kMixed };
enum class Pools : uint8_t { kInternal, kExternal, kBoth };

struct Placement {
  Io io{};
  Pools pools{};
  int models = 1;
  ModelSharing sharing = ModelSharing::kExclusive;
};

std::string NameOf(const Placement& p) {
  constexpr const char* kIo[] = {"caller", "workspace", "mixed"};
  constexpr const char* kPools[] = {"internal", "external", "both"};
  return fmt::format("{}_{}_{}{}", kPools[static_cast<int>(p.pools)], kIo[static_cast<int>(p.io)],
                     p.models == 1 ? "one" : "two",
                     p.sharing == ModelSharing::kConcurrent ? "_concurrent" : "");
}

std::vector<PoolInfo> PoolsOf(Pools pools) {
  if (pools == Pools::kInternal) return {};
  // Too small for everything: the rest goes to the second.
  PoolInfo first{.pool_name = "tcm", .size_hint_bytes = 150, .alignment = 32, .is_internal = false};
  PoolInfo second{.pool_name = "sram", .is_internal = pools == Pools::kBoth};
  // Each model's constants are in both.
  PoolInfo fast{.pool_name = "fast",
                .kind = PoolKind::kConstant,
                .size_hint_bytes = 300,
                .is_internal = pools == Pools::kBoth};
  PoolInfo flash{.pool_name = "flash", .kind = PoolKind::kConstant, .is_internal = false};
  return {first, second, fast, flash};
}

CompileOptions OptionsOf(const Placement& p, const Model& model, size_t index) {
  CompileOptions options{.model_name = fmt::format("m{}", index),
                         .pools = PoolsOf(p.pools),
                         .debug = DebugMode::kPoison};
  if (p.io == Io::kWorkspace) options.io = IoPlacement::kWorkspace;
  if (p.io != Io::kMixed) return options;
  const std::string pool = p.pools == Pools::kInternal ? "" : "sram";
  options.io_tensors = {{"input:0", IoPlacement::kWorkspace, pool, true},
                        {"output:0", IoPlacement::kWorkspace, "", false}};
  if (model.inputs.size() > 1) {
    options.io_tensors.push_back({"input:2", IoPlacement::kWorkspace, "", false});
  }
  return options;
}

CommandResult BuildAndRun(const CompiledModel& compiled, const std::string& application) {
  TemporaryFolder folder;
  WriteFiles(folder.path(), compiled.files);
  WriteFile(folder.path() / "main.c", application);
  return RunCommand(fmt::format("cd {} && cc {} {} -I. *.c -lm -o app && ./app",
                                Quoted(folder.path().string()), kStrictFlags, kSanitizedFlags));
}

// Concurrent models are written, run and read all at once; others one after another.
void ExpectOutputs(const Scenario& run, const CompiledModel& compiled, ModelSharing sharing) {
  std::vector<std::string> symbols;
  std::string expected;
  for (size_t i = 0; i < run.models.size(); ++i) {
    symbols.push_back(fmt::format("tvmgen_m{}", i));
    expected += run.expected[i];
  }
  const bool at_once = sharing == ModelSharing::kConcurrent;
  const CommandResult result = BuildAndRun(
      compiled, ApplicationPrologue() +
                    ApplicationSource(compiled, symbols, run.inputs,
                                      {.order = at_once ? Order::kInterleaved : Order::kOneByOne}));
  EXPECT_EQ(result.output, at_once ? expected : expected + run.expected[0]);
  EXPECT_EQ(result.exit_code, 0);
}

class Placements : public ::testing::TestWithParam<Placement> {};

TEST_P(Placements, GiveTheSameBytes) {
  const Placement& p = GetParam();
  std::vector<Model> models = {Gate(), Chain()};
  models.resize(static_cast<size_t>(p.models));
  const Scenario run = MakeScenario(models);
  std::vector<CompileOptions> options;
  for (size_t i = 0; i < models.size(); ++i) options.push_back(OptionsOf(p, models[i], i));
  const auto compiled = CompileAll(run, options, p.sharing);
  ASSERT_TRUE(compiled) << ErrorText(compiled.error());
  ExpectOutputs(run, *compiled, p.sharing);
}

std::vector<Placement> AllPlacements() {
  std::vector<Placement> all;
  for (Io io : {Io::kCaller, Io::kWorkspace, Io::kMixed}) {
    for (Pools pools : {Pools::kInternal, Pools::kExternal, Pools::kBoth}) {
      all.push_back({io, pools, 1});
      all.push_back({io, pools, 2});
      all.push_back({io, pools, 2, ModelSharing::kConcurrent});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Placements, ::testing::ValuesIn(AllPlacements()),
                         [](const auto& row) { return NameOf(row.param); });

CompiledModel Together(const std::vector<Model>& models, ModelSharing sharing,
                       const CompileOptions& options) {
  std::vector<CompileOptions> each(models.size(), options);
  for (size_t i = 0; i < each.size(); ++i) each[i].model_name = fmt::format("m{}", i);
  auto compiled = CompileAll({.models = models}, each, sharing);
  EXPECT_TRUE(compiled) << ErrorText(compiled.error());
  return compiled ? *std::move(compiled) : CompiledModel{};
}

std::vector<PoolInfo> RandomPools(Random& random) {
  std::vector<PoolInfo> pools;
  const int32_t count = random.Int(1, 3);
  for (int32_t i = 0; i < count; ++i) {
    pools.push_back({.pool_name = fmt::format("p{}", i),
                     .alignment = Bytes{1} << random.Int(2, 6),
                     .is_internal = random.Int(0, 1) == 0});
    if (random.Int(0, 3) > 0) pools.back().size_hint_bytes = random.Int(50, 500);
  }
  return pools;
}

std::vector<IoTensor> RandomPlacement(const Model& model, const std::vector<PoolInfo>& pools,
                                      Random& random) {
  std::vector<IoTensor> tensors;
  const auto add = [&](std::string_view role, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (random.Int(0, 2) == 0) continue;
      IoTensor tensor{fmt::format("{}:{}", role, i), IoPlacement::kWorkspace};
      if (random.Int(0, 2) == 0) tensor.pool = pools[random.Bits() % pools.size()].pool_name;
      tensor.is_precious = role == "input" && random.Int(0, 1) == 0;
      tensors.push_back(tensor);
    }
  };
  add("input", model.inputs.size());
  add("output", model.outputs.size());
  return tensors;
}

// The figure after `before` in a diagnostic; absent: it has none.
std::optional<Bytes> FigureIn(const std::string& message, const std::string& before) {
  const size_t at = message.find(before);
  if (at == std::string::npos) return {};
  return std::stoll(message.substr(at + before.size()));
}

// What a refusal says that pools need at least, no plan without bounds does with less.
void ExpectTrueBounds(const Error& error, const Scenario& run, std::vector<CompileOptions> options,
                      ModelSharing sharing) {
  EXPECT_EQ(error.code, ErrorCode::kDoesNotFit) << ErrorText(error);
  for (PoolInfo& pool : options[0].pools) pool.size_hint_bytes.reset();
  const auto unbounded = CompileAll(run, options, sharing);
  ASSERT_TRUE(unbounded) << ErrorText(unbounded.error());
  for (const Diagnostic& diagnostic : error.diagnostics) {
    const auto together = FigureIn(diagnostic.message, "together they need at least ");
    EXPECT_LE(together.value_or(0), unbounded->report.workspace_bytes) << ErrorText(error);
    for (const ReportPool& pool : unbounded->report.pools) {
      if (diagnostic.where != "pool '" + pool.name + "'") continue;
      EXPECT_LE(FigureIn(diagnostic.message, "needs at least ").value_or(0), pool.bytes)
          << ErrorText(error);
    }
  }
}

// Random networks in random pools: what they compute is right while every dead byte is overwritten,
// or the refusal is true.
TEST(RandomPlacements, AreRightOrRefused) {
  int compiled_cases = 0, refused_cases = 0;
  for (uint32_t seed = 1; seed <= 14; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed * 31);
    std::vector<Model> models;
    const int32_t count = random.Int(1, 2);
    for (int32_t i = 0; i < count; ++i) {
      models.push_back(RandomNet(Type::kInt8, seed * 2 + static_cast<uint32_t>(i)));
    }
    const Scenario run = MakeScenario(models);
    const ModelSharing sharing =
        random.Int(0, 1) == 0 ? ModelSharing::kExclusive : ModelSharing::kConcurrent;
    const std::vector<PoolInfo> pools = RandomPools(random);
    std::vector<CompileOptions> options;
    for (size_t i = 0; i < models.size(); ++i) {
      options.push_back({.model_name = fmt::format("m{}", i),
                         .io_tensors = RandomPlacement(models[i], pools, random),
                         .pools = pools,
                         .debug = DebugMode::kPoison});
    }
    const auto compiled = CompileAll(run, options, sharing);
    ++(compiled ? compiled_cases : refused_cases);
    if (compiled) {
      ExpectOutputs(run, *compiled, sharing);
    } else {
      ExpectTrueBounds(compiled.error(), run, options, sharing);
    }
  }
  EXPECT_GE(compiled_cases, 4);
  EXPECT_GE(refused_cases, 2);
}

// Models that take turns need what the larger one needs; models at once, what both need.
TEST(SeveralModels, ShareMemoryOrDoNot) {
  const std::vector<Model> models = {Gate(), Chain()};
  const CompileOptions options{.io = IoPlacement::kWorkspace};
  const Bytes a = Together({models[0]}, {}, options).report.workspace_bytes;
  const Bytes b = Together({models[1]}, {}, options).report.workspace_bytes;
  EXPECT_EQ(Together(models, ModelSharing::kExclusive, options).report.workspace_bytes,
            std::max(a, b));
  const Bytes both = Together(models, ModelSharing::kConcurrent, options).report.workspace_bytes;
  EXPECT_GE(both, a + b);
  EXPECT_LT(both, a + b + 4) << "the second model starts where its words are aligned";
}

TEST(SeveralModels, NeedTheirOwnNames) {
  const std::vector<uint8_t> file = ToTflite(Chain());
  const ModelSource sources[] = {{file, {.model_name = "kws"}}, {file, {.model_name = "KWS"}}};
  const auto compiled = CompileTogether(sources, ModelSharing::kExclusive);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(ErrorText(compiled.error()),
            "  model 'KWS': another model has this name in the generated C, tvmgen_kws; give each "
            "its own with --name\n");
}

// Input and output in pools of their own cannot share bytes: the cost is the smaller of the two.
TEST(IoPools, CostIsReported) {
  Net net(Type::kInt8);
  const int32_t x = net.Input({1, 100}, "x");
  const Model model = net.Finish({net.Dense(net.Unary("RELU", x), 60)});
  CompileOptions options{.model_name = "m",
                         .io = IoPlacement::kWorkspace,
                         .pools = {{.pool_name = "a"}, {.pool_name = "b"}},
                         .overlap = false};
  EXPECT_FALSE(Together({model}, {}, options).report.io_pools_cost_bytes.has_value());
  options.io_tensors = {{"x", IoPlacement::kWorkspace, "a"},
                        {"output:0", IoPlacement::kWorkspace, "b"}};
  const Report report = Together({model}, {}, options).report;
  // Alive at once: x and its copy (200), then the copy and the output (160, of which 60 in `b`).
  EXPECT_EQ(report.workspace_bytes, 260);
  EXPECT_EQ(report.io_pools_cost_bytes, 60);
}

TEST(IoTensors, EveryBadPlacementIsListed) {
  CompileOptions options{.model_name = "m", .pools = {{.pool_name = "ram"}}};
  options.io_tensors = {{"image", IoPlacement::kWorkspace, "flash"},
                        {"sound", IoPlacement::kWorkspace},
                        {"mask", IoPlacement::kCaller, "", true},
                        {"output:0", IoPlacement::kWorkspace, "", true},
                        {"input:0", IoPlacement::kCaller}};
  const auto compiled = Compile(ToTflite(Gate()), options);
  ASSERT_FALSE(compiled);
  std::vector<std::string> wheres;
  for (const Diagnostic& d : compiled.error().diagnostics) wheres.push_back(d.where);
  EXPECT_EQ(wheres, (std::vector<std::string>{"placement of 'image'", "placement of 'sound'",
                                              "placement of 'mask'", "placement of 'output:0'",
                                              "placement of 'input:0'"}))
      << ErrorText(compiled.error());
}

// By rows: neither what no operator reads by rows, nor where two members would have one name.
TEST(IoTensors, RowsNeedAnOperatorAndNames) {
  Net net(Type::kInt8, 3);
  const int32_t image = net.Input({1, 4, 4, 2}, "image");
  const int32_t context = net.Input({1, 4, 4, 2}, "image_context");
  const int32_t features = net.Input({1, 8}, "features");
  const Model model = net.Finish({net.Conv(net.Add(image, context), 2, 3), net.Dense(features, 4)});
  CompileOptions options{.model_name = "m"};
  options.io_tensors = {{"image", IoPlacement::kRows},
                        {"features", IoPlacement::kRows},
                        {"image_context", IoPlacement::kRows, "", true},
                        {"output:0", IoPlacement::kRows},
                        {"output:1", IoPlacement::kRows}};
  const auto compiled = Compile(ToTflite(model), options);
  ASSERT_FALSE(compiled);
  std::vector<std::string> texts;
  for (const Diagnostic& d : compiled.error().diagnostics) {
    texts.push_back(d.where + ": " + d.message.substr(0, d.message.find(',')));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "placement of 'image_context': a pool",
                       "placement of 'image': the model has a tensor 'image_context'",
                       "placement of 'features': no operator works on its rows",
                       "placement of 't_1': no operator works on its rows"}))
      << ErrorText(compiled.error());
}

// A window of three rows over rows of five bytes: three are kept of the input, one of the output.
TEST(IoTensors, OfRowsOnlyAFewAreKept) {
  Net net(Type::kInt8, 3);
  const int32_t x = net.Input({1, 20, 5, 1}, "x");
  const Model model = net.Finish({net.Conv(x, 2, 3)});
  const auto compiled =
      Compile(ToTflite(model),
              {.model_name = "m",
               .io_tensors = {{"x", IoPlacement::kRows}, {"output:0", IoPlacement::kRows}}});
  ASSERT_TRUE(compiled) << ErrorText(compiled.error());
  const Bytes counters = 6;  // of three strips
  EXPECT_EQ(compiled->report.total_ram_bytes, 15 + 10 + counters);
  EXPECT_EQ(compiled->report.caller_io_bytes, 0);
}

// The functions of the caller end the run, and run tells with what.
TEST(IoTensors, RowFunctionsCanFail) {
  Net net(Type::kInt8, 3);
  const int32_t x = net.Input({1, 6, 5, 1}, "x");
  Model model = net.Finish({net.Conv(x, 2, 3)});
  const auto compiled =
      Compile(ToTflite(model),
              {.model_name = "m",
               .io_tensors = {{"x", IoPlacement::kRows}, {"output:0", IoPlacement::kRows}}});
  ASSERT_TRUE(compiled) << ErrorText(compiled.error());
  const std::string y = compiled->report.models[0].outputs[0].identifier;
  const CommandResult result = BuildAndRun(*compiled, fmt::format(R"(
#include <stdio.h>
#include "tvmgen_m.h"
static const char data[5];
static const void* get(void* context, int32_t row) {{ return row == *(int*)context ? NULL : data; }}
static int32_t put(void* context, int32_t row, const void* bytes) {{
  (void)bytes;
  return row == *(int*)context ? -7 : 0;
}}
int main(void) {{
  int bad_get[] = {{9, 3, 9}}, bad_put[] = {{9, 9, 5}};
  for (int i = 0; i < 3; ++i) {{
    struct tvmgen_m_inputs in = {{.x_get_row = get, .x_context = &bad_get[i]}};
    struct tvmgen_m_outputs out = {{.{0}_put_row = put, .{0}_context = &bad_put[i]}};
    printf("%d ", (int)tvmgen_m_run(&in, &out));
    in.x_get_row = NULL;
    printf("%d\n", (int)tvmgen_m_run(&in, &out));
  }}
  return 0;
}}
)",
                                                                  y));
  EXPECT_EQ(result.output, "0 2051\n2051 2051\n-7 2051\n");
  EXPECT_EQ(result.exit_code, 0);
}

}  // namespace
}  // namespace usmp::testing
