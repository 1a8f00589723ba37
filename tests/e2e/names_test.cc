// Tensor names of all kinds become valid, distinct identifiers, and never leave a comment or a
// string.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "e2e/compare.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"

namespace usmp::testing {
namespace {

using oracle::Model;
using oracle::Type;

const std::string kOddNames[] = {
    "serving_default_x:0",
    "block/conv;relu",
    "two words",
    "1st",
    "",
    "int",
    "class",
    "output",
    "input",
    "inputs",
    "outputs",
    "WORKSPACE",
    "workspace",
    "workspace_pools",
    "void",
    "NULL",
    "INT8_MAX",
    "M_PI",
    "main",
    "memset",
    "uint8_t",
    "usmp_relu_s8",
    "struct tvmgen",
    "\xC3\xA9t\xC3\xA9 \xE6\xBC\xA2\xE5\xAD\x97",
    "comment */ int broken; /* end",
    "// line\\",
    "backslash\\\nnewline",
    "trigraph ?\?/\n?\?) ?\?> end",
    "quote \" and ' and %s %d {} {0}",
    "tab\tnewline\nreturn\r bell\a",
    std::string("nul\0byte", 8),
    std::string(3000, 'x'),
    "_",
    "__",
    "a__b",
    "\xFF\xFE invalid",
    "$dollar",
    "#define x",
};

// The name on an input, on a tensor in the middle, on a constant and on an output.
Model Named(const std::string& name, Type type) {
  Net net(type);
  const int32_t x = net.Input({1, 4}, name);
  const int32_t c = net.Constant({1, 4});
  const int32_t middle = net.Add(x, c);
  const int32_t y = net.Unary("RELU", middle);
  for (int32_t tensor : {c, middle, y}) net.Rename(tensor, name);
  return net.Finish({y});
}

TEST(Names, OddOnesCompileAndRun) {
  std::vector<Model> models;
  for (const std::string& name : kOddNames) models.push_back(Named(name, Type::kInt8));
  ExpectOracleOutputs(models);
}

TEST(Names, ManyInputsOfTheSameName) {
  std::vector<Model> models;
  for (const std::string& name : kOddNames) {
    Net net(Type::kInt8);
    std::vector<int32_t> parts;
    for (int32_t size : {1, 2, 3}) parts.push_back(net.Input({size}, name));
    parts.push_back(net.Input({4}, name + "_1"));
    const int32_t joined = net.Concat(parts, 0);
    const int32_t again = net.Unary("RELU", joined);
    net.Rename(joined, name);
    net.Rename(again, name);
    models.push_back(net.Finish({joined, again}));
  }
  ExpectOracleOutputs(models);
}

TEST(Names, AllOddOnesInOneModel) {
  Net net(Type::kInt8);
  std::vector<int32_t> parts;
  for (const std::string& name : kOddNames) parts.push_back(net.Input({2}, name));
  const int32_t joined = net.Concat(parts, 0);
  std::vector<int32_t> outputs;
  for (const std::string& name : kOddNames) {
    outputs.push_back(net.Unary("RELU", joined));
    net.Rename(outputs.back(), name);
  }
  ExpectOracleOutputs({net.Finish(outputs)});
}

// The rules that users see: docs/generated-c.md.
TEST(Names, FollowTheContract) {
  const struct {
    std::string name;
    std::string identifier;
  } cases[] = {{"input_1", "input_1"},
               {"serving_default_x:0", "serving_default_x_0"},
               {"Case", "Case"},
               {"1st", "_1st"},
               {"int", "_int"},
               {std::string(300, 'x'), std::string(200, 'x')},
               {"StatefulPartitionedCall/a:b;c", "StatefulPartitionedCall_a_b_c"}};
  for (const auto& c : cases) {
    const auto model = Compile(ToTflite(Named(c.name, Type::kInt8)), {.model_name = "m"});
    ASSERT_TRUE(model) << ErrorText(model.error());
    EXPECT_EQ(model->report.models[0].inputs[0].identifier, c.identifier);
    EXPECT_EQ(model->report.models[0].inputs[0].name, c.name);
  }
}

TEST(Names, UnnamedOutputs) {
  Net one(Type::kInt8);
  const int32_t y = one.Unary("RELU", one.Input({2}, "x"));
  one.Rename(y, "");
  const auto single = Compile(ToTflite(one.Finish({y})), {.model_name = "m"});
  ASSERT_TRUE(single) << ErrorText(single.error());
  EXPECT_EQ(single->report.models[0].outputs[0].identifier, "output");

  Net two(Type::kInt8);
  const int32_t x = two.Input({2}, "x");
  const int32_t a = two.Unary("RELU", x), b = two.Unary("RELU6", x);
  two.Rename(a, "");
  two.Rename(b, "");
  const auto both = Compile(ToTflite(two.Finish({a, b})), {.model_name = "m"});
  ASSERT_TRUE(both) << ErrorText(both.error());
  EXPECT_EQ(both->report.models[0].outputs[0].identifier, "output0");
  EXPECT_EQ(both->report.models[0].outputs[1].identifier, "output1");
}

TEST(Names, ModelNamesBecomePartsOfIdentifiers) {
  for (const char* name : {"my model", "1", "a-b.c", "int", "\xC3\xA9", "UPPER", "x*/y"}) {
    const auto model = Compile(ToTflite(Named("x", Type::kInt8)), {.model_name = name});
    ASSERT_TRUE(model) << ErrorText(model.error());
    TemporaryFolder folder;
    WriteFiles(folder.path(), model->files);
    const CommandResult built = RunCommand("cd " + Quoted(folder.path().string()) + " && cc " +
                                           kStrictFlags + " -c tvmgen_*.c -o model.o");
    EXPECT_EQ(built.exit_code, 0) << name << built.output;
  }
}

}  // namespace
}  // namespace usmp::testing
