#include "plan/first_fit.h"

#include <algorithm>

#include "plan/describe.h"
#include "plan/placement.h"

namespace usmp::plan {
namespace {

// `life` without one rank.
std::vector<RankRange> Without(std::span<const RankRange> life, std::span<const uint32_t> ranks) {
  std::vector<RankRange> out;
  for (RankRange range : life) {
    for (uint32_t rank : ranks) {
      if (rank < range.begin || rank >= range.end) continue;
      if (range.begin < rank) out.push_back({range.begin, rank});
      range.begin = rank + 1;
    }
    if (range.begin < range.end) out.push_back(range);
  }
  return out;
}

// The rank at which both are alive; they meet in one.
uint32_t MeetingOf(std::span<const RankRange> a, std::span<const RankRange> b) {
  size_t i = 0;
  size_t j = 0;
  while (std::max(a[i].begin, b[j].begin) >= std::min(a[i].end, b[j].end)) {
    (a[i].end <= b[j].end ? i : j) += 1;
  }
  return std::max(a[i].begin, b[j].begin);
}

}  // namespace

FirstFit::FirstFit(const PlanProblem& problem, const Timeline& timeline)
    : problem_(problem),
      timeline_(timeline),
      pools_(problem.pools.size(), Occupied(timeline.rank_count())),
      allocations_(problem.buffers.size()),
      is_placed_(problem.buffers.size(), false) {
  for (const Overlap& overlap : problem.overlaps) {
    overlaps_of_[overlap.lower].push_back(overlap);
    overlaps_of_[overlap.upper].push_back(overlap);
  }
}

void FirstFit::Start() {
  for (Occupied& pool : pools_) pool.Clear();
  tally_ = {.pool_sizes = std::vector<Bytes>(problem_.pools.size(), 0)};
  for (size_t i = 0; i < problem_.buffers.size(); ++i) {
    const auto id = static_cast<BufferId>(i);
    const BufferInfo& buffer = problem_.buffers[i];
    is_placed_[i] = false;
    if (buffer.pinned) {
      Place(id, *buffer.pinned);
    } else if (buffer.size_bytes == 0) {
      const auto pool = std::ranges::find_if(buffer.pool_candidates, [&](PoolId candidate) {
        return CanHold(problem_, candidate, id);
      });
      Place(id, {*pool, 0});
    }
  }
}

bool FirstFit::Run(std::span<const BufferId> order, const std::optional<Score>& limit,
                   int64_t max_work) {
  Start();
  for (size_t i = 0; i < order.size(); ++i) {
    Place(order[i], Choose(order[i]));
    failed_at_ = i;
    if ((limit && tally_.score >= *limit) || work() >= max_work) return false;
  }
  return true;
}

int64_t FirstFit::work() const {
  int64_t work = work_;
  for (const Occupied& pool : pools_) work += pool.work();
  return work;
}

PoolAllocation FirstFit::Choose(BufferId id) {
  return ChoosePool(problem_, id, [&](PoolId pool) { return LowestOffset(id, pool); });
}

Bytes FirstFit::LowestOffset(BufferId id, PoolId pool) {
  if (overlaps_of_.contains(id)) return LowestAmongOverlaps(id, pool);
  const BufferInfo& buffer = problem_.buffers[Index(id)];
  return pools_[Index(pool)].LowestFree(timeline_.Of(id), buffer.size_bytes, buffer.alignment);
}

// At the ranks where it meets those that it may overlap, everything alive is looked at one by one;
// the tree answers for the rest of its life.
Bytes FirstFit::LowestAmongOverlaps(BufferId id, PoolId pool) {
  const std::vector<Overlap>& overlaps = overlaps_of_.at(id);
  std::vector<uint32_t> ranks;
  for (const Overlap& overlap : overlaps) {
    const BufferId other = overlap.lower == id ? overlap.upper : overlap.lower;
    if (!is_placed_[Index(other)] || problem_.buffers[Index(other)].size_bytes == 0) continue;
    if (allocations_[Index(other)].pool != pool) continue;
    ranks.push_back(MeetingOf(timeline_.Of(id), timeline_.Of(other)));
  }
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::vector<NoStart> no_starts;
  for (uint32_t rank : ranks) {
    for (BufferId other : timeline_.AliveAt(rank)) {
      ++work_;
      if (other == id || !is_placed_[Index(other)]) continue;
      const auto [other_pool, offset] = allocations_[Index(other)];
      if (other_pool != pool || problem_.buffers[Index(other)].size_bytes == 0) continue;
      no_starts.push_back({offset - DistanceOf(problem_, overlaps, id, other),
                           offset + DistanceOf(problem_, overlaps, other, id)});
    }
  }
  const BufferInfo& buffer = problem_.buffers[Index(id)];
  return pools_[Index(pool)].LowestFree(Without(timeline_.Of(id), ranks), buffer.size_bytes,
                                        buffer.alignment, no_starts);
}

void FirstFit::Place(BufferId id, PoolAllocation where) {
  allocations_[Index(id)] = where;
  is_placed_[Index(id)] = true;
  tally_.Add(problem_, id, where);
  const Bytes size = problem_.buffers[Index(id)].size_bytes;
  if (size == 0) return;
  pools_[Index(where.pool)].Take(timeline_.Of(id), {where.byte_offset, where.byte_offset + size});
}

}  // namespace usmp::plan
