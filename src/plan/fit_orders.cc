#include "plan/fit_orders.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/describe.h"
#include "plan/exact.h"
#include "plan/explain.h"
#include "plan/first_fit.h"
#include "plan/one_pass.h"
#include "plan/random.h"
#include "plan/sort_key.h"
#include "support/check.h"

namespace usmp::plan {
namespace {

constexpr int64_t kMaxPairs = 1'000'000;
constexpr size_t kMaxExact = 5'000;  // buffers
constexpr int64_t kWorkPerStep = 160;
constexpr int64_t kPassWork = 256;  // for each buffer
constexpr int kIdlePromotions = 40;
constexpr int kRandomOrders = 20;
constexpr size_t kIdleOrdersPerBuffer = 10;  // then it gives up

// Pairs in conflict. Those of several lifetimes may count more than once.
int64_t CountPairs(const PlanProblem& problem) {
  std::vector<std::pair<int32_t, bool>> events;  // an end sorts before a begin
  int64_t pairs = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto id = static_cast<BufferId>(i);
    if (!problem.conflicts.is_implied_by_lifetimes()) {
      pairs += std::ssize(problem.conflicts.ConflictsOf(id));
    } else if (problem.buffers[i].size_bytes > 0) {
      for (const auto& [begin, end] : problem.conflicts.LifetimesOf(id)) {
        events.emplace_back(begin, true);
        events.emplace_back(end, false);
      }
    }
  }
  if (events.empty()) return pairs / 2;
  std::ranges::sort(events);
  int64_t alive = 0;
  for (const auto& [step, begins] : events) {
    if (begins) pairs += alive;
    alive += begins ? 1 : -1;
  }
  return pairs;
}

class Search {
 public:
  Search(const PlanProblem& problem, const PlanOptions& options)
      : problem_(problem),
        max_work_(options.max_steps > INT64_MAX / kWorkPerStep ? INT64_MAX
                                                               : options.max_steps * kWorkPerStep),
        random_(options.seed),
        timeline_(problem),
        goal_(Goal(problem)) {}

  Result<Plan> Run() {
    TryPass(kPassRules[0]);
    if (!IsDone()) TryOrders();
    if (best_.score.excess > 0) return Explain();
    return Plan{.allocations = std::move(allocations_),
                .pool_sizes = best_.pool_sizes,
                .steps = (work_ + kWorkPerStep - 1) / kWorkPerStep};
  }

 private:
  bool IsDone() const {
    return best_.score <= goal_ || work_ >= max_work_ ||
           idle_orders_ > kIdleOrdersPerBuffer * problem_.buffers.size();
  }

  bool Offer(const Tally& tally, const std::vector<PoolAllocation>& allocations) {
    if (!allocations_.empty() && tally.score >= best_.score) return false;
    best_ = tally;
    allocations_ = allocations;
    return true;
  }

  void TryPass(const PassRule& rule) {
    const PassResult result = PlaceInOnePass(problem_, timeline_, rule);
    work_ += kPassWork * static_cast<int64_t>(problem_.buffers.size());
    Offer(result.tally, result.allocations);
  }

  void TryOrders() {
    const SortKeys keys(problem_, timeline_);
    FirstFit fit(problem_, timeline_);
    for (const Weights& weights : kPortfolio) {
      if (!IsDone()) TryOrder(keys, fit, weights);
    }
    for (size_t i = 1; i < kPassRules.size() && !IsDone(); ++i) TryPass(kPassRules[i]);
    for (int round = 0; !IsDone(); round = (round + 1) % 3) {
      if (round < 2) {
        Promote(fit, round == 1);
      } else {
        TryRandomWeights(keys, fit);
      }
    }
  }

  void TryRandomWeights(const SortKeys& keys, FirstFit& fit) {
    for (int i = 0; i < kRandomOrders && !IsDone(); ++i) {
      TryOrder(keys, fit,
               random_.Below(4) == 0 ? RandomWeights(random_) : Mutated(best_weights_, random_));
    }
  }

  void TryOrder(const SortKeys& keys, FirstFit& fit, const Weights& weights) {
    if (TryOrder(fit, keys.Order(weights))) best_weights_ = weights;
  }

