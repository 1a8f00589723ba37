#include "plan/violations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "plan/describe.h"

namespace usmp::plan {
namespace {

using OrderedPair = std::pair<BufferId, BufferId>;

// A sweep over the schedule. The bytes of the buffers alive in a pool are kept in address order; as
// long as they are disjoint, a newcomer only has to look at what surrounds it. One that is not
// disjoint from the others, legally or not, is kept aside and looked at one by one until what it
// shares bytes with has ended.
class Sweep {
 public:
  Sweep(const PlanProblem& problem, std::span<const PoolAllocation> allocations)
      : problem_(problem), allocations_(allocations), pools_(problem.pools.size()) {
    for (const Overlap& overlap : problem.overlaps) {
      distances_[{overlap.lower, overlap.upper}] = overlap.distance_bytes;
    }
  }

  void RunOverLifetimes(std::span<const BufferId> ids) {
    std::vector<std::tuple<int32_t, bool, BufferId>> events;  // an end sorts before a begin
    for (BufferId id : ids) {
      if (Size(id) == 0) continue;
      for (const Lifetime& steps : problem_.conflicts.LifetimesOf(id)) {
        events.emplace_back(steps.begin, true, id);
        events.emplace_back(steps.end, false, id);
      }
    }
    std::ranges::sort(events);
    for (const auto& [step, begins, id] : events) {
      if (IsFull()) return;
      step_ = step;
      begins ? Begin(id) : End(id);
    }
  }

  void RunOverPairs(std::span<const BufferId> ids) {
    for (BufferId a : ids) {
      for (BufferId b : problem_.conflicts.ConflictsOf(a)) {
        if (IsFull()) return;
        if (a < b && std::ranges::binary_search(ids, b)) CheckPair(a, b);
      }
    }
  }

  std::vector<Diagnostic> TakeFound() { return std::move(found_); }

 private:
  struct Alive {
    std::map<Bytes, BufferId> disjoint{};  // by offset
    std::set<BufferId> aside{};
  };

  Bytes Size(BufferId id) const { return problem_.buffers[Index(id)].size_bytes; }
  Bytes Offset(BufferId id) const { return allocations_[Index(id)].byte_offset; }
  Bytes End_(BufferId id) const { return Offset(id) + Size(id); }
  bool IsFull() const { return found_.size() >= kMaxListedViolations; }

  bool ShareBytes(BufferId a, BufferId b) const {
    return allocations_[Index(a)].pool == allocations_[Index(b)].pool && Size(a) > 0 &&
           Size(b) > 0 && Offset(a) < End_(b) && Offset(b) < End_(a);
  }

  Bytes Distance(BufferId lower, BufferId upper) const {
    const auto found = distances_.find({lower, upper});
    return found == distances_.end() ? Size(lower) : found->second;
  }

  bool IsAllowed(BufferId a, BufferId b) const {
    return Offset(b) - Offset(a) >= Distance(a, b) || Offset(a) - Offset(b) >= Distance(b, a);
  }

  void Begin(BufferId id) {
    Alive& alive = pools_[Index(allocations_[Index(id)].pool)];
    for (BufferId kept : alive.aside) CheckPair(id, kept);
    Keep(alive, id);
  }

  // Among the disjoint ones if it is, else aside.
  void Keep(Alive& alive, BufferId id) {
    bool is_disjoint = true;
    auto other = alive.disjoint.lower_bound(Offset(id));
    if (other != alive.disjoint.begin()) --other;
    for (; other != alive.disjoint.end() && other->first < End_(id); ++other) {
      if (!ShareBytes(id, other->second)) continue;
      CheckPair(id, other->second);
      if (is_disjoint) waiting_[other->second].push_back(id);
      is_disjoint = false;
    }
    if (is_disjoint) {
      alive.disjoint.emplace(Offset(id), id);
    } else {
      alive.aside.insert(id);
    }
  }

  void End(BufferId id) {
    Alive& alive = pools_[Index(allocations_[Index(id)].pool)];
    if (alive.aside.erase(id) > 0) return;
    alive.disjoint.erase(Offset(id));
    const auto waiting = waiting_.find(id);
    if (waiting == waiting_.end()) return;
    const std::vector<BufferId> ids = std::move(waiting->second);
    waiting_.erase(waiting);
    for (BufferId kept : ids) {
      if (alive.aside.erase(kept) > 0) Keep(alive, kept);
    }
  }

  void CheckPair(BufferId a, BufferId b) {
    if (IsFull() || !ShareBytes(a, b) || IsAllowed(a, b)) return;
    if (!reported_.insert(std::minmax(a, b)).second) return;
    if (b < a) std::swap(a, b);
    const auto [lower, upper] = Offset(a) <= Offset(b) ? OrderedPair{a, b} : OrderedPair{b, a};
    const std::string when = problem_.conflicts.is_implied_by_lifetimes()
                                 ? fmt::format("both are alive at step {}", step_)
                                 : std::string("they are in conflict");
    found_.push_back(
        {fmt::format("buffers {} and {}", QuotedName(problem_, lower), QuotedName(problem_, upper)),
         fmt::format(
             "share bytes {}..{} of pool {} although {}: {} must start at offset {} or above",
             Offset(upper), std::min(End_(lower), End_(upper)),
             QuotedName(problem_, allocations_[Index(a)].pool), when, QuotedName(problem_, upper),
             Offset(lower) + Distance(lower, upper))});
  }

  const PlanProblem& problem_;
  std::span<const PoolAllocation> allocations_;
  std::vector<Alive> pools_;
  std::map<OrderedPair, Bytes> distances_{};
  std::map<BufferId, std::vector<BufferId>> waiting_{};  // aside because of this one
  std::set<OrderedPair> reported_{};
  std::vector<Diagnostic> found_{};
  int32_t step_ = 0;
};

}  // namespace

std::vector<Diagnostic> FindSharedBytes(const PlanProblem& problem, std::span<const BufferId> ids,
                                        std::span<const PoolAllocation> allocations) {
  Sweep sweep(problem, allocations);
  if (problem.conflicts.is_implied_by_lifetimes()) {
    sweep.RunOverLifetimes(ids);
  } else {
    sweep.RunOverPairs(ids);
  }
  std::vector<Diagnostic> found = sweep.TakeFound();
  if (found.size() >= kMaxListedViolations) {
    found.push_back({"plan", fmt::format("only the first {} violations are listed", found.size())});
  }
  return found;
}

}  // namespace usmp::plan
