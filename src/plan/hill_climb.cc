#include "plan/hill_climb.h"

#include <algorithm>

#include "plan/arrangement.h"
#include "plan/describe.h"
#include "plan/exact.h"
#include "plan/explain.h"
#include "plan/fit_orders.h"
#include "plan/greedy.h"
#include "plan/lower_bound.h"
#include "plan/random.h"
#include "support/check.h"

namespace usmp::plan {
namespace {

class Search {
 public:
  Search(const PlanProblem& problem, const PlanOptions& options)
      : problem_(problem),
        neighborhood_(problem),
        options_(options),
        random_(options.seed),
        now_(neighborhood_, OrderBySize(neighborhood_)),
        best_order_(now_.order()),
        best_(now_.score()),
        goal_(Goal(problem)) {}

  // No search can make it fit.
  bool IsHopeless() const { return best_.excess > 0 && IsImpossible(problem_); }
  bool IsDone() const { return best_ <= goal_ || Steps() >= options_.max_steps; }

  // Takes over the order if it is better than the best so far.
  void TryOrder(std::vector<BufferId> order) {
    if (IsDone()) return;
    now_.Reset(std::move(order));
    Offer();
  }

  // A plan of another algorithm, with what it proved. Like those of first fit it may reach beyond a
  // pool, but nothing else may be wrong with it.
  void TakeOver(Plan plan) {
    attempts_ += plan.steps;
    goal_.peak = std::max(goal_.peak, plan.lower_bound_bytes);
    const auto [score, pool_sizes] = now_.Judge(plan.allocations);
    if (score < best_) {
      best_ = score;
      is_taken_over_ = true;
      other_.allocations = std::move(plan.allocations);
      other_.pool_sizes = pool_sizes;
    }
    if (plan.lower_bound_bytes <= other_.lower_bound_bytes) return;
    other_.lower_bound_bytes = plan.lower_bound_bytes;
    other_.proof = plan.proof;
    other_.witness = std::move(plan.witness);
  }

  // Of the best plan.
  std::vector<PoolAllocation> Allocations() {
    if (is_taken_over_) return other_.allocations;
    now_.Reset(best_order_);
    std::vector<PoolAllocation> allocations;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      allocations.push_back(now_.placement().At(static_cast<BufferId>(i)));
    }
    return allocations;
  }

  int64_t Steps() const { return now_.steps() + attempts_; }

  void TryGreedyOrders() {
    for (size_t i = 0; i < kOrders; ++i) TryOrder(GreedyOrder(i));
  }

  void Climb() {
    if (now_.order().size() < 2) return;
    for (size_t round = 0; !IsDone() && round < last_progress_ + kMaxIdleRounds; ++round) {
      round_ = round;
      // Every second round goes on from the best order, the others start from each greedy order in
      // turn.
      now_.Reset(round % 2 == 0 ? best_order_ : GreedyOrder(round / 2 % kOrders));
      Offer();
      ClimbFromHere();
    }
  }

  Result<Plan> Finish() {
    if (best_.excess > 0) return Explain();
    Plan plan = other_;
    plan.allocations = Allocations();
    if (!is_taken_over_) plan.pool_sizes = now_.pool_sizes();
    plan.steps = Steps();
    return plan;
  }

 private:
  static constexpr size_t kOrders = 5;
  static constexpr size_t kMaxIdleRounds = 40;

  std::vector<BufferId> GreedyOrder(size_t which) const {
    if (which == 0) return OrderBySize(neighborhood_);
    if (which == 1) return OrderByConflicts(neighborhood_);
    std::vector<double> keys;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      const auto id = static_cast<BufferId>(i);
      const auto size = static_cast<double>(problem_.buffers[i].size_bytes);
      const double steps = StepsAlive(id);
      keys.push_back(which == 2 ? size * steps : which == 3 ? steps : Pressure(id));
    }
    std::vector<BufferId> order(keys.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<BufferId>(i);
    std::ranges::stable_sort(order, std::greater{}, [&](BufferId id) { return keys[Index(id)]; });
    return order;
  }

  // For how long; of an explicit graph, against how many others.
  double StepsAlive(BufferId id) const {
    if (!problem_.conflicts.is_implied_by_lifetimes()) {
      return static_cast<double>(neighborhood_.Of(id).size() + 1);
    }
    double steps = 0;
    for (const auto& [begin, end] : problem_.conflicts.LifetimesOf(id)) {
      steps += static_cast<double>(int64_t{end} - begin);
    }
    return steps;
  }

  // How many bytes there are in conflict with it, its own included.
  double Pressure(BufferId id) const {
    auto bytes = static_cast<double>(problem_.buffers[Index(id)].size_bytes);
    for (const Neighbor& neighbor : neighborhood_.Of(id)) {
      bytes += static_cast<double>(problem_.buffers[Index(neighbor.id)].size_bytes);
    }
    return bytes;
  }

  void Offer() {
    if (now_.score() >= best_) return;
    best_ = now_.score();
    best_order_ = now_.order();
    is_taken_over_ = false;
    last_progress_ = round_;
  }