  bool TryOrder(FirstFit& fit, const std::vector<BufferId>& order) {
    const int64_t before = fit.work();
    const bool is_complete = fit.Run(order, best_.score, before + max_work_ - work_);
    work_ += fit.work() - before + static_cast<int64_t>(order.size());
    ++idle_orders_;
    if (!is_complete || !Offer(fit.tally(), fit.allocations())) return false;
    idle_orders_ = 0;
    best_order_ = order;
    return true;
  }

  // From the best order on, what reaches too high moves ahead of others, again and again. With
  // `is_climbing`, orders that fail earlier than before are given up.
  void Promote(FirstFit& fit, bool is_climbing) {
    std::vector<BufferId> order = best_order_;
    std::vector<BufferId> trial = order;
    size_t reached = 0;
    for (int idle = 0; idle < kIdlePromotions && !IsDone(); ++idle) {
      if (order.size() < 2) return;
      const bool is_better = TryOrder(fit, trial);
      if (is_better || fit.failed_at() > reached) idle = 0;
      if (is_better || !is_climbing || fit.failed_at() >= reached) {
        reached = is_better ? 0 : fit.failed_at();
        order = trial;
      }
      trial = order;
      if (reached > 0) MoveAhead(trial, PickPromoted(reached, idle));
    }
  }

  // The one at which it failed; after some time without success, any before it.
  size_t PickPromoted(size_t reached, int idle) {
    return idle > kIdlePromotions / 8 && random_.Below(2) == 0 ? 1 + random_.Below(reached)
                                                               : reached;
  }

  void MoveAhead(std::vector<BufferId>& order, size_t from) {
    const size_t nearby = std::min(from, size_t{1} << random_.Below(12));
    const size_t to =
        random_.Below(2) == 0 ? random_.Below(from) : from - 1 - random_.Below(nearby);
    std::rotate(order.begin() + static_cast<ptrdiff_t>(to),
                order.begin() + static_cast<ptrdiff_t>(from),
                order.begin() + static_cast<ptrdiff_t>(from) + 1);
  }

  Result<Plan> Explain() const {
    const Neighborhood neighborhood(problem_);
    Placement placement(neighborhood);
    std::optional<BufferId> misfit;
    for (size_t i = 0; i < allocations_.size(); ++i) {
      const auto id = static_cast<BufferId>(i);
      if (problem_.buffers[i].pinned) continue;
      if (ExcessOf(problem_, id, allocations_[i]) > 0) {
        misfit = misfit.value_or(id);
      } else {
        placement.Place(id, allocations_[i]);
      }
    }
    USMP_CHECK(misfit.has_value());
    return Fail(DoesNotFit(problem_, placement, *misfit));
  }

  const PlanProblem& problem_;
  int64_t max_work_;
  Random random_;
  Timeline timeline_;
  Score goal_;
  Tally best_{};
  std::vector<PoolAllocation> allocations_{};  // of the best
  std::vector<BufferId> best_order_{};         // of first fit
  Weights best_weights_ = kPortfolio[0];
  int64_t work_ = 0;
  size_t idle_orders_ = 0;  // since one was better
};

}  // namespace

Result<Plan> FitOrders(const PlanProblem& problem, const PlanOptions& options) {
  if (CountPairs(problem) > kMaxPairs && !problem.conflicts.is_implied_by_lifetimes()) {
    return Fail(ErrorCode::kUnsupported, "conflicts",
                fmt::format("more than {} pairs are too many for fit_orders: give lifetimes "
                            "instead, or use another algorithm",
                            kMaxPairs));
  }
  return Search(problem, options).Run();
}

int64_t StepsOfFixedOrders(const PlanProblem& problem) {
  return 1000 + 4 * static_cast<int64_t>(problem.buffers.size());
}

bool IsLarge(const PlanProblem& problem) {
  return problem.conflicts.is_implied_by_lifetimes() && CountPairs(problem) > kMaxPairs;
}

Result<Plan> AutoOfLarge(const PlanProblem& problem, const PlanOptions& options) {
  if (problem.buffers.size() > kMaxExact) return FitOrders(problem, options);
  const int64_t half = options.max_steps / 2;
  Result<Plan> plan = FitOrders(problem, {.seed = options.seed, .max_steps = half});
  if (!plan || WorkspaceBytes(problem, *plan) <= LowerBound(problem)) return plan;
  std::optional<Plan> exact =
      ImproveExactly(problem, plan->allocations, {.seed = options.seed, .max_steps = half});
  if (!exact) return plan;
  exact->steps += plan->steps;
  return *std::move(exact);
}

}  // namespace usmp::plan
