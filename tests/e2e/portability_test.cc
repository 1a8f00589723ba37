// The generated C compiles without a warning everywhere: gcc and clang, the header as C++, and
// Cortex-M.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"

namespace usmp::testing {
namespace {

using oracle::Model;
using oracle::Type;

// Every kernel there is, in few models.
std::vector<Model> EveryKernel() {
  std::vector<Model> models;
  for (Type type : {Type::kInt8, Type::kFloat32}) {
    Net net(type);
    const int32_t x = net.Input({1, 8, 8, 3}, "serving_default_x:0");
    int32_t y = net.Conv(net.Pad(x, 1), 8, 3, 2);
    y = net.Add(net.Depthwise(y, 3), net.Conv(y, 8, 1));
    y = net.Binary("SUB", net.Pool("MAX_POOL_2D", y, 2, 2), net.Pool("AVERAGE_POOL_2D", y, 2, 2));
    y = net.Unary("RELU6", net.Unary("RELU", net.Binary("MUL", y, net.Constant({8}))));
    const int32_t shape = net.ShapeOf(y)[1] * net.ShapeOf(y)[2] * 8;
    y = net.Dense(net.Reshape(net.Concat({y, y}, 3), {1, 2 * shape}), 10);
    models.push_back(
        net.Finish({net.Unary("SOFTMAX", y), net.Unary("LOGISTIC", y), net.Unary("TANH", y)}));
    models.push_back(MeanModel(Activations({1, 4, 4, 3}, type), {1, 2}, false, {0.1F, 3}));
    models.push_back(PadModel(Activations({2, 3}, type), {1, 0, 0, 1},
                              type == Type::kInt8 ? oracle::Data{5} : oracle::FromFloats({1.5F})));
    Random random(9);
    models.push_back(
        WindowModel({.type = type, .channels = 6, .out_channels = 4, .groups = 2}, random));
    models.push_back(WindowModel(
        {.kind = "DEPTHWISE_CONV_2D", .type = type, .depth_multiplier = 3, .per_channel = false},
        random));
    models.push_back(
        WindowModel({.type = type, .height = 20, .filter_h = 18, .dilation_w = 2}, random));
    models.push_back(BinaryModel({.type = type, .a = {2, 1, 4}, .b = {3, 1}}, random));
  }
  const auto quantized = [](Type type) { return Activations({8}, type, {0.1F, 3}); };
  const std::pair<const char*, std::pair<Type, Type>> conversions[] = {
      {"QUANTIZE", {Type::kFloat32, Type::kInt8}},
      {"QUANTIZE", {Type::kInt8, Type::kUInt8}},
      {"QUANTIZE", {Type::kUInt8, Type::kInt8}},
      {"QUANTIZE", {Type::kInt8, Type::kInt8}},
      {"DEQUANTIZE", {Type::kInt8, Type::kFloat32}},
      {"DEQUANTIZE", {Type::kUInt8, Type::kFloat32}}};
  for (const auto& [kind, types] : conversions) {
    models.push_back(UnaryModel(kind, quantized(types.first), quantized(types.second)));
  }
  return models;
}

class Portability : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const std::vector<Model> models = EveryKernel();
    for (size_t i = 0; i < models.size(); ++i) {
      const auto compiled = Compile(ToTflite(models[i]), {.model_name = fmt::format("m{}", i)});
      ASSERT_TRUE(compiled) << DescribeModel(models[i]) << ErrorText(compiled.error());
      WriteFiles(folder_->path(), compiled->files);
      WriteFile(
          folder_->path() / fmt::format("cpp{}.cc", i),
          fmt::format("#include \"tvmgen_m{0}.h\"\n"
                      "int main() {{ tvmgen_m{0}_inputs in{{}}; tvmgen_m{0}_outputs out{{}};\n"
                      "  return tvmgen_m{0}_run(&in, &out); }}\n",
                      i));
    }
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  // Compiles every file of the pattern with the command.
  static void ExpectClean(const std::string& command, const std::string& files) {
    const std::string compiler = command.substr(0, command.find(' '));
    if (RunCommand("command -v " + compiler).exit_code != 0)
      GTEST_SKIP() << compiler << " is absent";
    const CommandResult result =
        RunCommand(fmt::format("cd {} && ls {} | xargs -P2 -I@ {} -c @ -o @.o",
                               Quoted(folder_->path().string()), files, command));
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.output;
  }

  static TemporaryFolder* folder_;
};
TemporaryFolder* Portability::folder_ = nullptr;

constexpr const char* kCpp = " -std=c++17 -Wall -Wextra -Wpedantic -Werror";

TEST_F(Portability, Gcc) { ExpectClean(std::string("gcc -O2 ") + kStrictFlags, "tvmgen_*.c"); }
TEST_F(Portability, GccWithoutOptimization) {
  ExpectClean(std::string("gcc -O0 ") + kStrictFlags, "tvmgen_*.c");
}
TEST_F(Portability, Clang) { ExpectClean(std::string("clang -O2 ") + kStrictFlags, "tvmgen_*.c"); }
TEST_F(Portability, HeaderAsCppGcc) { ExpectClean(std::string("g++") + kCpp, "cpp*.cc"); }
TEST_F(Portability, HeaderAsCppClang) { ExpectClean(std::string("clang++") + kCpp, "cpp*.cc"); }

class PortabilityToCortexM : public Portability,
                             public ::testing::WithParamInterface<const char*> {};

TEST_P(PortabilityToCortexM, Compiles) {
  ExpectClean(fmt::format("arm-none-eabi-gcc -mcpu={} -mthumb -O2 {}", GetParam(), kStrictFlags),
              "tvmgen_*.c");
}

INSTANTIATE_TEST_SUITE_P(All, PortabilityToCortexM,
                         ::testing::Values("cortex-m0", "cortex-m4", "cortex-m7", "cortex-m55"),
                         [](const auto& row) { return std::string(row.param).replace(6, 1, "_"); });

}  // namespace
}  // namespace usmp::testing
