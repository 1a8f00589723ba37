#include "plan/placement.h"

#include <algorithm>

#include "plan/describe.h"
#include "plan/score.h"
#include "support/align.h"
#include "support/check.h"

namespace usmp::plan {
namespace {

constexpr size_t kMaxKept = 4'000'000;  // neighbors in memory: 100 MB

}  // namespace

Bytes DistanceOf(const PlanProblem& problem, std::span<const Overlap> overlaps, BufferId lower,
                 BufferId upper) {
  for (const Overlap& overlap : overlaps) {
    if (overlap.lower != lower || overlap.upper != upper) continue;
    return std::max(overlap.distance_bytes, -problem.buffers[Index(upper)].size_bytes);
  }
  return problem.buffers[Index(lower)].size_bytes;
}

Neighborhood::Neighborhood(const PlanProblem& problem)
    : problem_(problem), overlaps_of_(problem.buffers.size()) {
  for (const Overlap& overlap : problem.overlaps) {
    overlaps_of_[Index(overlap.lower)].push_back(overlap);
    overlaps_of_[Index(overlap.upper)].push_back(overlap);
  }
  first_.push_back(0);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    Append(static_cast<BufferId>(i), all_);
    first_.push_back(all_.size());
    if (all_.size() <= kMaxKept) continue;
    first_.clear();
    all_ = {};
    return;
  }
}

void Neighborhood::Append(BufferId id, std::vector<Neighbor>& out) const {
  if (problem_.buffers[Index(id)].size_bytes == 0) return;
  const std::span<const Overlap> overlaps = overlaps_of_[Index(id)];
  for (BufferId other : problem_.conflicts.ConflictsOf(id)) {
    if (problem_.buffers[Index(other)].size_bytes == 0) continue;
    const Bytes below = DistanceOf(problem_, overlaps, id, other);
    const Bytes above = DistanceOf(problem_, overlaps, other, id);
    // No whole number lies between the two.
    if (below + above > 1) out.push_back({other, below, above});
  }
}

std::span<const Neighbor> Neighborhood::Of(BufferId id) const {
  if (!first_.empty()) {
    return std::span(all_).subspan(first_[Index(id)], first_[Index(id) + 1] - first_[Index(id)]);
  }
  recent_.clear();
  Append(id, recent_);
  return recent_;
}

Placement::Placement(const Neighborhood& neighborhood)
    : neighborhood_(neighborhood),
      problem_(neighborhood.problem()),
      allocations_(problem_.buffers.size()),
      is_placed_(problem_.buffers.size(), false) {
  for (size_t i = 0; i < problem_.buffers.size(); ++i) {
    if (problem_.buffers[i].pinned) Place(static_cast<BufferId>(i), *problem_.buffers[i].pinned);
  }
}

bool Placement::IsPlaced(BufferId id) const { return is_placed_[Index(id)]; }

const PoolAllocation& Placement::At(BufferId id) const {
  USMP_CHECK(is_placed_[Index(id)]);
  return allocations_[Index(id)];
}

void Placement::Place(BufferId id, PoolAllocation where) {
  allocations_[Index(id)] = where;
  is_placed_[Index(id)] = true;
}

void Placement::Remove(BufferId id) { is_placed_[Index(id)] = false; }

Bytes Placement::LowestOffset(BufferId id, PoolId pool) {
  const std::span<const Neighbor> neighbors = neighborhood_.Of(id);
  lookups_ += static_cast<int64_t>(neighbors.size());
  forbidden_.clear();
  for (const Neighbor& neighbor : neighbors) {
    if (!is_placed_[Index(neighbor.id)]) continue;
    const auto [other_pool, offset] = allocations_[Index(neighbor.id)];
    if (other_pool != pool) continue;
    forbidden_.push_back({offset - neighbor.below, offset + neighbor.above});
  }
  std::ranges::sort(forbidden_, {}, &Forbidden::after);
  const Bytes alignment = problem_.buffers[Index(id)].alignment;
  Bytes lowest = 0;
  for (const auto [after, before] : forbidden_) {
    if (lowest <= after) break;
    if (lowest < before) lowest = AlignUp(before, alignment);
  }
  return lowest;
}

bool Placement::PlaceByPreference(BufferId id) {
  for (PoolId pool : problem_.buffers[Index(id)].pool_candidates) {
    if (!CanHold(problem_, pool, id)) continue;
    const PoolAllocation where = {pool, LowestOffset(id, pool)};
    if (ExcessOf(problem_, id, where) > 0) continue;
    Place(id, where);
    return true;
  }
  return false;
}

std::vector<Bytes> Placement::PoolSizes() const {
  std::vector<Bytes> sizes(problem_.pools.size(), 0);
  for (size_t i = 0; i < allocations_.size(); ++i) {
    if (!is_placed_[i] || problem_.buffers[i].size_bytes == 0) continue;
    Bytes& size = sizes[Index(allocations_[i].pool)];
    size = std::max(size, allocations_[i].byte_offset + problem_.buffers[i].size_bytes);
  }
  return sizes;
}

}  // namespace usmp::plan
