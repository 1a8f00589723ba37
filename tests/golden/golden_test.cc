// The generated text, against the files of expected/: a folder for each case. After a change that
// is meant, USMP_REBASE=1 rewrites them, and the difference is reviewed like any other.
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <locale>
#include <map>
#include <string>
#include <vector>

#include "e2e/compare.h"
#include "e2e/interface_cases.h"
#include "e2e/net.h"
#include "e2e/to_tflite.h"
#include "support/files.h"
#include "usmp/compile.h"

namespace usmp::testing {
namespace {

namespace fs = std::filesystem;
using oracle::Model;
using oracle::Type;

Model Convolution() {
  Net net(Type::kInt8);
  const int32_t x = net.Input({1, 4, 4, 1}, "serving_default_x:0");
  const int32_t y = net.Unary("SOFTMAX", net.Dense(net.Reshape(net.Conv(x, 2, 3, 2), {1, 8}), 3));
  net.Rename(y, "StatefulPartitionedCall:0");
  return net.Finish({y});
}

Model FloatBranches() {
  Net net(Type::kFloat32);
  const int32_t x = net.Input({1, 2, 2, 2});
  const int32_t a = net.Conv(x, 2, 1), b = net.Depthwise(x, 3);
  return net.Finish({net.Add(a, b), net.Unary("TANH", net.Concat({a, x}, 3))});
}

Model OddNames() {
  Net net(Type::kInt8);
  const int32_t a = net.Input({1, 3}, "int"), b = net.Input({1, 3}, "a*/b");
  const int32_t y = net.Add(a, b);
  net.Rename(y, "");
  return net.Finish({y, y, a});
}

Model Separable() {
  Net net(Type::kInt8);
  const int32_t x = net.Conv(net.Input({1, 12, 12, 1}), 6, 3);
  return net.Finish({net.Pool("AVERAGE_POOL_2D", net.Conv(net.Depthwise(x, 3), 8, 1), 12, 12)});
}

Model SmallWindows() {
  Net net(Type::kInt8);
  return net.Finish({net.Conv(net.Conv(net.Input({1, 9, 4, 1}), 2, 3), 3, 3)});
}

struct Case {
  std::string name{};
  std::vector<Model> models{};
  CompileOptions options{};  // of each; several models are numbered
};

std::vector<Case> Cases() {
  std::vector<Case> cases = {
      {"convolution", {Convolution()}, {.model_name = "convolution"}},
      {"float_branches", {FloatBranches()}, {.model_name = "float_branches"}},
      {"odd_names", {OddNames()}, {.model_name = "odd names"}},
      {"poison", {FloatBranches()}, {.model_name = "poison", .debug = DebugMode::kPoison}},
      {"external_pool", {FloatBranches()}, {.model_name = "external_pool"}}};
  cases.back().options.pools = {
      {.pool_name = "sram", .size_hint_bytes = 4096, .is_internal = false},
      {.pool_name = "flash", .kind = PoolKind::kConstant, .section = ".rodata.weights"}};
  cases.push_back({"workspace_io", {FloatBranches()}, cases.back().options});
  cases.back().options.model_name = "workspace_io";
  cases.back().options.io = IoPlacement::kWorkspace;
  cases.push_back({"mixed_io", {OddNames()}, cases.back().options});
  cases.back().options.model_name = "mixed_io";
  cases.back().options.io_tensors = {{"input:1", IoPlacement::kWorkspace, "sram", true},
                                     {"output:0", IoPlacement::kCaller}};
  cases.push_back({"two_models", {Convolution(), FloatBranches()}, {.model_name = "m"}});
  cases.push_back({"constant_pools", {Convolution()}, {.model_name = "constant_pools"}});
  cases.back().options.pools = {
      {.pool_name = "flash", .kind = PoolKind::kConstant, .alignment = 32, .is_internal = false},
      {.pool_name = "fast", .kind = PoolKind::kConstant, .in_ram = true}};
  cases.back().options.constants = {{"*FULLY_CONNECTED*", {"fast"}}};
  cases.push_back({"row_by_row", {Separable()}, {.model_name = "row_by_row"}});
  cases.push_back({"io_by_rows", {SmallWindows()}, {.model_name = "io_by_rows"}});
  cases.back().options.io_tensors = {{"input:0", IoPlacement::kRows},
                                     {"output:0", IoPlacement::kRows}};
  return cases;
}

using Files = std::map<std::string, std::string>;

// What depends on the model: the runtime's own files are tested elsewhere.
Files Generate(const Case& c) {
  Files files;
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<ModelSource> sources;
  for (const Model& model : c.models) bytes.push_back(ToTflite(model));
  for (size_t i = 0; i < bytes.size(); ++i) {
    sources.push_back({bytes[i], c.options});
    if (i > 0) sources.back().options.model_name += std::to_string(i);
  }
  const auto model = CompileTogether(sources, ModelSharing::kExclusive);
  if (!model) {
    ADD_FAILURE() << c.name << ErrorText(model.error());
    return files;
  }
  for (const GeneratedFile& file : model->files) {
    if (!file.path.starts_with("usmp/")) files[file.path] = file.content;
  }
  files["report.json"] = ReportToJson(model->report);
  return files;
}

Files ReadFolder(const fs::path& folder) {
  Files files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files[entry.path().filename().string()] = ReadText(entry.path());
  }
  return files;
}

void Rebase(const fs::path& folder, const Files& files) {
  fs::remove_all(folder);
  for (const auto& [path, content] : files) WriteFile(folder / path, content);
}

std::string ReplaceAll(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Types and functions: what stands between the macros of tensors and those of memory.
std::string ApiOf(const std::string& header) {
  const size_t begin = std::min(header.find("\nstruct "), header.find("\n/*! ")) + 1;
  return header.substr(begin, header.find("/*! \\brief Bytes of working memory") - begin);
}

// One file for each interface and device: the API of all its cases, of their last model.
Files GenerateInterfaces() {
  Files files;
  for (const InterfaceCase& c : InterfaceCases()) {
    const auto compiled = CompileCase(c, ScenarioOf(c));
    if (!compiled) {
      ADD_FAILURE() << c.name << ErrorText(compiled.error());
      continue;
    }
    const std::string header = c.name + (c.models == 1 ? "_m0.h" : "_m1.h");
    const auto file = std::ranges::find(compiled->files, header, &GeneratedFile::path);
    const std::string group = c.name.substr(0, c.name.find('_')) + (c.has_device ? "_npu" : "");
    files[group + ".h"] +=
        "/* ---- " + c.name + " ---- */\n" + ReplaceAll(ApiOf(file->content), c.name, "tvmgen");
  }
  return files;
}

class Golden : public ::testing::TestWithParam<Case> {};

void ExpectFiles(const std::string& name, const Files& ours) {
  const fs::path folder = fs::path(USMP_GOLDEN_DIR) / name;
  const char* rebase = std::getenv("USMP_REBASE");
  if (rebase != nullptr && std::string(rebase) == "1") Rebase(folder, ours);
  const Files expected = ReadFolder(folder);
  for (const auto& [path, content] : expected) {
    ASSERT_TRUE(ours.contains(path)) << path << " is not generated any more";
    EXPECT_EQ(ours.at(path), content)
        << path << "; if that is meant: USMP_REBASE=1 ctest -R Golden";
  }
  EXPECT_EQ(ours.size(), expected.size()) << "more files are generated than the folder has";
}

TEST_P(Golden, IsWhatTheFilesSay) { ExpectFiles(GetParam().name, Generate(GetParam())); }

TEST(GoldenInterfaces, AreWhatTheFilesSay) { ExpectFiles("interfaces", GenerateInterfaces()); }

TEST_P(Golden, IsTheSameTwice) { EXPECT_EQ(Generate(GetParam()), Generate(GetParam())); }

// German numbers: a comma before the decimals, a point between thousands.
class CommaDecimals : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_P(Golden, IsTheSameUnderAnotherLocale) {
  const Files expected = Generate(GetParam());
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaDecimals));
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;  // where the machine has one
  }
  const Files ours = Generate(GetParam());
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  EXPECT_EQ(ours, expected);
}

INSTANTIATE_TEST_SUITE_P(All, Golden, ::testing::ValuesIn(Cases()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace usmp::testing
