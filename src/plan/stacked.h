// Constants need no search: they are all alive for the whole run, so that in a pool of their own
// they lie one after another whatever the order. Taken out first, thousands of them cost nothing.
#ifndef USMP_PLAN_STACKED_H_
#define USMP_PLAN_STACKED_H_

#include <optional>
#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

struct Stacked {
  std::vector<std::optional<PoolAllocation>> allocations{};  // by BufferId; absent: left to plan
  PlanProblem rest{};                                        // the buffers that are left
  std::vector<BufferId> rest_ids{};                          // by BufferId in `rest`
};

// Stacks the buffers of every constant pool in which nothing else can be: each has that pool as its
// only candidate, the same lifetime as the others, no pin and no overlap, and together they fit.
// Absent if there is no such pool, or conflicts are given as pairs.
std::optional<Stacked> StackConstants(const PlanProblem& problem);

// The plan of the whole problem from the plan of the rest; its pool sizes are left open.
Plan Join(const Stacked& stacked, Plan rest);

}  // namespace usmp::plan

#endif  // USMP_PLAN_STACKED_H_
