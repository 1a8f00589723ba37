// Why no plan can be smaller: a set of buffers that are alive together and what they need at least.
#ifndef USMP_PLAN_LOWER_BOUND_H_
#define USMP_PLAN_LOWER_BOUND_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

struct Bound {
  Bytes bytes = 0;
  std::vector<BufferId> alive{};  // the buffers that need them, ascending
  std::optional<int32_t> step{};  // where they are alive together; absent for an explicit graph
  std::string why{};              // "live at step 7: a, b, c"
};

// The bound that LowerBound returns, with its reason.
Bound FindLowerBound(const PlanProblem& problem);

// The same for the bytes of one pool, over the buffers that no other pool may hold.
Bound FindLowerBoundOfPool(const PlanProblem& problem, PoolId pool);

// The heaviest moment, overlaps and alignments ignored, among the buffers with `is_counted`.
Bound FindHeaviestMoment(const PlanProblem& problem, const std::vector<bool>& is_counted);

}  // namespace usmp::plan

#endif  // USMP_PLAN_LOWER_BOUND_H_
