#include "problems/brute_force.h"

#include <algorithm>
#include <numeric>

namespace usmp::testing {
namespace {

class BruteForce {
 public:
  BruteForce(const PlanProblem& problem, Bytes horizon)
      : problem_(problem),
        horizon_(horizon),
        allocations_(problem.buffers.size()),
        sizes_(problem.pools.size(), 0) {}

  std::optional<Bytes> Run() {
    Place(0);
    return best_;
  }

 private:
  Bytes Peak() const {
    Bytes peak = 0;
    for (size_t i = 0; i < sizes_.size(); ++i) {
      if (problem_.pools[i].kind == PoolKind::kWorkspace) peak += sizes_[i];
    }
    return peak;
  }

  Bytes Distance(size_t lower, size_t upper) const {
    for (const Overlap& overlap : problem_.overlaps) {
      if (static_cast<size_t>(overlap.lower) == lower &&
          static_cast<size_t>(overlap.upper) == upper) {
        return overlap.distance_bytes;
      }
    }
    return problem_.buffers[lower].size_bytes;
  }

  bool IsLegalWith(size_t a, size_t b) const {
    if (allocations_[a].pool != allocations_[b].pool) return true;
    const bool in_conflict =
        problem_.conflicts.AreInConflict(static_cast<BufferId>(a), static_cast<BufferId>(b));
    const Bytes x = allocations_[a].byte_offset;
    const Bytes y = allocations_[b].byte_offset;
    return !in_conflict || y - x >= Distance(a, b) || x - y >= Distance(b, a);
  }

  void Place(size_t index) {
    if (best_ && Peak() >= *best_) return;
    if (index == problem_.buffers.size()) {
      best_ = Peak();
      return;
    }
    for (PoolId pool : problem_.buffers[index].pool_candidates) TryPool(index, pool);
  }

  void TryPool(size_t index, PoolId pool) {
    const BufferInfo& buffer = problem_.buffers[index];
    const PoolInfo& info = problem_.pools[static_cast<size_t>(pool)];
    const Bytes last = info.size_hint_bytes.value_or(horizon_) - buffer.size_bytes;
    if (info.alignment % buffer.alignment != 0) return;
    for (Bytes offset = 0; offset <= last; offset += buffer.alignment) {
      if (buffer.pinned && *buffer.pinned != PoolAllocation{pool, offset}) continue;
      allocations_[index] = {pool, offset};
      bool is_legal = true;
      for (size_t other = 0; other < index; ++other) {
        is_legal = is_legal && IsLegalWith(index, other);
      }
      if (!is_legal) continue;
      Bytes& size = sizes_[static_cast<size_t>(pool)];
      const Bytes before = size;
      size = std::max(size, offset + buffer.size_bytes);
      Place(index + 1);
      size = before;
    }
  }

  const PlanProblem& problem_;
  Bytes horizon_;
  std::vector<PoolAllocation> allocations_;
  std::vector<Bytes> sizes_;
  std::optional<Bytes> best_{};
};

}  // namespace

std::optional<Bytes> LeastPeak(const PlanProblem& problem, Bytes horizon) {
  return BruteForce(problem, horizon).Run();
}

}  // namespace usmp::testing
