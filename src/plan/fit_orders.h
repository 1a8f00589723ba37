// First fit in many orders: plans of problems too large for anything else.
#ifndef USMP_PLAN_FIT_ORDERS_H_
#define USMP_PLAN_FIT_ORDERS_H_

#include "usmp/plan.h"

namespace usmp::plan {

// Best fit in the order of time, then first fit in fixed and in random orders, until the lower
// bound is met or the steps are used up. The best plan is kept, so that more steps never make it
// worse. The time for one order grows little faster than the number of buffers.
// kUnsupported where very many conflicts are given as pairs.
Result<Plan> FitOrders(const PlanProblem& problem, const PlanOptions& options);

// So many that all of its fixed orders had their turn, for most problems.
int64_t StepsOfFixedOrders(const PlanProblem& problem);

// Are there so many pairs in conflict that looking at each would take seconds? False where
// conflicts are given as pairs.
bool IsLarge(const PlanProblem& problem);

// FitOrders, then the exact search on what it leaves open if that takes the problem.
Result<Plan> AutoOfLarge(const PlanProblem& problem, const PlanOptions& options);

}  // namespace usmp::plan

#endif  // USMP_PLAN_FIT_ORDERS_H_
