#include "plan/clique.h"

#include <algorithm>
#include <functional>

#include "plan/describe.h"

namespace usmp::plan {
namespace {

// Lookups in the graph: well under a second. The first greedy clique is always finished.
constexpr int64_t kMaxGreedyLookups = 2'000'000;
constexpr int64_t kMaxLookups = 6'000'000;

class Search {
 public:
  Search(const Conflicts& conflicts, const std::vector<Bytes>& weights)
      : conflicts_(conflicts), weights_(weights) {}

  // Cliques whose first member, in the order heaviest first, is each buffer in turn.
  std::vector<BufferId> Run() {
    std::vector<BufferId> order;
    for (size_t i = 0; i < weights_.size(); ++i) {
      if (weights_[i] > 0) order.push_back(static_cast<BufferId>(i));
    }
    std::ranges::stable_sort(order, std::greater{}, [this](BufferId id) { return Weight(id); });
    std::vector<size_t> rank(weights_.size(), 0);
    for (size_t i = 0; i < order.size(); ++i) rank[Index(order[i])] = i;
    for (BufferId id : order) {
      std::vector<BufferId> later;
      for (BufferId other : conflicts_.ConflictsOf(id)) {
        if (Weight(other) > 0 && rank[Index(other)] > rank[Index(id)]) later.push_back(other);
      }
      std::ranges::sort(later, {}, [&rank](BufferId other) { return rank[Index(other)]; });
      starts_.push_back(std::move(later));
    }
    for (size_t i = 0; i < order.size() && lookups_ < kMaxGreedyLookups; ++i) {
      TakeGreedily(order[i], starts_[i]);
    }
    for (size_t i = 0; i < order.size(); ++i) {
      current_ = {order[i]};
      Extend(std::move(starts_[i]), Weight(order[i]));
    }
    std::ranges::sort(best_);
    return best_;
  }

 private:
  Bytes Weight(BufferId id) const { return weights_[Index(id)]; }

  void Offer(const std::vector<BufferId>& clique, Bytes weight) {
    if (weight <= best_weight_) return;
    best_weight_ = weight;
    best_ = clique;
  }

  void TakeGreedily(BufferId first, const std::vector<BufferId>& candidates) {
    std::vector<BufferId> clique = {first};
    Bytes weight = Weight(first);
    for (BufferId id : candidates) {
      lookups_ += static_cast<int64_t>(clique.size());
      if (!std::ranges::all_of(
              clique, [&](BufferId member) { return conflicts_.AreInConflict(id, member); })) {
        continue;
      }
      clique.push_back(id);
      weight += Weight(id);
    }
    Offer(clique, weight);
  }

  // Buffers that are not in conflict with each other share a color, and a clique has one of each
  // color. The candidates come heaviest first, so the first of a color is its weight. Result: for
  // each candidate, the weight of the colors seen up to it, which bounds every clique among the
  // candidates up to it.
  std::vector<Bytes> BoundsByColor(std::vector<BufferId>& candidates) {
    std::vector<std::vector<BufferId>> colors;
    for (BufferId id : candidates) {
      auto fits = [&](const std::vector<BufferId>& color) {
        lookups_ += static_cast<int64_t>(color.size());
        return std::ranges::none_of(
            color, [&](BufferId other) { return conflicts_.AreInConflict(id, other); });
      };
      const auto color = lookups_ > kMaxLookups ? colors.end() : std::ranges::find_if(colors, fits);
      if (color != colors.end()) {
        color->push_back(id);
      } else {
        colors.push_back({id});
      }
    }
    std::vector<Bytes> bounds;
    Bytes total = 0;
    candidates.clear();
    for (const std::vector<BufferId>& color : colors) {
      total += Weight(color.front());
      for (BufferId id : color) {
        candidates.push_back(id);
        bounds.push_back(total);
      }
    }
    return bounds;
  }

  void Extend(std::vector<BufferId> candidates, Bytes weight) {
    Offer(current_, weight);
    if (candidates.empty() || lookups_ > kMaxLookups) return;
    const std::vector<Bytes> bounds = BoundsByColor(candidates);
    for (size_t i = candidates.size(); i-- > 0;) {
      if (weight + bounds[i] <= best_weight_) return;
      std::vector<BufferId> next;
      for (size_t j = 0; j < i; ++j) {
        if (conflicts_.AreInConflict(candidates[i], candidates[j])) next.push_back(candidates[j]);
      }
      lookups_ += static_cast<int64_t>(i);
      std::ranges::stable_sort(next, std::greater{}, [this](BufferId id) { return Weight(id); });
      current_.push_back(candidates[i]);
      Extend(std::move(next), weight + Weight(candidates[i]));
      current_.pop_back();
    }
  }

  const Conflicts& conflicts_;
  const std::vector<Bytes>& weights_;
  std::vector<std::vector<BufferId>> starts_{};  // what may follow each first member
  std::vector<BufferId> current_{};
  std::vector<BufferId> best_{};
  Bytes best_weight_ = 0;
  int64_t lookups_ = 0;
};

}  // namespace

std::vector<BufferId> FindHeaviestClique(const Conflicts& conflicts,
                                         const std::vector<Bytes>& weights) {
  return Search(conflicts, weights).Run();
}

}  // namespace usmp::plan
