// An order of the buffers and what first fit makes of it: the state of every search over orders.
#ifndef USMP_PLAN_ARRANGEMENT_H_
#define USMP_PLAN_ARRANGEMENT_H_

#include <span>
#include <vector>

#include "plan/placement.h"
#include "plan/score.h"

namespace usmp::plan {

class Arrangement {
 public:
  // Pinned buffers are placed already and in no order.
  Arrangement(const Neighborhood& neighborhood, std::vector<BufferId> order);

  const std::vector<BufferId>& order() const { return order_; }
  size_t PositionOf(BufferId id) const { return position_[static_cast<size_t>(id)]; }
  const Placement& placement() const { return placement_; }
  const Score& score() const { return after_.back().score; }
  const std::vector<Bytes>& pool_sizes() const { return after_.back().pool_sizes; }
  bool IsBeyondPool(BufferId id) const;
  int64_t steps() const { return steps_; }

  // Moves the buffer at position `from` to `to`, those between by one, and places what follows
  // anew. If the score would be above `limit`, everything stays as it was and the result is false.
  bool Move(size_t from, size_t to, const Score& limit);
  bool Swap(size_t a, size_t b, const Score& limit);
  // What any other placement is worth.
  Tally Judge(std::span<const PoolAllocation> allocations) const;
  // Takes over another order.
  void Reset(std::vector<BufferId> order);

 private:
  // Places the buffers from position `first` on; stops early and returns false once above `limit`.
  bool PlaceFrom(size_t first, const Score* limit);
  bool TryFrom(size_t first, size_t last, const std::vector<BufferId>& old_order,
               const Score& limit);
  PoolAllocation Choose(BufferId id);
  void Restore(size_t first, size_t last, const std::vector<BufferId>& old_order);

  const PlanProblem& problem_;
  Placement placement_;
  std::vector<BufferId> order_;
  std::vector<size_t> position_;
  std::vector<Tally> after_;  // [i]: when the first i of the order are placed
  std::vector<Tally> tried_;  // the same for an order that is not accepted yet
  std::vector<PoolAllocation> old_allocations_;
  int64_t steps_ = 0;
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_ARRANGEMENT_H_
