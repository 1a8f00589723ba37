#include "plan/lower_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "plan/clique.h"
#include "plan/describe.h"
#include "plan/timeline.h"
#include "support/align.h"

namespace usmp::plan {
namespace {

constexpr size_t kMaxEnumerated = 10;  // members of a component whose subsets are all tried
constexpr size_t kMaxNamed = 12;
constexpr size_t kMaxLookedAt = 2'000'000;  // buffers alive at the moments tried, in sum

// What buffers that are all in conflict need at least. Without overlaps: the sum of their sizes.
// With them, the sum over the connected components of the overlap relation of a bound of the
// component's bytes, since members of different components share none.
class MomentBound {
 public:
  // `pools`: over how many pools the buffers may be spread.
  MomentBound(const PlanProblem& problem, size_t pools)
      : problem_(problem), pools_(pools), overlaps_of_(problem.buffers.size()) {
    for (size_t i = 0; i < problem.overlaps.size(); ++i) {
      overlaps_of_[Index(problem.overlaps[i].lower)].push_back(i);
      overlaps_of_[Index(problem.overlaps[i].upper)].push_back(i);
    }
  }

  // Over those of `alive` that start at multiples of `unit`. The bytes between the end of one of
  // them and the next multiple hold no other, except above the topmost of each pool.
  Bytes Of(std::span<const BufferId> alive, Bytes unit) const {
    std::vector<BufferId> counted;
    for (BufferId id : alive) {
      if (problem_.buffers[Index(id)].alignment >= unit) counted.push_back(id);
    }
    Bytes total = 0;
    std::vector<Bytes> tails;
    for (const std::vector<BufferId>& component : Components(counted)) {
      if (component.size() > 1) {
        total += OfComponent(component);
        continue;
      }
      const Bytes size = Size(component.front());
      total += AlignUp(size, unit);
      tails.push_back(AlignUp(size, unit) - size);
    }
    std::ranges::sort(tails, std::greater{});
    tails.resize(std::min(tails.size(), pools_));
    return std::reduce(tails.begin(), tails.end(), total, std::minus{});
  }

 private:
  Bytes Size(BufferId id) const { return problem_.buffers[Index(id)].size_bytes; }

  std::vector<std::vector<BufferId>> Components(std::span<const BufferId> ids) const {
    std::vector<std::vector<BufferId>> components;
    std::set<BufferId> left(ids.begin(), ids.end());
    while (!left.empty()) {
      std::vector<BufferId> members = {*left.begin()};
      left.erase(left.begin());
      for (size_t i = 0; i < members.size(); ++i) {
        for (size_t index : overlaps_of_[Index(members[i])]) {
          const Overlap& overlap = problem_.overlaps[index];
          const BufferId other = overlap.lower == members[i] ? overlap.upper : overlap.lower;
          if (left.erase(other) > 0) members.push_back(other);
        }
      }
      components.push_back(std::move(members));
    }
    return components;
  }

  // The least union of two buffers' bytes over all the offsets that are legal for them; nothing if
  // they do not overlap. `upper` at `distance` above `lower` or further.
  std::optional<Bytes> OfPair(BufferId a, BufferId b) const {
    std::optional<Bytes> least;
    for (size_t index : overlaps_of_[Index(a)]) {
      const auto& [lower, upper, distance] = problem_.overlaps[index];
      if (lower != b && upper != b) continue;
      const Bytes reach = std::max(distance, -Size(upper)) + Size(upper);
      const Bytes extent = std::max({Size(lower), Size(upper), reach});
      least = std::min({least.value_or(extent), extent, Size(a) + Size(b)});
    }
    return least;
  }

  // The best over subsets in which every member overlaps with at most one other.
  Bytes OfComponent(const std::vector<BufferId>& members) const {
    if (members.size() > kMaxEnumerated) return OfIndependentMembers(members);
    Bytes best = 0;
    for (uint32_t subset = 1; subset < (1U << members.size()); ++subset) {
      best = std::max(best, OfSubset(members, subset).value_or(0));
    }
    return best;
  }

