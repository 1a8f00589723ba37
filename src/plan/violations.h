// Pairs of buffers that illegally share bytes. For the verifier only: algorithms must not use it.
#ifndef USMP_PLAN_VIOLATIONS_H_
#define USMP_PLAN_VIOLATIONS_H_

#include <span>
#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

// How many are listed at most: a plan that puts everything at offset 0 has n^2 of them.
inline constexpr size_t kMaxListedViolations = 10'000;

// Every violation between the buffers in `ids`, all of whose allocations are in range (by BufferId
// in `allocations`). The problem is well formed.
std::vector<Diagnostic> FindSharedBytes(const PlanProblem& problem, std::span<const BufferId> ids,
                                        std::span<const PoolAllocation> allocations);

}  // namespace usmp::plan

#endif  // USMP_PLAN_VIOLATIONS_H_
