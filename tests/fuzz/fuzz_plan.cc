// Any text as a planning problem: it is refused with diagnostics, or planned legally and written
// back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "usmp/plan_io.h"

namespace {

constexpr size_t kMaxBuffers = 64;
constexpr usmp::PlanOptions kOptions = {.max_steps = 100};

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz_plan: %s\n", what);
  std::abort();
}

template <class T>
void RequireDiagnostics(const usmp::Result<T>& result) {
  Require(!result.error().diagnostics.empty(), "an error has no diagnostic");
  for (const usmp::Diagnostic& diagnostic : result.error().diagnostics) {
    Require(!diagnostic.where.empty() && !diagnostic.message.empty(), "a diagnostic is empty");
  }
}

void RequireProblemSurvivesJson(const usmp::PlanProblem& problem) {
  const std::string text = ProblemToJson(problem);
  const auto again = usmp::ParseProblemJson(text, "again");
  Require(again.has_value(), "a written problem cannot be read");
  Require(ProblemToJson(*again) == text, "a written problem is read differently");
}

void RequirePlanSurvives(const usmp::PlanProblem& problem, const usmp::Plan& plan, bool is_json) {
  const auto again = is_json ? usmp::ParsePlanJson(PlanToJson(problem, plan), "again", problem)
                             : usmp::ParsePlanCsv(PlanToCsv(problem, plan), "again", problem);
  Require(again.has_value(), "a written plan cannot be read");
  Require(again->allocations == plan.allocations, "a written plan is read differently");
  Require(VerifyPlan(problem, *again).has_value(), "a plan that was read is not legal");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool is_json = text.starts_with("{");
  const auto problem = is_json ? usmp::ParseProblemJson(text, "input.json")
                               : usmp::ParseProblemCsv(text, "input.csv", usmp::Bytes{1000});
  if (!problem) {
    RequireDiagnostics(problem);
    return 0;
  }
  if (is_json) RequireProblemSurvivesJson(*problem);
  if (problem->buffers.size() > kMaxBuffers) return 0;
  const usmp::Bytes bound = LowerBound(*problem);
  usmp::Bytes most_proved = bound, least_needed = INT64_MAX;
  for (const usmp::Algorithm& algorithm : usmp::Algorithms()) {
    const auto plan = MakePlan(*problem, algorithm, kOptions);
    if (plan) {
      Require(plan->lower_bound_bytes >= bound, "an algorithm proves less than the lower bound");
      RequirePlanSurvives(*problem, *plan, is_json);
      most_proved = std::max(most_proved, plan->lower_bound_bytes);
      least_needed = std::min(least_needed, plan->pool_sizes[0]);
    } else {
      RequireDiagnostics(plan);
      Require(plan.error().code == usmp::ErrorCode::kDoesNotFit, "a checked problem was refused");
    }
  }
  const bool is_one_workspace =
      problem->pools.size() == 1 && problem->pools[0].kind == usmp::PoolKind::kWorkspace;
  Require(!is_one_workspace || most_proved <= least_needed, "a plan is below what is proved");
  return 0;
}
