#include "plan/timeline.h"

#include <algorithm>

#include "plan/describe.h"

namespace usmp::plan {

Timeline::Timeline(const PlanProblem& problem) : conflicts_(problem.conflicts) {
  if (conflicts_.is_implied_by_lifetimes()) {
    RankLifetimes(problem);
  } else {
    RankPairs();
  }
}

void Timeline::RankLifetimes(const PlanProblem& problem) {
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    for (const Lifetime& life : conflicts_.LifetimesOf(static_cast<BufferId>(i))) {
      steps_.push_back(life.begin);
    }
  }
  ranges_.reserve(steps_.size());
  std::ranges::sort(steps_);
  steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
  rank_count_ = static_cast<uint32_t>(steps_.size());
  first_.reserve(problem.buffers.size() + 1);
  first_.push_back(0);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    for (const Lifetime& life : conflicts_.LifetimesOf(static_cast<BufferId>(i))) {
      ranges_.push_back({RankOf(life.begin), RankOf(life.end)});
    }
    first_.push_back(static_cast<uint32_t>(ranges_.size()));
  }
}

void Timeline::RankPairs() {
  std::vector<std::vector<RankRange>> ranges(conflicts_.buffer_count());
  auto add = [&](BufferId id) {
    std::vector<RankRange>& life = ranges[Index(id)];
    if (!life.empty() && life.back().end == rank_count_) {
      ++life.back().end;
    } else {
      life.push_back({rank_count_, rank_count_ + 1});
    }
  };
  for (size_t i = 0; i < ranges.size(); ++i) {
    const auto id = static_cast<BufferId>(i);
    for (BufferId other : conflicts_.ConflictsOf(id)) {
      if (other < id) continue;
      add(id);
      add(other);
      pairs_.emplace_back(id, other);
      ++rank_count_;
    }
  }
  first_.push_back(0);
  for (const std::vector<RankRange>& life : ranges) {
    ranges_.insert(ranges_.end(), life.begin(), life.end());
    first_.push_back(static_cast<uint32_t>(ranges_.size()));
  }
}

std::vector<BufferId> Timeline::AliveAt(uint32_t rank) const {
  if (pairs_.empty()) return conflicts_.AliveAt(steps_[rank]);
  return {pairs_[rank].first, pairs_[rank].second};
}

std::span<const RankRange> Timeline::Of(BufferId id) const {
  const uint32_t first = first_[Index(id)];
  return std::span(ranges_).subspan(first, first_[Index(id) + 1] - first);
}

uint32_t Timeline::RankOf(int32_t step) const {
  return static_cast<uint32_t>(std::ranges::lower_bound(steps_, step) - steps_.begin());
}

}  // namespace usmp::plan
