// Where may a buffer go, given those that are already placed? The one answer that all algorithms
// share.
#ifndef USMP_PLAN_PLACEMENT_H_
#define USMP_PLAN_PLACEMENT_H_

#include <optional>
#include <span>
#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

// A buffer that constrains another one. If it is at `o`, the other must be at `o - below` or lower,
// or at `o + above` or higher:
//
//   address ->         o - below             o            o + above
//     other: allowed ..|       forbidden, ends excluded        |.. allowed
struct Neighbor {
  BufferId id{};
  Bytes below = 0;
  Bytes above = 0;
};

// dist(lower, upper) of two buffers in conflict, with the overlaps of at least one of them; not
// below -size(upper), where nothing changes any more.
Bytes DistanceOf(const PlanProblem& problem, std::span<const Overlap> overlaps, BufferId lower,
                 BufferId upper);

// The neighbors of every buffer; those that can never constrain (empty buffers, overlaps without
// conflict) are left out. Kept in memory unless there are too many.
class Neighborhood {
 public:
  explicit Neighborhood(const PlanProblem& problem);

  // Valid until the next call.
  std::span<const Neighbor> Of(BufferId id) const;
  const PlanProblem& problem() const { return problem_; }

 private:
  void Append(BufferId id, std::vector<Neighbor>& out) const;

  const PlanProblem& problem_;
  std::vector<std::vector<Overlap>> overlaps_of_{};  // by BufferId
  std::vector<Neighbor> all_{};
  std::vector<size_t> first_{};  // by BufferId and one more: range of all_; empty: not kept
  mutable std::vector<Neighbor> recent_{};  // of the last call, where all_ is not kept
};

// Buffers at offsets. Moving one does not move the others.
class Placement {
 public:
  // Pinned buffers are placed from the start.
  explicit Placement(const Neighborhood& neighborhood);

  bool IsPlaced(BufferId id) const;
  const PoolAllocation& At(BufferId id) const;
  void Place(BufferId id, PoolAllocation where);
  void Remove(BufferId id);

  // The lowest legal offset in a pool, whatever its size. The pool must be one that CanHold the
  // buffer.
  Bytes LowestOffset(BufferId id, PoolId pool);
  // In the first of its pools where it fits, at the lowest offset. False, and not placed, if in
  // none.
  bool PlaceByPreference(BufferId id);

  // The pools' sizes: the furthest byte used by what is placed.
  std::vector<Bytes> PoolSizes() const;
  // Neighbors looked at so far: the measure of work.
  int64_t lookups() const { return lookups_; }

 private:
  struct Forbidden {
    Bytes after = 0;  // exclusive ends
    Bytes before = 0;
  };

  const Neighborhood& neighborhood_;
  const PlanProblem& problem_;
  std::vector<PoolAllocation> allocations_;
  std::vector<bool> is_placed_;
  std::vector<Forbidden> forbidden_{};  // of the buffer in hand
  int64_t lookups_ = 0;
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_PLACEMENT_H_