  std::optional<Bytes> OfSubset(const std::vector<BufferId>& members, uint32_t subset) const {
    Bytes total = 0;
    for (size_t i = 0; i < members.size(); ++i) {
      if ((subset >> i & 1U) == 0) continue;
      int partners = 0;
      for (size_t j = 0; j < members.size(); ++j) {
        if (j == i || (subset >> j & 1U) == 0) continue;
        const std::optional<Bytes> pair = OfPair(members[i], members[j]);
        if (!pair) continue;
        if (++partners > 1) return std::nullopt;
        if (i < j) total += *pair;
      }
      if (partners == 0) total += Size(members[i]);
    }
    return total;
  }

  Bytes OfIndependentMembers(std::vector<BufferId> members) const {
    std::ranges::stable_sort(members, std::greater{}, [this](BufferId id) { return Size(id); });
    std::vector<BufferId> chosen;
    Bytes total = 0;
    for (BufferId id : members) {
      if (std::ranges::any_of(chosen,
                              [&](BufferId other) { return OfPair(id, other).has_value(); }))
        continue;
      chosen.push_back(id);
      total += Size(id);
    }
    return total;
  }

  const PlanProblem& problem_;
  size_t pools_;
  std::vector<std::vector<size_t>> overlaps_of_;  // by BufferId: indices of overlaps
};

struct Moment {
  Bytes sum = 0;
  int32_t step = 0;
};

// The sums of `weights` alive at every step where a lifetime begins, for those above `least`: the
// sum is greatest at one of them.
std::vector<Moment> SumAtSteps(const Timeline& timeline, const std::vector<Bytes>& weights,
                               Bytes least) {
  std::vector<Bytes> change(size_t{timeline.rank_count()} + 1, 0);
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    for (const RankRange& range : timeline.Of(static_cast<BufferId>(i))) {
      change[range.begin] += weights[i];
      change[range.end] -= weights[i];
    }
  }
  std::vector<Moment> moments;
  Bytes sum = 0;
  for (uint32_t rank = 0; rank < timeline.rank_count(); ++rank) {
    sum += change[rank];
    if (sum > least) moments.push_back({sum, timeline.StepOf(rank)});
  }
  return moments;
}

// The lifetimes of the buffers with a weight: an index of who is alive when, without the many that
// do not count.
Conflicts LifetimesOfCounted(const PlanProblem& problem, const std::vector<Bytes>& weights) {
  std::vector<BufferInfo> counted(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const auto lifetimes = problem.conflicts.LifetimesOf(static_cast<BufferId>(i));
    counted[i].lifetimes.assign(lifetimes.begin(), lifetimes.end());
  }
  return Conflicts::FromLifetimes(counted);
}

// The buffers with a weight that are alive at one step, without an index.
std::vector<BufferId> CountedAliveAt(const PlanProblem& problem, const std::vector<Bytes>& weights,
                                     int32_t step) {
  std::vector<BufferId> alive;
  for (size_t i = 0; i < weights.size(); ++i) {
    const auto id = static_cast<BufferId>(i);
    const bool is_alive =
        weights[i] != 0 &&
        std::ranges::any_of(problem.conflicts.LifetimesOf(id), [step](const Lifetime& life) {
          return life.begin <= step && step < life.end;
        });
    if (is_alive) alive.push_back(id);
  }
  return alive;
}

std::vector<Bytes> RoundedSizes(const PlanProblem& problem, const std::vector<bool>& is_counted,
                                Bytes unit) {
  std::vector<Bytes> weights(problem.buffers.size(), 0);
  for (size_t i = 0; i < weights.size(); ++i) {
    const BufferInfo& buffer = problem.buffers[i];
    if (is_counted[i] && buffer.alignment >= unit) weights[i] = AlignUp(buffer.size_bytes, unit);
  }
  return weights;
}

void OfferMoments(const PlanProblem& problem, const Timeline& timeline,
                  const MomentBound& moment_bound, Bytes unit, const std::vector<Bytes>& weights,
                  Bound& best) {
  auto offer = [&](const Moment& moment, std::vector<BufferId> alive) {
    const Bytes bytes = moment_bound.Of(alive, unit);
    if (bytes > best.bytes) best = {bytes, std::move(alive), moment.step, {}};
  };
  std::vector<Moment> moments = SumAtSteps(timeline, weights, best.bytes);
  if (moments.empty()) return;
  // Often the heaviest moment leaves nothing to look for.
  const Moment heaviest = *std::ranges::max_element(moments, {}, &Moment::sum);
  offer(heaviest, CountedAliveAt(problem, weights, heaviest.step));
  std::erase_if(moments, [&best](const Moment& moment) { return moment.sum <= best.bytes; });
  if (moments.empty()) return;
  std::ranges::stable_sort(moments, std::greater{}, &Moment::sum);
  const Conflicts counted = LifetimesOfCounted(problem, weights);
  size_t looked_at = 0;
  for (const Moment& moment : moments) {
    if (moment.sum <= best.bytes) return;  // what a moment needs is at most its sum
    if (looked_at > kMaxLookedAt) return;  // any moment gives a bound: the heaviest had their turn
    std::vector<BufferId> alive = counted.AliveAt(moment.step);
    looked_at += alive.size();
    offer(moment, std::move(alive));
  }
}

// The conflicts without those pairs that may overlap.
Conflicts WithoutOverlaps(const PlanProblem& problem) {
  std::set<std::pair<BufferId, BufferId>> may_overlap;
  for (const Overlap& overlap : problem.overlaps) {
    may_overlap.insert(std::minmax(overlap.lower, overlap.upper));
  }
  std::vector<std::pair<BufferId, BufferId>> pairs;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto a = static_cast<BufferId>(i);
    for (BufferId b : problem.conflicts.ConflictsOf(a)) {
      if (a < b && !may_overlap.contains({a, b})) pairs.emplace_back(a, b);
    }
  }
  return Conflicts::FromPairs(problem.buffers.size(), pairs);
}

