// Time without the steps at which nothing begins.
#ifndef USMP_PLAN_TIMELINE_H_
#define USMP_PLAN_TIMELINE_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

// Ranks [begin, end).
struct RankRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// The steps at which a lifetime begins are numbered by rank. Whatever is alive together is alive
// together at one of them, and buffers that meet in one step meet in one rank. Of an explicit
// conflict graph, every pair has a rank of its own, at which the two are alive.
class Timeline {
 public:
  // The problem must outlive it.
  explicit Timeline(const PlanProblem& problem);

  // Ascending and disjoint; empty if it is in conflict with nothing.
  std::span<const RankRange> Of(BufferId id) const;
  std::vector<BufferId> AliveAt(uint32_t rank) const;
  uint32_t rank_count() const { return rank_count_; }
  // Not of an explicit graph.
  int32_t StepOf(uint32_t rank) const { return steps_[rank]; }

 private:
  void RankLifetimes(const PlanProblem& problem);
  void RankPairs();
  uint32_t RankOf(int32_t step) const;  // of the first step not before it at which a life begins

  const Conflicts& conflicts_;
  uint32_t rank_count_ = 0;
  std::vector<int32_t> steps_{};                        // by rank, or
  std::vector<std::pair<BufferId, BufferId>> pairs_{};  // by rank
  std::vector<RankRange> ranges_{};
  std::vector<uint32_t> first_{};  // by BufferId and one more: range of ranges_
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_TIMELINE_H_
