#include <algorithm>
#include <numeric>

#include "plan/complete.h"
#include "plan/describe.h"
#include "plan/sub_problem.h"
#include "usmp/pool_cost.h"

namespace usmp {
namespace {

using plan::Index;

constexpr Bytes kDefaultBurst = 4;
constexpr int64_t kMostBuffersTried = 2'000'000;  // buffers in all the pools that are filled to try

std::optional<double> Cycles(Bytes bytes, std::optional<double> bandwidth,
                             std::optional<int64_t> latency, std::optional<Bytes> burst) {
  if (bytes == 0) return 0.0;
  if (!bandwidth || *bandwidth <= 0) return {};
  const Bytes size = std::max<Bytes>(burst.value_or(kDefaultBurst), 1);
  const Bytes bursts = bytes / size + (bytes % size != 0 ? 1 : 0);
  return static_cast<double>(bytes) / *bandwidth +
         static_cast<double>(bursts) * static_cast<double>(latency.value_or(0));
}

// A buffer for which there is more than one pool, and what it costs in each.
struct Choice {
  BufferId id{};
  std::vector<std::pair<double, PoolId>> pools{};  // the cheapest first; of equals the preferred

  double Regret() const { return pools.back().first - pools.front().first; }
};

// Depth first over the choices, the cheapest pool first, so that the first leaf is what a greedy
// algorithm finds; then single moves and exchanges from the best one.
class CostSearch {
 public:
  CostSearch(const PlanProblem& problem, std::vector<Choice> choices)
      : problem_(problem), choices_(std::move(choices)), members_(problem.pools.size()) {
    std::vector<bool> is_choice(problem.buffers.size());
    for (const Choice& choice : choices_) is_choice[Index(choice.id)] = true;
    for (size_t i = 0; i < problem.buffers.size(); ++i) {
      if (!is_choice[i])
        members_[Index(problem.buffers[i].pool_candidates[0])].push_back(static_cast<BufferId>(i));
    }
    least_of_rest_.resize(choices_.size() + 1);
    for (size_t i = choices_.size(); i-- > 0;) {
      least_of_rest_[i] = least_of_rest_[i + 1] + choices_[i].pools.front().first;
    }
  }

  // The members of every pool; nothing if no placement was found.
  std::optional<std::vector<std::vector<BufferId>>> Run() {
    taken_.assign(choices_.size(), 0);
    Descend(0, 0);
    if (best_.empty() && !choices_.empty()) return {};
    Improve();
    std::vector<std::vector<BufferId>> members = members_;
    for (size_t i = 0; i < best_.size(); ++i) {
      members[Index(choices_[i].pools[best_[i]].second)].push_back(choices_[i].id);
    }
    return members;
  }

 private:
  bool Fits(PoolId pool, const std::vector<BufferId>& members) {
    tried_ += static_cast<int64_t>(members.size()) + 1;
    return plan::PlanPool(problem_, pool, members).has_value();
  }

  bool IsSpent() const { return tried_ > kMostBuffersTried; }

  void Descend(size_t depth, double cost) {
    if (best_cost_ && cost + least_of_rest_[depth] >= *best_cost_) return;
    if (depth == choices_.size()) {
      best_cost_ = cost;
      best_ = taken_;
      return;
    }
    const Choice& choice = choices_[depth];
    for (size_t i = 0; i < choice.pools.size(); ++i) {
      if (best_cost_ && IsSpent()) return;
      std::vector<BufferId>& members = members_[Index(choice.pools[i].second)];
      members.push_back(choice.id);
      taken_[depth] = i;
      if (Fits(choice.pools[i].second, members)) Descend(depth + 1, cost + choice.pools[i].first);
      members.pop_back();
    }
  }

  std::vector<BufferId> MembersOf(PoolId pool, const std::vector<size_t>& taken) const {
    std::vector<BufferId> members = members_[Index(pool)];
    for (size_t i = 0; i < taken.size(); ++i) {
      if (choices_[i].pools[taken[i]].second == pool) members.push_back(choices_[i].id);
    }
    return members;
  }

  // Takes `next` if it is better and the pools that choices a and b go to hold it.
  bool Accept(const std::vector<size_t>& next, size_t a, size_t b) {
    double cost = 0;
    for (size_t i = 0; i < next.size(); ++i) cost += choices_[i].pools[next[i]].first;
    if (cost >= *best_cost_ || IsSpent()) return false;
    for (size_t i : {a, b}) {
      const PoolId pool = choices_[i].pools[next[i]].second;
      if (!Fits(pool, MembersOf(pool, next))) return false;
    }
    best_cost_ = cost;
    best_ = next;
    return true;
  }

