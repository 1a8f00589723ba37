// The least peak with proof: a lower bound and a plan that approach each other until they meet.
#ifndef USMP_PLAN_EXACT_H_
#define USMP_PLAN_EXACT_H_

#include <optional>
#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

// A plan at least as good as `start` (by BufferId; the best known, legal but for pools that are too
// small). Its proof is kExhausted if nothing smaller exists. Nothing if the exact searches do not
// take the problem: a buffer may choose between pools, or it is too large.
std::optional<Plan> ImproveExactly(const PlanProblem& problem, std::vector<PoolAllocation> start,
                                   const PlanOptions& options);

}  // namespace usmp::plan

#endif  // USMP_PLAN_EXACT_H_
