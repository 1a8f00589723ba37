// First fit of any number of buffers in a given order.
#ifndef USMP_PLAN_FIRST_FIT_H_
#define USMP_PLAN_FIRST_FIT_H_

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "plan/occupied.h"
#include "plan/score.h"

namespace usmp::plan {

class FirstFit {
 public:
  // Both must outlive it.
  FirstFit(const PlanProblem& problem, const Timeline& timeline);

  // Places the buffers of `order` (those that take bytes and are not pinned), each in the first of
  // its pools where it fits; where it fits in none, where it sticks out least. Gives up, and is
  // false, once the score cannot be below `limit` any more or `max_work` is reached.
  bool Run(std::span<const BufferId> order, const std::optional<Score>& limit, int64_t max_work);

  // After a Run that was true: by BufferId, and what they are worth.
  const std::vector<PoolAllocation>& allocations() const { return allocations_; }
  const Tally& tally() const { return tally_; }
  // After one that was false: where in the order the last buffer placed is.
  size_t failed_at() const { return failed_at_; }
  int64_t work() const;

 private:
  void Start();
  PoolAllocation Choose(BufferId id);
  Bytes LowestOffset(BufferId id, PoolId pool);
  Bytes LowestAmongOverlaps(BufferId id, PoolId pool);
  void Place(BufferId id, PoolAllocation where);

  const PlanProblem& problem_;
  const Timeline& timeline_;
  std::map<BufferId, std::vector<Overlap>> overlaps_of_{};
  std::vector<Occupied> pools_{};
  std::vector<PoolAllocation> allocations_;
  std::vector<bool> is_placed_;
  Tally tally_{};
  size_t failed_at_ = 0;
  int64_t work_ = 0;  // beyond that of the pools
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_FIRST_FIT_H_