void OfferCliques(const PlanProblem& problem, const MomentBound& moment_bound, Bytes unit,
                  const std::vector<Bytes>& weights, Bound& best) {
  auto offer = [&](std::vector<BufferId> clique) {
    const Bytes bytes = moment_bound.Of(clique, unit);
    if (bytes > best.bytes) best = {bytes, std::move(clique), {}, {}};
  };
  offer(FindHeaviestClique(problem.conflicts, weights));
  if (!problem.overlaps.empty()) offer(FindHeaviestClique(WithoutOverlaps(problem), weights));
}

std::string Why(const PlanProblem& problem, const Bound& bound) {
  const std::string names = ListNames(problem, bound.alive, kMaxNamed);
  if (bound.alive.empty()) return "nothing is alive";
  return bound.step ? fmt::format("live at step {}: {}", *bound.step, names)
                    : fmt::format("all in conflict: {}", names);
}

// Nothing of an explicit graph.
std::optional<Timeline> TimelineOf(const PlanProblem& problem) {
  if (!problem.conflicts.is_implied_by_lifetimes()) return std::nullopt;
  return Timeline(problem);
}

Bound FindMomentBound(const PlanProblem& problem, const std::optional<Timeline>& timeline,
                      const std::vector<bool>& is_counted, size_t pools) {
  const MomentBound moment_bound(problem, pools);
  std::set<Bytes> units;
  for (size_t i = 0; i < is_counted.size(); ++i) {
    if (is_counted[i]) units.insert(problem.buffers[i].alignment);
  }
  units.insert(1);
  Bound best;
  for (Bytes unit : units) {
    const std::vector<Bytes> weights = RoundedSizes(problem, is_counted, unit);
    if (timeline) {
      OfferMoments(problem, *timeline, moment_bound, unit, weights, best);
    } else {
      OfferCliques(problem, moment_bound, unit, weights, best);
    }
  }
  best.why = Why(problem, best);
  return best;
}

