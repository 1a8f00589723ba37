// Models with inputs, and what an application must print that runs them.
#ifndef USMP_TESTS_E2E_SCENARIO_H_
#define USMP_TESTS_E2E_SCENARIO_H_

#include <string>
#include <vector>

#include "oracle/model.h"
#include "support/host_program.h"
#include "usmp/compile.h"

namespace usmp::testing {

// Two inputs, one of them read at the start and at the end, one never; three outputs: one is read
// again, one is that same tensor, one is an input.
oracle::Model Gate();
oracle::Model Chain();  // three convolutions

struct Scenario {
  std::vector<oracle::Model> models{};
  std::vector<std::vector<TensorBytes>> inputs{};
  std::vector<std::string> expected{};  // by model: the lines that it prints
};

Scenario MakeScenario(std::vector<oracle::Model> models);

// `options`: by model.
Result<CompiledModel> CompileAll(const Scenario& run, const std::vector<CompileOptions>& options,
                                 ModelSharing sharing);

}  // namespace usmp::testing

#endif  // USMP_TESTS_E2E_SCENARIO_H_
