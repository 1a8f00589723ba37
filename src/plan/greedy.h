// First fit in one fixed order: the simple algorithms of USMP, and the start of the others.
#ifndef USMP_PLAN_GREEDY_H_
#define USMP_PLAN_GREEDY_H_

#include <functional>
#include <vector>

#include "plan/placement.h"

namespace usmp::plan {

// Larger buffers first; of equal ones those with more conflicts, then by id.
std::vector<BufferId> OrderBySize(const Neighborhood& neighborhood);
// Buffers with more conflicts first; of equal ones the larger, then by id.
std::vector<BufferId> OrderByConflicts(const Neighborhood& neighborhood);

Result<Plan> GreedyBySize(const PlanProblem& problem, const PlanOptions& options);
Result<Plan> GreedyByConflicts(const PlanProblem& problem, const PlanOptions& options);

}  // namespace usmp::plan

#endif  // USMP_PLAN_GREEDY_H_
