// Constants in pools: the generated C gives the oracle's outputs wherever they are, and the C that
// fills a pool is the caller's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"
#include "oracle/oracle.h"

namespace usmp::testing {
namespace {

oracle::Model Layers(oracle::Type type) {
  Net net(type);
  const int32_t x = net.Input({1, 6, 6, 2}, "x");
  const int32_t a = net.Conv(x, 4, 3);
  return net.Finish({net.Dense(net.Reshape(net.Depthwise(a, 3), {1, 144}), 5)});
}

PoolInfo ConstantPool(const std::string& name) {
  return {.pool_name = name, .kind = PoolKind::kConstant, .is_internal = false};
}

struct Placement {
  std::string name{};
  std::vector<PoolInfo> pools{};
  std::vector<ConstantPlacement> constants{};
};

std::vector<Placement> Placements() {
  PoolInfo bounded = ConstantPool("fast");
  bounded.size_hint_bytes = 200;
  PoolInfo internal = ConstantPool("tables");
  internal.is_internal = true;
  PoolInfo ram = internal;
  ram.pool_name = "ram";
  ram.in_ram = true;
  PoolInfo wide = ConstantPool("wide");
  wide.alignment = 64;
  PoolInfo in_section = internal;
  in_section.section = ".rodata.weights";
  return {{"caller", {ConstantPool("flash")}},
          {"wide", {wide}},
          {"fallback", {bounded, ConstantPool("flash")}},
          {"mixed", {bounded, internal}},
          {"ram", {internal, ram}, {{"*DEPTHWISE*", {"ram"}}}},
          {"section", {in_section}},
          {"chosen", {internal, ConstantPool("flash")}, {{"*FULLY*", {"flash"}}}}};
}

const ReportPool& PoolOf(const Report& report, const ReportBuffer& buffer) {
  return report.pools[static_cast<size_t>(buffer.allocation.pool)];
}

TEST(Constants, EveryPlacementGivesTheOraclesOutputs) {
  std::vector<HostModel> compiled;
  std::vector<oracle::Model> models;
  for (const oracle::Type type : {oracle::Type::kInt8, oracle::Type::kFloat32}) {
    for (const Placement& placement : Placements()) {
      models.push_back(Layers(type));
      const std::string name = fmt::format("{}_{}", placement.name, static_cast<int>(type));
      auto model =
          Compile(ToTflite(models.back()),
                  {.model_name = name, .pools = placement.pools, .constants = placement.constants});
      ASSERT_TRUE(model) << name << ErrorText(model.error());
      compiled.push_back({.symbol = "tvmgen_" + name, .compiled = std::move(*model)});
    }
  }
  HostProgram program;
  ASSERT_EQ(program.Build(std::move(compiled), {}), "");
  Random random(7);
  std::vector<Request> requests;
  for (size_t i = 0; i < models.size(); ++i) {
    const auto input = static_cast<size_t>(models[i].inputs[0]);
    requests.push_back({i, {RandomData(models[i].tensors[input], random)}});
  }
  std::string complaint;
  const std::vector<Response> responses = program.Run(requests, &complaint);
  ASSERT_EQ(complaint, "");
  for (size_t i = 0; i < responses.size(); ++i) {
    SCOPED_TRACE(program.models()[i].symbol);
    const auto expected = oracle::Run(models[i], requests[i].inputs);
    const auto output = static_cast<size_t>(models[i].outputs[0]);
    if (models[i].tensors[output].type == oracle::Type::kInt8) {
      EXPECT_EQ(responses[i].outputs[0], expected[output]);
    } else {
      EXPECT_EQ(FirstFloatDifference(responses[i].outputs[0], expected[output], 1e-5), "");
    }
  }
}

TEST(Constants, GoToTheFirstPoolWithRoom) {
  const std::vector<Placement> all = Placements();
  const auto model = Compile(ToTflite(Layers(oracle::Type::kInt8)), {.pools = all[2].pools});
  ASSERT_TRUE(model);
  const Report& report = model->report;
  EXPECT_GT(report.pools[0].bytes, 0);
  EXPECT_LE(report.pools[0].bytes, 200);
  EXPECT_GT(report.pools[1].bytes, 0);
}

TEST(Constants, InRamCountAsRam) {
  const auto flash = Compile(ToTflite(Layers(oracle::Type::kInt8)), {});
  const Placement ram = Placements()[4];
  const auto model = Compile(ToTflite(Layers(oracle::Type::kInt8)),
                             {.pools = ram.pools, .constants = ram.constants});
  ASSERT_TRUE(flash && model);
  Bytes weights = 0;  // of the depthwise convolution; its tables are there too
  for (const ReportBuffer& buffer : model->report.buffers) {
    if (PoolOf(model->report, buffer).name == "ram") weights += buffer.bytes;
  }
  EXPECT_GE(weights, 3 * 3 * 4);
  EXPECT_GE(model->report.total_ram_bytes, flash->report.total_ram_bytes + weights);
  EXPECT_EQ(model->report.ram_constant_bytes,
            model->report.total_ram_bytes - flash->report.total_ram_bytes);
}

// The bytes of a file for each pool are those that the macro has.
TEST(Constants, ImageIsTheMacrosBytes) {
  const auto model = Compile(ToTflite(Layers(oracle::Type::kFloat32)),
                             {.model_name = "m", .pools = {ConstantPool("flash")}});
  ASSERT_TRUE(model);
  TemporaryFolder folder;
  WriteFiles(folder.path(), model->files);
  WriteFile(folder.path() / "main.c",
            "#include <stdio.h>\n#include \"tvmgen_m.h\"\n"
            "static const unsigned char bytes[] = {TVMGEN_M_FLASH_CONSTANT_POOL_DATA};\n"
            "_Static_assert(sizeof bytes == TVMGEN_M_FLASH_CONSTANT_POOL_SIZE, \"all\");\n"
            "int main(void) { return fwrite(bytes, sizeof bytes, 1, stdout) != 1; }\n");
  const CommandResult result = RunCommand(
      fmt::format("cd {} && cc {} main.c -o main && ./main > bytes && cmp bytes tvmgen_m_flash.bin",
                  Quoted(folder.path().string()), kStrictFlags));
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

// Two layers with one set of weights: it is stored once.
TEST(Constants, IdenticalOnesAreStoredOnce) {
  Net net(oracle::Type::kFloat32);
  const int32_t x = net.Input({1, 8});
  oracle::Model model = net.Finish({net.Dense(net.Dense(x, 8), 8)});
  const auto once = Compile(ToTflite(model), {});
  oracle::Op& second = model.ops[1];
  for (size_t i = 1; i < second.inputs.size(); ++i) {
    const auto from = static_cast<size_t>(model.ops[0].inputs[i]);
    model.tensors[static_cast<size_t>(second.inputs[i])].data = model.tensors[from].data;
  }
  const auto shared = Compile(ToTflite(model), {});
  ASSERT_TRUE(once && shared);
  EXPECT_EQ(2 * shared->report.constant_bytes, once->report.constant_bytes);
  ExpectOracleOutputs({model});
}

TEST(Constants, Errors) {
  const auto model = ToTflite(Layers(oracle::Type::kInt8));
  const auto fails = [&](const CompileOptions& options, const std::string& says) {
    const auto result = Compile(model, options);
    ASSERT_FALSE(result) << says;
    EXPECT_NE(ErrorText(result.error()).find(says), std::string::npos) << ErrorText(result.error());
  };
  fails({.constants = {{"*", {"nowhere"}}}}, "no constant pool 'nowhere'");
  fails({.constants = {{"nothing", {"global_const_workspace"}}}}, "no constant has this name");
  fails({.constants = {{"*", {"global_workspace"}}}}, "no constant pool 'global_workspace'");
  fails({.pools = {{.pool_name = "sram", .in_ram = true}}}, "is in RAM anyway");
  fails({.pools = {ConstantPool("inputs")}}, "the name is taken");
}

}  // namespace
}  // namespace usmp::testing
