// Every form of the interface: pools of ours or of the caller, tensors of the caller, in the
// workspace or some of each, one or two models, structs, packed arguments or modules, with and
// without a device. The same bytes come out of all of them: the oracle's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "e2e/application.h"
#include "e2e/compare.h"
#include "e2e/interface_cases.h"

namespace usmp::testing {
namespace {

// Cases in one application, one after another.
class Program {
 public:
  void Add(const InterfaceCase& c) {
    const Scenario run = ScenarioOf(c);
    const auto compiled = CompileCase(c, run);
    ASSERT_TRUE(compiled) << c.name << ErrorText(compiled.error());
    WriteFiles(folder_.path() / c.name, compiled->files);
    folders_ += " -I" + c.name;
    std::vector<std::string> symbols;
    for (size_t i = 0; i < c.models; ++i) symbols.push_back(fmt::format("{}_m{}", c.name, i));
    ApplicationOptions options{.api = c.api, .function = c.name + "_main"};
    if (c.has_device) options.devices = {"npu"};
    text_ += ApplicationSource(*compiled, symbols, run.inputs, options);
    main_ += fmt::format("  puts(\"{0}\");\n  if ({0}_main() != 0) return 1;\n", c.name);
    expected_ += c.name + "\n";
    for (const std::string& lines : run.expected) expected_ += lines;
    expected_ += run.expected[0];  // once more, without writing precious inputs
  }

  void ExpectOutputs(bool has_device) {
    WriteFile(folder_.path() / "main.c",
              ApplicationPrologue() + text_ + "int main(void) {\n" + main_ + "  return 0;\n}\n");
    const std::string functions =
        has_device ? Quoted(USMP_HARNESS_DIR) + "/offload_functions.c" : "";
    const CommandResult result = RunCommand(fmt::format(
        "cd {} && cc {} {} {} main.c */*.c {} -lm -o app && ./app", Quoted(folder_.path().string()),
        kStrictFlags, kSanitizedFlags, folders_, functions));
    EXPECT_EQ(result.output, expected_);
    EXPECT_EQ(result.exit_code, 0);
  }

 private:
  TemporaryFolder folder_{};
  std::string folders_{}, text_{}, main_{}, expected_{};
};

struct Group {
  InterfaceApi api{};
  bool has_device = false;
};

class Interfaces : public ::testing::TestWithParam<Group> {};

TEST_P(Interfaces, GiveTheSameBytes) {
  Program program;
  int count = 0;
  for (const InterfaceCase& c : InterfaceCases()) {
    if (c.api != GetParam().api || c.has_device != GetParam().has_device) continue;
    program.Add(c);
    ++count;
  }
  EXPECT_EQ(count, 12);
  program.ExpectOutputs(GetParam().has_device);
}

INSTANTIATE_TEST_SUITE_P(
    All, Interfaces,
    ::testing::Values(Group{InterfaceApi::kC, false}, Group{InterfaceApi::kC, true},
                      Group{InterfaceApi::kPacked, false}, Group{InterfaceApi::kPacked, true},
                      Group{InterfaceApi::kModule, false}, Group{InterfaceApi::kModule, true}));

}  // namespace
}  // namespace usmp::testing
