// Every combination of what the generated interface depends on.
#ifndef USMP_TESTS_E2E_INTERFACE_CASES_H_
#define USMP_TESTS_E2E_INTERFACE_CASES_H_

#include <string>
#include <vector>

#include "e2e/scenario.h"
#include "usmp/compile.h"

namespace usmp::testing {

enum class Tensors : uint8_t { kCaller, kWorkspace, kMixed };

struct InterfaceCase {
  std::string name{};  // "packed_external_mixed_two_npu": the prefix of its symbols
  InterfaceApi api{};
  bool is_external = false;
  Tensors tensors{};
  size_t models = 1;  // Gate, then Chain: m0, m1
  bool has_device = false;
};
std::vector<InterfaceCase> InterfaceCases();

Scenario ScenarioOf(const InterfaceCase& c);
Result<CompiledModel> CompileCase(const InterfaceCase& c, const Scenario& run);

}  // namespace usmp::testing

#endif  // USMP_TESTS_E2E_INTERFACE_CASES_H_
