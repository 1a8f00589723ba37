#include <fmt/format.h>

#include <algorithm>

#include "plan/complete.h"
#include "plan/fit_orders.h"
#include "plan/greedy.h"
#include "plan/hill_climb.h"
#include "plan/lower_bound.h"
#include "plan/stacked.h"
#include "usmp/plan.h"

namespace usmp {
namespace {

std::string AllNames() {
  std::string names;
  for (const Algorithm& algorithm : Algorithms()) {
    names += (names.empty() ? "" : ", ") + algorithm.name;
  }
  return names;
}

// The furthest byte used of every pool; nothing if an allocation names no pool (VerifyPlan reports
// it).
std::vector<Bytes> SizesOfPools(const PlanProblem& problem, const Plan& plan) {
  std::vector<Bytes> sizes(problem.pools.size(), 0);
  for (size_t i = 0; i < plan.allocations.size() && i < problem.buffers.size(); ++i) {
    const auto [pool, offset] = plan.allocations[i];
    const Bytes size = problem.buffers[i].size_bytes;
    if (static_cast<size_t>(pool) >= sizes.size() || size == 0 || offset > INT64_MAX - size)
      continue;
    Bytes& used = sizes[static_cast<size_t>(pool)];
    used = std::max(used, offset + size);
  }
  return sizes;
}

void CompleteProof(const PlanProblem& problem, Plan& plan) {
  const plan::Bound bound = plan::FindLowerBound(problem);
  if (plan.proof != Proof::kNone || plan.lower_bound_bytes > bound.bytes) return;
  plan.lower_bound_bytes = bound.bytes;
  if (WorkspaceBytes(problem, plan) == bound.bytes) plan.proof = Proof::kMeetsLowerBound;
  plan.witness = bound.why;
}

}  // namespace

std::span<const Algorithm> Algorithms() {
  static const Algorithm table[] = {
      {"auto", "the best of all: greedy orders, exact search with proof, then hill climbing",
       plan::Auto},
      {"greedy_by_size", "first fit, larger buffers first", plan::GreedyBySize},
      {"greedy_by_conflicts", "first fit, buffers with more conflicts first",
       plan::GreedyByConflicts},
      {"fit_orders", "first fit in many orders, for problems of any size", plan::FitOrders},
      {"hill_climb", "first fit, whose order is improved step by step", plan::HillClimb},
  };
  return table;
}

Result<Algorithm> FindAlgorithm(std::string_view name) {
  const std::span<const Algorithm> table = Algorithms();
  const auto found = std::ranges::find(table, name, &Algorithm::name);
  if (found != table.end()) return *found;
  return Fail(ErrorCode::kInvalidInput, fmt::format("algorithm '{}'", name),
              fmt::format("there is no algorithm of that name: use one of {}", AllNames()));
}

Bytes WorkspaceBytes(const PlanProblem& problem, const Plan& plan) {
  Bytes total = 0;
  for (size_t i = 0; i < problem.pools.size() && i < plan.pool_sizes.size(); ++i) {
    if (problem.pools[i].kind == PoolKind::kWorkspace) total += plan.pool_sizes[i];
  }
  return total;
}

Result<Plan> MakePlan(const PlanProblem& problem, const Algorithm& algorithm,
                      const PlanOptions& options) {
  if (Result<void> checked = CheckProblem(problem); !checked) return Fail(checked.error());
  if (!algorithm.run) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("algorithm '{}'", algorithm.name),
                fmt::format("has no function to run: use one of {}", AllNames()));
  }
  const std::optional<plan::Stacked> stacked = plan::StackConstants(problem);
  Result<Plan> plan = algorithm.run(stacked ? stacked->rest : problem, options);
  if (!plan) return plan;
  if (stacked) {
    if (plan->allocations.size() != stacked->rest_ids.size()) {
      return Fail(ErrorCode::kInvalidInput, fmt::format("algorithm '{}'", algorithm.name),
                  fmt::format("placed {} buffers of {}", plan->allocations.size(),
                              stacked->rest_ids.size()));
    }
    plan = plan::Join(*stacked, std::move(*plan));
  }
  return plan::Complete(problem, std::move(*plan), algorithm.name);
}

Result<Plan> plan::Complete(const PlanProblem& problem, Plan plan, const std::string& algorithm) {
  if (plan.pool_sizes.empty()) plan.pool_sizes = SizesOfPools(problem, plan);
  if (Result<void> verified = VerifyPlan(problem, plan); !verified) {
    Error error = verified.error();
    for (Diagnostic& diagnostic : error.diagnostics) {
      diagnostic.where = fmt::format("algorithm '{}', {}", algorithm, diagnostic.where);
    }
    return Fail(std::move(error));
  }
  CompleteProof(problem, plan);
  return plan;
}

}  // namespace usmp
