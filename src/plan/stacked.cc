#include "plan/stacked.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "support/align.h"

namespace usmp::plan {
namespace {

size_t Index(BufferId id) { return static_cast<size_t>(id); }

// By PoolId: the buffers that are in that pool in every plan, ascending; none where others could be
// there too.
std::vector<std::vector<BufferId>> OnlyCandidates(const PlanProblem& problem) {
  std::vector<std::vector<BufferId>> of_pool(problem.pools.size());
  std::vector<bool> is_free(problem.pools.size(), true);
  std::vector<bool> overlaps(problem.buffers.size(), false);
  for (const Overlap& overlap : problem.overlaps) {
    overlaps[Index(overlap.lower)] = overlaps[Index(overlap.upper)] = true;
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const BufferInfo& buffer = problem.buffers[i];
    const auto pool = static_cast<size_t>(buffer.pool_candidates[0]);
    const bool fits_in = buffer.pool_candidates.size() == 1 && !buffer.pinned && !overlaps[i] &&
                         problem.pools[pool].kind == PoolKind::kConstant &&
                         (of_pool[pool].empty() ||
                          buffer.lifetimes == problem.buffers[Index(of_pool[pool][0])].lifetimes);
    of_pool[pool].push_back(BufferId(i));
    if (fits_in) continue;
    for (PoolId other : buffer.pool_candidates) is_free[static_cast<size_t>(other)] = false;
  }
  for (size_t pool = 0; pool < of_pool.size(); ++pool) {
    if (!is_free[pool]) of_pool[pool].clear();
  }
  return of_pool;
}

// Strictest alignment first, and whatever leaves no gap before what does.
void SortForStacking(const PlanProblem& problem, std::vector<BufferId>& ids) {
  const auto key = [&](BufferId id) {
    const BufferInfo& buffer = problem.buffers[Index(id)];
    return std::tuple(-buffer.alignment, buffer.size_bytes % buffer.alignment != 0,
                      -buffer.size_bytes, id);
  };
  std::ranges::sort(ids, {}, key);
}

}  // namespace

std::optional<Stacked> StackConstants(const PlanProblem& problem) {
  if (!problem.conflicts.is_implied_by_lifetimes()) return {};
  Stacked stacked{.allocations =
                      std::vector<std::optional<PoolAllocation>>(problem.buffers.size())};
  bool any = false;
  std::vector<std::vector<BufferId>> of_pool = OnlyCandidates(problem);
  for (size_t pool = 0; pool < of_pool.size(); ++pool) {
    SortForStacking(problem, of_pool[pool]);
    Bytes end = 0;
    std::vector<std::pair<BufferId, Bytes>> offsets;
    for (BufferId id : of_pool[pool]) {
      const BufferInfo& buffer = problem.buffers[Index(id)];
      offsets.emplace_back(id, AlignUp(end, buffer.alignment));
      end = offsets.back().second + buffer.size_bytes;
    }
    if (end > problem.pools[pool].size_hint_bytes.value_or(end)) continue;
    for (const auto& [id, offset] : offsets) {
      stacked.allocations[Index(id)] = PoolAllocation{PoolId(pool), offset};
      any = true;
    }
  }
  if (!any) return {};
  stacked.rest.pools = problem.pools;
  std::vector<BufferId> new_id(problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (stacked.allocations[i]) continue;
    new_id[i] = BufferId(stacked.rest_ids.size());
    stacked.rest_ids.push_back(BufferId(i));
    stacked.rest.buffers.push_back(problem.buffers[i]);
  }
  for (const Overlap& overlap : problem.overlaps) {
    stacked.rest.overlaps.push_back({.lower = new_id[Index(overlap.lower)],
                                     .upper = new_id[Index(overlap.upper)],
                                     .distance_bytes = overlap.distance_bytes});
  }
  stacked.rest.conflicts = Conflicts::FromLifetimes(stacked.rest.buffers);
  return stacked;
}

Plan Join(const Stacked& stacked, Plan rest) {
  Plan plan = std::move(rest);
  const std::vector<PoolAllocation> rest_allocations = std::move(plan.allocations);
  plan.allocations.assign(stacked.allocations.size(), {});
  for (size_t i = 0; i < stacked.allocations.size(); ++i) {
    if (stacked.allocations[i]) plan.allocations[i] = *stacked.allocations[i];
  }
  for (size_t i = 0; i < stacked.rest_ids.size(); ++i) {
    plan.allocations[Index(stacked.rest_ids[i])] = rest_allocations[i];
  }
  plan.pool_sizes.clear();
  return plan;
}

}  // namespace usmp::plan