bool IsWorkspace(const PlanProblem& problem, PoolId pool) {
  return problem.pools[Index(pool)].kind == PoolKind::kWorkspace;
}

// Buffers that every legal plan puts into a workspace pool.
std::vector<bool> AlwaysInWorkspace(const PlanProblem& problem) {
  std::vector<bool> counted;
  for (const BufferInfo& buffer : problem.buffers) {
    counted.push_back(buffer.pinned ? IsWorkspace(problem, buffer.pinned->pool)
                                    : std::ranges::all_of(buffer.pool_candidates, [&](PoolId pool) {
                                        return IsWorkspace(problem, pool);
                                      }));
  }
  return counted;
}

Bound BoundOfPool(const PlanProblem& problem, const std::optional<Timeline>& timeline,
                  PoolId pool) {
  std::vector<bool> counted;
  for (const BufferInfo& buffer : problem.buffers) {
    counted.push_back(buffer.pinned ? buffer.pinned->pool == pool
                                    : buffer.pool_candidates == std::vector<PoolId>{pool});
  }
  Bound best = FindMomentBound(problem, timeline, counted, 1);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const BufferInfo& buffer = problem.buffers[i];
    if (!buffer.pinned || buffer.pinned->pool != pool || buffer.size_bytes == 0) continue;
    const Bytes end = buffer.pinned->byte_offset + buffer.size_bytes;
    if (end <= best.bytes) continue;
    const auto id = static_cast<BufferId>(i);
    best = {end, {id}, {}, fmt::format("pinned to end at byte {}: {}", end, NameOf(problem, id))};
  }
  return best;
}

}  // namespace

Bound FindLowerBoundOfPool(const PlanProblem& problem, PoolId pool) {
  return BoundOfPool(problem, TimelineOf(problem), pool);
}

Bound FindLowerBound(const PlanProblem& problem) {
  const std::optional<Timeline> timeline = TimelineOf(problem);
  size_t workspaces = 0;
  Bound sum;
  for (size_t i = 0; i < problem.pools.size(); ++i) {
    const auto pool = static_cast<PoolId>(i);
    if (!IsWorkspace(problem, pool)) continue;
    ++workspaces;
    const Bound bound = BoundOfPool(problem, timeline, pool);
    if (bound.bytes == 0) continue;
    sum.bytes += bound.bytes;
    if (!sum.why.empty()) sum.why += "; ";
    sum.why += fmt::format("in pool {}, {}", QuotedName(problem, pool), bound.why);
    sum.alive.insert(sum.alive.end(), bound.alive.begin(), bound.alive.end());
  }
  const std::vector<bool> counted = AlwaysInWorkspace(problem);
  Bound together = FindMomentBound(problem, timeline, counted, workspaces);
  if (sum.bytes <= together.bytes) return together;
  std::ranges::sort(sum.alive);
  return sum;
}

Bound FindHeaviestMoment(const PlanProblem& problem, const std::vector<bool>& is_counted) {
  const std::vector<Bytes> weights = RoundedSizes(problem, is_counted, 1);
  Bound best;
  if (!problem.conflicts.is_implied_by_lifetimes()) {
    best.alive = FindHeaviestClique(problem.conflicts, weights);
  } else {
    const std::vector<Moment> moments = SumAtSteps(Timeline(problem), weights, 0);
    const auto most = std::ranges::max_element(moments, {}, &Moment::sum);
    if (most != moments.end()) {
      best.step = most->step;
      best.alive = CountedAliveAt(problem, weights, most->step);
    }
  }
  for (BufferId id : best.alive) best.bytes += problem.buffers[Index(id)].size_bytes;
  best.why = Why(problem, best);
  return best;
}

}  // namespace usmp::plan

namespace usmp {

Bytes LowerBound(const PlanProblem& problem) { return plan::FindLowerBound(problem).bytes; }

Bytes LiveSum(const PlanProblem& problem) {
  return plan::FindHeaviestMoment(problem, plan::AlwaysInWorkspace(problem)).bytes;
}

}  // namespace usmp
