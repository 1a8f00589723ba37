// Local search over the order of first fit.
#ifndef USMP_PLAN_HILL_CLIMB_H_
#define USMP_PLAN_HILL_CLIMB_H_

#include "usmp/plan.h"

namespace usmp::plan {

// From the order of greedy_by_size: reorders what stands under the peak, keeps what does not make
// it worse, and starts again from another order when it is stuck. Stops when the lower bound is
// met, or after `max_steps` buffers placed (more are counted for buffers with very many conflicts).
Result<Plan> HillClimb(const PlanProblem& problem, const PlanOptions& options);

// The best of several greedy orders, then hill climbing from there while the lower bound is not
// met.
Result<Plan> Auto(const PlanProblem& problem, const PlanOptions& options);

}  // namespace usmp::plan

#endif  // USMP_PLAN_HILL_CLIMB_H_
