// One pool of a problem, with some of its buffers, as a problem of its own.
#ifndef USMP_PLAN_SUB_PROBLEM_H_
#define USMP_PLAN_SUB_PROBLEM_H_

#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

// `members` are in the order of the new problem's buffers; its one pool is `pool`.
PlanProblem SubProblem(const PlanProblem& problem, PoolId pool,
                       const std::vector<BufferId>& members);

// A plan for it, with an effort that suits trying many; an error if none was found.
Result<Plan> PlanPool(const PlanProblem& problem, PoolId pool,
                      const std::vector<BufferId>& members);

}  // namespace usmp::plan

#endif  // USMP_PLAN_SUB_PROBLEM_H_
