// The diagnostics of a model that does not fit: their figures are by hand, or what they say to fit
// does, and one byte less does not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"
#include "oracle/oracle.h"

namespace usmp::testing {
namespace {

constexpr Bytes kX = 256, kA = 64, kB = 96, kY = 20;  // bytes of the tensors of Chain

oracle::Model Chain() {
  Net net(oracle::Type::kFloat32);
  const int32_t a = net.Dense(net.Input({1, kX / 4}, "x"), kA / 4);
  return net.Finish({net.Dense(net.Dense(a, kB / 4), kY / 4)});
}

PoolInfo Pool(const std::string& name, std::optional<Bytes> size,
              PoolKind kind = PoolKind::kWorkspace) {
  return {.pool_name = name, .kind = kind, .size_hint_bytes = size};
}

std::string FailureOf(const std::vector<uint8_t>& file, CompileOptions options) {
  options.plan.max_steps = 20'000;
  const auto model = Compile(file, options);
  if (model) return "it fits";
  EXPECT_EQ(model.error().code, ErrorCode::kDoesNotFit) << ErrorText(model.error());
  return ErrorText(model.error());
}

std::string FailureOf(const CompileOptions& options) {
  return FailureOf(ToTflite(Chain()), options);
}

void ExpectAll(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
}

// a and b are alive together in the second call, and may not share bytes.
TEST(DoesNotFit, FiguresByHand) {
  const std::string text = FailureOf({.pools = {Pool("sram", 150)}, .overlap = false});
  ExpectAll(text, {"needs 160 bytes", "have 150 together, 10 too few",
                   "160 bytes are alive in step 1", "(96 B)", "(64 B)",
                   "pool 'sram' of 160 bytes, 10 more", "a further workspace pool of 64 bytes"});
}

// The largest of all is the input, of the caller's.
TEST(DoesNotFit, InputsAndOutputsElsewhere) {
  const std::string text =
      FailureOf({.io = IoPlacement::kWorkspace, .pools = {Pool("sram", 200)}, .overlap = false});
  ExpectAll(text, {"needs 320 bytes", "120 too few", "--io caller",
                   "436 bytes of RAM"});  // 160 of workspace, 256 + 20 of the caller's
}

// 150 bytes and the caller's 276 are more than the 320 that the workspace needs with everything.
TEST(DoesNotFit, MemoryOfTheCallersHelps) {
  const std::string text = FailureOf({.pools = {Pool("sram", 150)}, .overlap = false});
  ExpectAll(text, {"--io workspace", "pool 'sram' of 426 bytes", "the 276 that the caller"});
}

// The input may be in a pool of its own that is too small for it.
TEST(DoesNotFit, InputsInAnyPool) {
  const std::string text = FailureOf({.io_tensors = {{"x", IoPlacement::kWorkspace, "tcm"}},
                                      .pools = {Pool("tcm", 100), Pool("sram", 1000)}});
  ExpectAll(text, {"--io-tensor without a pool", "pool 'tcm' of 256 bytes, 156 more"});
}

TEST(DoesNotFit, ConstantsByHand) {
  const Bytes weights = (kX * kA + kA * kB + kB * kY) / 16 * 4 + kA + kB + kY;
  const std::string text =
      FailureOf({.pools = {Pool("flash", weights - 4, PoolKind::kConstant)}, .overlap = false});
  ExpectAll(text, {fmt::format("constants: needs {} bytes", weights), "4 too few",
                   fmt::format("pool 'flash' of {} bytes, 4 more", weights),
                   "a further constant pool of 20 bytes"});  // the last bias
  EXPECT_EQ(text.find("workspace: "), std::string::npos) << text;
}

// A row of 32 pixels after another: whole, both tensors of the middle are there.
TEST(DoesNotFit, StreamingAndOverlap) {
  Net net(oracle::Type::kInt8);
  int32_t x = net.Input({1, 32, 32, 1});
  for (int32_t channels : {4, 4, 4}) x = net.Conv(x, channels, 3);
  const auto file = ToTflite(net.Finish({net.Pool("AVERAGE_POOL_2D", x, 32, 32)}));
  const std::string text = FailureOf(
      file, {.pools = {Pool("sram", 5000)}, .overlap = false, .stream = StreamMode::kOff});
  ExpectAll(text, {"8192 bytes are alive", "--stream auto"});
}

TEST(DoesNotFit, ModelsThatTakeTurns) {
  const std::vector<uint8_t> file = ToTflite(Chain());
  const CompileOptions a{.model_name = "a",
                         .pools = {Pool("sram", 200)},
                         .plan = {.max_steps = 20'000},
                         .overlap = false};
  CompileOptions b = a;
  b.model_name = "b";
  const ModelSource sources[] = {{file, a}, {file, b}};
  ASSERT_TRUE(CompileTogether(sources, ModelSharing::kExclusive));
  const auto both = CompileTogether(sources, ModelSharing::kConcurrent);
  ASSERT_FALSE(both);
  ExpectAll(ErrorText(both.error()),
            {"needs 320 bytes", "--models exclusive", "pool 'sram' of 320"});
}

// What stands after every `before` in a text.
std::vector<std::string> After(const std::string& text, const std::string& before) {
  std::vector<std::string> found;
  for (size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
    found.push_back(text.substr(at + before.size()));
  }
  return found;
}

// Every pool that is said to be enough is, and one byte less is not. Returns how many there were.
int ExpectTruePools(const std::vector<uint8_t>& file, const CompileOptions& options,
                    const std::string& text) {
  int pools = 0;
  const auto check = [&](CompileOptions with, size_t pool, Bytes size) {
    with.pools[pool].size_hint_bytes = size;
    EXPECT_TRUE(Compile(file, with)) << text;
    with.pools[pool].size_hint_bytes = size - 1;
    EXPECT_FALSE(Compile(file, with)) << with.pools[pool].pool_name << "\n" << text;
    ++pools;
  };
  for (const std::string& offer : After(text, "with pool '")) {  // sram' of 64 bytes, 4 more
    const size_t quote = offer.find('\'');
    const auto found =
        std::ranges::find(options.pools, offer.substr(0, quote), &PoolInfo::pool_name);
    const std::vector<std::string> size = After(offer.substr(quote), "' of ");
    if (found == options.pools.end() || size.empty()) {
      ADD_FAILURE() << offer;
      continue;
    }
    const std::vector<std::string> more = After(size[0], " bytes, ");
    const Bytes bytes = std::stoll(size[0]);
    EXPECT_EQ(bytes - std::stoll(more.at(0)), found->size_hint_bytes);
    check(options, static_cast<size_t>(found - options.pools.begin()), bytes);
  }
  for (const PoolKind kind : {PoolKind::kWorkspace, PoolKind::kConstant}) {
    const std::string name = kind == PoolKind::kWorkspace ? "workspace" : "constant";
    for (const std::string& offer : After(text, "with a further " + name + " pool of ")) {
      CompileOptions with = options;
      with.pools.push_back(Pool("another", 0, kind));
      with.pools.back().is_internal = false;
      check(with, with.pools.size() - 1, std::stoll(offer));
    }
  }
  return pools;
}

CompileOptions RandomOptions(uint32_t seed) {
  Random random(seed * 131);
  CompileOptions options{.model_name = fmt::format("m{}", seed),
                         .plan = {.max_steps = 5000},
                         .debug = DebugMode::kPoison};
  if (random.Int(0, 1) == 0) options.io = IoPlacement::kWorkspace;
  for (int32_t i = random.Int(1, 3); i > 0; --i) {
    options.pools.push_back(Pool(fmt::format("p{}", i), random.Int(30, 300)));
    options.pools.back().is_internal = random.Int(0, 1) == 0;
    options.pools.back().alignment = Bytes{1} << random.Int(2, 6);
  }
  for (int32_t i = random.Int(0, 2); i > 0; --i) {
    options.pools.push_back(Pool(fmt::format("c{}", i), random.Int(50, 1500), PoolKind::kConstant));
    options.pools.back().is_internal = random.Int(0, 1) == 0;
    options.pools.back().in_ram = options.pools.back().is_internal && random.Int(0, 1) == 0;
  }
  return options;
}

// A legal plan that is right while every dead byte is overwritten, or a refusal that is true.
TEST(DoesNotFit, RandomModelsInRandomPools) {
  std::vector<HostModel> compiled;
  std::vector<Request> requests;
  std::vector<oracle::Model> models;
  Random random(3);
  int refused = 0, pools = 0;
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    const oracle::Model net = RandomNet(oracle::Type::kInt8, seed);
    const std::vector<uint8_t> file = ToTflite(net);
    const CompileOptions options = RandomOptions(seed);
    auto model = Compile(file, options);
    if (!model) {
      ++refused;
      EXPECT_EQ(model.error().code, ErrorCode::kDoesNotFit);
      pools += ExpectTruePools(file, options, ErrorText(model.error()));
      continue;
    }
    requests.push_back({.model = compiled.size()});
    for (int32_t input : net.inputs) {
      requests.back().inputs.push_back(RandomData(net.tensors[static_cast<size_t>(input)], random));
    }
    models.push_back(net);
    compiled.push_back({.symbol = "tvmgen_" + options.model_name, .compiled = std::move(*model)});
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(pools, 10);
  ASSERT_GT(models.size(), 5);
  HostProgram program;
  ASSERT_EQ(program.Build(std::move(compiled), {}), "");
  std::string complaint;
  const std::vector<Response> responses = program.Run(requests, &complaint);
  ASSERT_EQ(complaint, "");
  for (size_t i = 0; i < responses.size(); ++i) {
    SCOPED_TRACE(program.models()[i].symbol);
    const auto expected = oracle::Run(models[i], requests[i].inputs);
    EXPECT_EQ(responses[i].code, 0);
    for (size_t k = 0; k < models[i].outputs.size(); ++k) {
      EXPECT_EQ(responses[i].outputs[k], expected[static_cast<size_t>(models[i].outputs[k])]);
    }
  }
}

}  // namespace
}  // namespace usmp::testing
