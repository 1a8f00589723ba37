#include "plan/exact.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/describe.h"
#include "plan/lower_bound.h"
#include "plan/order_search.h"
#include "plan/section_search.h"

namespace usmp::plan {
namespace {

constexpr size_t kMaxMembers = 1'000'000;  // of all sections
constexpr size_t kMaxPairs = 50'000;
constexpr int64_t kFirstSlice = 30'000;  // steps

// No plan is below `lower`; there is one at `upper`.
struct Range {
  Bytes lower = 0;
  Bytes upper = 0;
};

Bytes RoundUp(Bytes x, Bytes unit) { return (x + unit - 1) / unit * unit; }

class PoolSearch {
 public:
  // Peaks are multiples of the unit.
  PoolSearch(FitSearch& search, const std::vector<Item>& items, Bytes unit)
      : search_(search), items_(items), unit_(unit) {}

  // Half of the steps go to the lower bound itself, where most optima are; the others to capacities
  // between it and the best plan, or, as long as that is above the size of the pool, to that size.
  Range Narrow(Range range, Bytes size, int64_t max_steps) {
    max_steps_ = max_steps;
    range_ = {std::min(RoundUp(range.lower, unit_), range.upper), range.upper};
    int64_t slice = kFirstSlice;
    while (range_.lower <= size && range_.upper > size && search_.steps() < max_steps) {
      Try(size / unit_ * unit_, slice);
      if (range_.upper > size && range_.lower < size) {
        Try(range_.lower, slice);
      }
      slice += slice / 2;
    }
    slice = kFirstSlice;
    Bytes share = 2;  // the capacity tried is at range / share below the upper end
    while (range_.lower < range_.upper && search_.steps() < max_steps) {
      Try(range_.lower, slice);
      if (range_.lower >= range_.upper) break;
      const Bytes below = std::max(RoundUp((range_.upper - range_.lower) / share, unit_), unit_);
      const Bytes capacity = std::max(range_.upper - below, range_.lower);
      const Outcome outcome = Try(capacity, slice);
      if (outcome != Outcome::kOutOfSteps) {
        share = std::max<Bytes>(share / 2, 2);
        continue;
      }
      share = std::min<Bytes>(share * 2, 64);
      slice += slice / 2;
    }
    return range_;
  }

  // By item; empty if nothing better than the start was found.
  const std::vector<Bytes>& offsets() const { return offsets_; }

 private:
  Outcome Try(Bytes capacity, int64_t slice) {
    const Outcome outcome = search_.Run(capacity, search_.steps() + slice, max_steps_);
    if (outcome == Outcome::kFits) {
      offsets_ = search_.offsets();
      range_.upper = 0;
      for (size_t i = 0; i < items_.size(); ++i) {
        range_.upper = std::max(range_.upper, offsets_[i] + items_[i].size);
      }
    }
    if (outcome == Outcome::kDoesNotFit) {
      range_.lower = std::min(RoundUp(capacity + 1, unit_), range_.upper);
    }
    return outcome;
  }

  FitSearch& search_;
  const std::vector<Item>& items_;
  Bytes unit_;
  int64_t max_steps_ = 0;
  Range range_{};
  std::vector<Bytes> offsets_{};
};

// The buffers of every pool; nothing if a buffer may be in several.
std::optional<std::vector<std::vector<BufferId>>> SplitByPool(const PlanProblem& problem) {
  std::vector<std::vector<BufferId>> of_pool(problem.pools.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const BufferInfo& buffer = problem.buffers[i];
    std::optional<PoolId> only;
    if (buffer.pinned) only = buffer.pinned->pool;
    for (PoolId pool : buffer.pool_candidates) {
      if (buffer.pinned || buffer.alignment > problem.pools[Index(pool)].alignment) continue;
      if (only) return std::nullopt;
      only = pool;
    }
    of_pool[Index(*only)].push_back(static_cast<BufferId>(i));
  }
  return of_pool;
}

class Exact {
 public:
  Exact(const PlanProblem& problem, std::vector<PoolAllocation> start, const PlanOptions& options)
      : problem_(problem), options_(options), plan_{.allocations = std::move(start)} {}