  bool ImproveOnce() {
    for (size_t a = 0; a < choices_.size(); ++a) {
      for (size_t to = 0; to < best_[a]; ++to) {
        std::vector<size_t> next = best_;
        next[a] = to;
        if (Accept(next, a, a)) return true;
        for (size_t b = 0; b < choices_.size(); ++b) {  // makes room for it
          if (b == a || choices_[b].pools[best_[b]].second != choices_[a].pools[to].second)
            continue;
          for (size_t away = 0; away < choices_[b].pools.size(); ++away) {
            next[b] = away;
            if (away != best_[b] && Accept(next, a, b)) return true;
          }
          next[b] = best_[b];
        }
      }
    }
    return false;
  }

  void Improve() {
    while (!IsSpent() && ImproveOnce()) {
    }
  }

  const PlanProblem& problem_;
  std::vector<Choice> choices_;
  std::vector<std::vector<BufferId>> members_;  // by pool: without a choice, and chosen so far
  std::vector<double> least_of_rest_{};         // [depth]: the cheapest pools of the choices below
  std::vector<size_t> taken_{}, best_{};        // by choice: index into its pools
  std::optional<double> best_cost_{};
  int64_t tried_ = 0;
};

// The choices, those first that lose most for each byte; nothing if a figure is missing.
std::optional<std::vector<Choice>> CollectChoices(const PlanProblem& problem) {
  std::vector<Choice> choices;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const BufferInfo& buffer = problem.buffers[i];
    if (buffer.pool_candidates.size() < 2 || buffer.pinned || buffer.size_bytes == 0) continue;
    Choice choice{.id = static_cast<BufferId>(i)};
    for (PoolId pool : buffer.pool_candidates) {
      const std::optional<double> time = MemoryTime(buffer, problem.pools[Index(pool)]);
      if (!time) return {};
      choice.pools.emplace_back(*time, pool);
    }
    std::ranges::stable_sort(choice.pools, {}, &std::pair<double, PoolId>::first);
    choices.push_back(std::move(choice));
  }
  std::ranges::stable_sort(choices, std::greater<>(), [&](const Choice& choice) {
    return choice.Regret() / static_cast<double>(problem.buffers[Index(choice.id)].size_bytes);
  });
  return choices;
}

// A pinned buffer is where it is pinned.
PlanProblem WithoutPinnedChoices(PlanProblem problem) {
  for (BufferInfo& buffer : problem.buffers) {
    if (buffer.pinned) buffer.pool_candidates = {buffer.pinned->pool};
  }
  return problem;
}

// Every pool by the algorithm, or as it was found to fit.
Result<Plan> PlanPools(const PlanProblem& problem,
                       const std::vector<std::vector<BufferId>>& members,
                       const Algorithm& algorithm, const PlanOptions& options) {
  Plan whole{.allocations = std::vector<PoolAllocation>(problem.buffers.size())};
  for (size_t i = 0; i < members.size(); ++i) {
    const auto pool = static_cast<PoolId>(i);
    const PlanProblem part = plan::SubProblem(problem, pool, members[i]);
    Result<Plan> planned = MakePlan(part, algorithm, options);
    if (!planned) planned = plan::PlanPool(problem, pool, members[i]);
    if (!planned) return planned;
    whole.steps += planned->steps;
    for (size_t k = 0; k < members[i].size(); ++k) {
      whole.allocations[Index(members[i][k])] = {pool, planned->allocations[k].byte_offset};
    }
  }
  return whole;
}

}  // namespace

std::optional<double> MemoryTime(const BufferInfo& buffer, const PoolInfo& pool) {
  const PoolPerformance& figures = pool.performance;
  if (!figures.clock_frequency_hz || *figures.clock_frequency_hz <= 0) return {};
  const auto reads = Cycles(buffer.bytes_read, figures.read_bandwidth_bytes_per_cycle,
                            figures.read_latency_cycles, figures.burst_bytes);
  const auto writes = Cycles(buffer.bytes_written, figures.write_bandwidth_bytes_per_cycle,
                             figures.write_latency_cycles, figures.burst_bytes);
  if (!reads || !writes) return {};
  return (*reads + *writes) * 1e9 / static_cast<double>(*figures.clock_frequency_hz);
}

std::optional<double> MemoryTime(const PlanProblem& problem, const Plan& plan) {
  double sum = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto time =
        MemoryTime(problem.buffers[i], problem.pools[Index(plan.allocations[i].pool)]);
    if (!time) return {};
    sum += *time;
  }
  return sum;
}

Result<Plan> MakePlanByCost(const PlanProblem& problem, const Algorithm& algorithm,
                            const PlanOptions& options) {
  if (Result<void> checked = CheckProblem(problem); !checked) return Fail(checked.error());
  const PlanProblem chosen = WithoutPinnedChoices(problem);
  auto choices = CollectChoices(chosen);
  if (!choices || choices->empty()) return MakePlan(problem, algorithm, options);
  const auto members = CostSearch(chosen, std::move(*choices)).Run();
  if (!members) return MakePlan(problem, algorithm, options);  // which says why it does not fit
  auto whole = PlanPools(chosen, *members, algorithm, options);
  if (!whole) return whole;
  return plan::Complete(problem, std::move(*whole), algorithm.name);
}

}  // namespace usmp
