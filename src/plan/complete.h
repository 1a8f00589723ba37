#ifndef USMP_PLAN_COMPLETE_H_
#define USMP_PLAN_COMPLETE_H_

#include <string>

#include "usmp/plan.h"

namespace usmp::plan {

// Verifies what an algorithm of that name placed, and fills what it left open: pool_sizes, the
// lower bound, a kMeetsLowerBound proof. The problem is one that CheckProblem accepts.
Result<Plan> Complete(const PlanProblem& problem, Plan plan, const std::string& algorithm);

}  // namespace usmp::plan

#endif  // USMP_PLAN_COMPLETE_H_
