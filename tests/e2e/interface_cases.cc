#include "e2e/interface_cases.h"

#include <fmt/format.h>

namespace usmp::testing {
namespace {

std::string NameOf(const InterfaceCase& c) {
  constexpr const char* kApis[] = {"c", "packed", "module"};
  constexpr const char* kTensors[] = {"caller", "workspace", "mixed"};
  return fmt::format("{}_{}_{}_{}{}", kApis[static_cast<int>(c.api)],
                     c.is_external ? "external" : "internal", kTensors[static_cast<int>(c.tensors)],
                     c.models == 1 ? "one" : "two", c.has_device ? "_npu" : "");
}

CompileOptions OptionsOf(const InterfaceCase& c, size_t model) {
  CompileOptions options{.model_name = fmt::format("m{}", model),
                         .prefix = c.name,
                         .interface = c.api,
                         .debug = DebugMode::kPoison};
  if (c.has_device) {
    options.offloads = {{"CONV_2D", "plain_conv", 40, "npu"}};
    options.devices = {"npu"};
  }
  if (c.is_external) {
    // Too small for everything: the rest goes to the second.
    options.pools = {{.pool_name = "tcm", .size_hint_bytes = 150, .is_internal = false},
                     {.pool_name = "sram", .is_internal = false},
                     {.pool_name = "flash", .kind = PoolKind::kConstant, .is_internal = false}};
  }
  if (c.tensors == Tensors::kWorkspace) options.io = IoPlacement::kWorkspace;
  if (c.tensors == Tensors::kMixed) {
    options.io_tensors = {{"input:0", IoPlacement::kWorkspace, "", true},
                          {"output:0", IoPlacement::kWorkspace}};
  }
  return options;
}

}  // namespace

std::vector<InterfaceCase> InterfaceCases() {
  std::vector<InterfaceCase> cases;
  for (InterfaceApi api : {InterfaceApi::kC, InterfaceApi::kPacked, InterfaceApi::kModule}) {
    for (bool has_device : {false, true}) {
      for (bool is_external : {false, true}) {
        for (Tensors tensors : {Tensors::kCaller, Tensors::kWorkspace, Tensors::kMixed}) {
          for (size_t models : {size_t{1}, size_t{2}}) {
            cases.push_back({"", api, is_external, tensors, models, has_device});
            cases.back().name = NameOf(cases.back());
          }
        }
      }
    }
  }
  return cases;
}

Scenario ScenarioOf(const InterfaceCase& c) {
  std::vector<oracle::Model> models = {Gate(), Chain()};
  models.resize(c.models);
  return MakeScenario(std::move(models));
}

Result<CompiledModel> CompileCase(const InterfaceCase& c, const Scenario& run) {
  std::vector<CompileOptions> options;
  for (size_t i = 0; i < c.models; ++i) options.push_back(OptionsOf(c, i));
  return CompileAll(run, options, ModelSharing::kExclusive);
}

}  // namespace usmp::testing