  std::optional<Plan> Run() {
    const auto of_pool = SplitByPool(problem_);
    if (!of_pool) return std::nullopt;
    for (size_t pool = 0; pool < of_pool->size(); ++pool) {
      if (!Improve(static_cast<PoolId>(pool), (*of_pool)[pool])) return std::nullopt;
    }
    if (was_needed_) {
      if (is_exhausted_) plan_.proof = Proof::kExhausted;
      plan_.witness = fmt::format("no placement fits into {} bytes: all were searched",
                                  plan_.lower_bound_bytes - 1);
    }
    return plan_;
  }

 private:
  Bytes PeakOf(std::span<const BufferId> ids) const {
    Bytes peak = 0;
    for (BufferId id : ids) {
      const Bytes size = problem_.buffers[Index(id)].size_bytes;
      if (size > 0) peak = std::max(peak, plan_.allocations[Index(id)].byte_offset + size);
    }
    return peak;
  }

  // False if the pool is too large for the searches.
  bool Improve(PoolId pool, const std::vector<BufferId>& ids) {
    const bool is_counted = problem_.pools[Index(pool)].kind == PoolKind::kWorkspace;
    const Bytes bound = FindLowerBoundOfPool(problem_, pool).bytes;
    const Bytes size = problem_.pools[Index(pool)].size_hint_bytes.value_or(INT64_MAX);
    Range range{bound, PeakOf(ids)};
    if (bound < range.upper && (is_counted || range.upper > size)) {
      const std::optional<Range> narrowed = Search(pool, ids, range, size);
      if (!narrowed) return false;
      range = *narrowed;
    }
    if (is_counted) {
      plan_.lower_bound_bytes += range.lower;
      is_exhausted_ = is_exhausted_ && range.lower >= range.upper;
      was_needed_ = was_needed_ || range.lower > bound;
    }
    return true;
  }

  std::optional<Range> Search(PoolId pool, const std::vector<BufferId>& ids, Range range,
                              Bytes size) {
    std::optional<Sections> sections = MakeSections(problem_, ids, kMaxMembers);
    if (!sections) return std::nullopt;
    if (MayOverlap(ids)) {
      std::optional<OrderSearch> search = MakeOrderSearch(problem_, sections->items, kMaxPairs);
      if (!search) return std::nullopt;
      return Narrow(pool, sections->items, *search, {range, search->unit(), size});
    }
    SectionSearch search(*sections, options_.seed);
    return Narrow(pool, sections->items, search, {range, sections->unit, size});
  }

  bool MayOverlap(const std::vector<BufferId>& ids) const {
    return std::ranges::any_of(problem_.overlaps, [&](const Overlap& overlap) {
      return std::ranges::binary_search(ids, overlap.lower) &&
             std::ranges::binary_search(ids, overlap.upper);
    });
  }

  struct Goal {
    Range range{};
    Bytes unit = 1;  // see PoolSearch
    Bytes size = 0;  // of the pool
  };
  Range Narrow(PoolId pool, const std::vector<Item>& items, FitSearch& search, const Goal& goal) {
    PoolSearch pool_search(search, items, goal.unit);
    const Range range = pool_search.Narrow(goal.range, goal.size, options_.max_steps - plan_.steps);
    plan_.steps += search.steps();
    for (size_t i = 0; i < pool_search.offsets().size(); ++i) {
      plan_.allocations[Index(items[i].id)] = {pool, pool_search.offsets()[i]};
    }
    return range;
  }

  const PlanProblem& problem_;
  const PlanOptions& options_;
  Plan plan_;
  bool is_exhausted_ = true;
  bool was_needed_ = false;
};

}  // namespace

std::optional<Plan> ImproveExactly(const PlanProblem& problem, std::vector<PoolAllocation> start,
                                   const PlanOptions& options) {
  return Exact(problem, std::move(start), options).Run();
}

}  // namespace usmp::plan
