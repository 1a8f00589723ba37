// How buffers and pools are called in diagnostics, proofs and witnesses.
#ifndef USMP_PLAN_DESCRIBE_H_
#define USMP_PLAN_DESCRIBE_H_

#include <span>
#include <string>
#include <string_view>

#include "usmp/plan.h"

namespace usmp::plan {

constexpr size_t Index(BufferId id) { return static_cast<size_t>(id); }
constexpr size_t Index(PoolId id) { return static_cast<size_t>(id); }

std::string NameOf(const PlanProblem& problem, BufferId id);      // conv1, or #7 without a name
std::string QuotedName(const PlanProblem& problem, BufferId id);  // 'conv1'
std::string WhereOf(const PlanProblem& problem, BufferId id);     // buffer 'conv1'
std::string QuotedName(const PlanProblem& problem, PoolId id);    // 'sram'

// "a, b, c and 4 more": at most `limit` names.
std::string ListNames(const PlanProblem& problem, std::span<const BufferId> ids, size_t limit);
// "a (64 B), b (48 B)": the largest first.
std::string ListSizes(const PlanProblem& problem, std::span<const BufferId> ids, size_t limit);

// The problem if CheckProblem accepts it; else what is wrong, said to be in `source`.
Result<PlanProblem> CheckedProblem(PlanProblem problem, std::string_view source);

}  // namespace usmp::plan

#endif  // USMP_PLAN_DESCRIBE_H_
