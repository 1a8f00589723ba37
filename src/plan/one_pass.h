// Best fit in the order of time: one pass, whose cost hardly depends on how many are alive.
#ifndef USMP_PLAN_ONE_PASS_H_
#define USMP_PLAN_ONE_PASS_H_

#include <array>
#include <vector>

#include "plan/score.h"
#include "plan/timeline.h"

namespace usmp::plan {

struct PassRule {
  bool is_backwards = false;
  bool is_largest_first = false;   // of those that begin together; else the longest
  bool is_beside_same_end = true;  // at the side of the hole whose neighbor ends nearer; else low
};

inline constexpr std::array kPassRules = {
    PassRule{},
    PassRule{.is_backwards = true},
    PassRule{.is_largest_first = true},
    PassRule{.is_backwards = true, .is_largest_first = true},
    PassRule{.is_beside_same_end = false},
    PassRule{.is_backwards = true, .is_beside_same_end = false},
};

struct PassResult {
  std::vector<PoolAllocation> allocations{};  // by BufferId
  Tally tally{};
};

// Every buffer counts as alive from its first step to its last, a pinned one for the whole time,
// and overlaps are not made use of: legal, though not the best, for all that lifetimes can say.
// Buffers that fit nowhere reach beyond a pool.
PassResult PlaceInOnePass(const PlanProblem& problem, const Timeline& timeline,
                          const PassRule& rule);

}  // namespace usmp::plan

#endif  // USMP_PLAN_ONE_PASS_H_
