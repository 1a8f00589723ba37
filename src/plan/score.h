// What the heuristics minimize.
#ifndef USMP_PLAN_SCORE_H_
#define USMP_PLAN_SCORE_H_

#include <compare>
#include <optional>
#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

// The first difference decides. Placing one more buffer never lowers any of the three.
struct Score {
  Bytes excess = 0;  // bytes beyond the pools' sizes, summed over the buffers: 0 for a legal plan
  double cost = 0;   // size times index of the chosen pool among the candidates, summed
  Bytes peak = 0;    // the sum of the workspace pools' sizes
  // clang-tidy 14 takes the 0 that a defaulted comparison is made of for a null pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const Score&, const Score&) = default;
};

// The score of what is placed so far, with the pools' sizes that it stems from.
struct Tally {
  Score score{};
  std::vector<Bytes> pool_sizes{};

  void Add(const PlanProblem& problem, BufferId id, PoolAllocation where);
};

// By how many bytes a buffer there reaches beyond the size of the pool; 0 if it does not.
Bytes ExcessOf(const PlanProblem& problem, BufferId id, PoolAllocation where);

// Does the pool's base have the alignment of the buffer?
bool CanHold(const PlanProblem& problem, PoolId pool, BufferId id);

// The first of a buffer's pools where it fits at the lowest offset that is free there; if it fits
// in none, where it sticks out least.
template <class LowestOffset>
PoolAllocation ChoosePool(const PlanProblem& problem, BufferId id, LowestOffset lowest_offset) {
  std::optional<PoolAllocation> best;
  Bytes least = 0;
  for (PoolId pool : problem.buffers[static_cast<size_t>(id)].pool_candidates) {
    if (!CanHold(problem, pool, id)) continue;
    const PoolAllocation where = {pool, lowest_offset(pool)};
    const Bytes excess = ExcessOf(problem, id, where);
    if (excess == 0) return where;
    if (best && excess >= least) continue;
    best = where;
    least = excess;
  }
  return *best;
}

// What no plan can be better than: every buffer in the first of its pools that could hold it alone,
// and the lower bound.
Score Goal(const PlanProblem& problem);

}  // namespace usmp::plan

#endif  // USMP_PLAN_SCORE_H_
