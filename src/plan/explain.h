// Why a problem does not fit into its pools, with the figures and the way out.
#ifndef USMP_PLAN_EXPLAIN_H_
#define USMP_PLAN_EXPLAIN_H_

#include "plan/placement.h"

namespace usmp::plan {

// `id` fits in none of its pools beside what is placed.
Error DoesNotFit(const PlanProblem& problem, Placement& placement, BufferId id);

// Is it certain that no algorithm can place the buffers within their pools?
bool IsImpossible(const PlanProblem& problem);

}  // namespace usmp::plan

#endif  // USMP_PLAN_EXPLAIN_H_