  // Until nothing has become better for a while. Orders that are a little worse are accepted too,
  // by less and less, so that small dips are crossed.
  void ClimbFromHere() {
    const auto patience = static_cast<int64_t>(now_.order().size() * 20 + 200);
    Score limit = now_.score();
    Score best_here = limit;
    for (int64_t idle = 0; idle < patience && !IsDone(); ++idle) {
      const auto slack = static_cast<uint64_t>(best_here.peak / 32 * (patience - idle) / patience);
      limit = best_here;
      limit.peak += static_cast<Bytes>(random_.Next() % (slack + 1));
      if (!TryMove(limit) || now_.score() >= best_here) continue;
      best_here = now_.score();
      idle = 0;
      Offer();
    }
  }

  bool TryMove(const Score& limit) {
    ++attempts_;
    const std::vector<BufferId> chain = ChainUnder(PickCulprit());
    const BufferId moved = chain[random_.Below(chain.size())];
    const std::span<const Neighbor> neighbors = neighborhood_.Of(moved);
    const BufferId other = neighbors.empty() || random_.Below(4) == 0
                               ? now_.order()[random_.Below(now_.order().size())]
                               : neighbors[random_.Below(neighbors.size())].id;
    if (moved == other || IsPinned(moved) || IsPinned(other)) return false;
    const size_t from = now_.PositionOf(moved);
    const size_t to = now_.PositionOf(other);
    return random_.Below(2) == 0 ? now_.Swap(from, to, limit) : now_.Move(from, to, limit);
  }

  bool IsPinned(BufferId id) const { return problem_.buffers[Index(id)].pinned.has_value(); }

  // A buffer that makes the score what it is: beyond its pool, or else one at the top of a pool.
  BufferId PickCulprit() {
    std::vector<BufferId> culprits;
    const bool sticks_out = now_.score().excess > 0;
    for (BufferId id : now_.order()) {
      const auto [pool, offset] = now_.placement().At(id);
      const Bytes end = offset + problem_.buffers[Index(id)].size_bytes;
      const bool is_culprit =
          sticks_out ? now_.IsBeyondPool(id) : end == now_.pool_sizes()[Index(pool)];
      if (is_culprit) culprits.push_back(id);
    }
    return culprits.empty() ? now_.order()[random_.Below(now_.order().size())]
                            : culprits[random_.Below(culprits.size())];
  }

  // From a buffer down to the bottom, always to one that it rests on.
  std::vector<BufferId> ChainUnder(BufferId top) {
    std::vector<BufferId> chain = {top};
    while (true) {
      const auto [pool, offset] = now_.placement().At(chain.back());
      std::vector<BufferId> supports;
      for (const Neighbor& neighbor : neighborhood_.Of(chain.back())) {
        const auto [other_pool, other_offset] = now_.placement().At(neighbor.id);
        // Within the padding that the alignment may need.
        const Bytes least = other_offset + neighbor.above;
        const Bytes alignment = problem_.buffers[Index(chain.back())].alignment;
        if (other_pool == pool && other_offset < offset && least <= offset &&
            offset - least < alignment) {
          supports.push_back(neighbor.id);
        }
      }
      if (supports.empty()) return chain;
      chain.push_back(supports[random_.Below(supports.size())]);
    }
  }

  // First fit once more, up to the buffer that does not fit.
  Result<Plan> Explain() {
    Placement placement(neighborhood_);
    const auto misfit = std::ranges::find_if_not(
        best_order_, [&](BufferId id) { return placement.PlaceByPreference(id); });
    USMP_CHECK(misfit != best_order_.end());
    return Fail(DoesNotFit(problem_, placement, *misfit));
  }

  const PlanProblem& problem_;
  Neighborhood neighborhood_;
  PlanOptions options_;
  Random random_;
  Arrangement now_;
  std::vector<BufferId> best_order_;
  Score best_;
  Score goal_;
  Plan other_{};                // the best plan of another algorithm, and what others proved
  bool is_taken_over_ = false;  // and is the best so far
  int64_t attempts_ = 0;
  size_t round_ = 0;
  size_t last_progress_ = 0;
};

}  // namespace

Result<Plan> HillClimb(const PlanProblem& problem, const PlanOptions& options) {
  Search search(problem, options);
  search.Climb();
  return search.Finish();
}

Result<Plan> Auto(const PlanProblem& problem, const PlanOptions& options) {
  if (IsLarge(problem)) return AutoOfLarge(problem, options);
  Search search(problem, options);
  search.TryGreedyOrders();
  if (search.IsHopeless()) return search.Finish();
  auto left = [&] { return options.max_steps - search.Steps(); };
  auto fit_orders = [&](int64_t budget) {
    if (search.IsDone()) return;
    Result<Plan> plan = FitOrders(problem, {.seed = options.seed, .max_steps = budget});
    if (plan) search.TakeOver(*std::move(plan));
  };
  fit_orders(std::min(left(), StepsOfFixedOrders(problem)));
  if (!search.IsDone()) {
    std::optional<Plan> exact = ImproveExactly(problem, search.Allocations(),
                                               {.seed = options.seed, .max_steps = left() / 4 * 3});
    if (exact) search.TakeOver(*std::move(exact));
  }
  fit_orders(left() / 2);
  search.Climb();
  return search.Finish();
}

}  // namespace usmp::plan
