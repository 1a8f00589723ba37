// The planner: buffers, pools and conflicts in; a verified plan with a lower bound out.
//
// It knows nothing of models or of C. Everything is deterministic: seeds and step budgets, never
// clocks.
#ifndef USMP_PLAN_H_
#define USMP_PLAN_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "usmp/buffers.h"
#include "usmp/result.h"

namespace usmp {

// Which buffers may not share bytes. Either implied by lifetimes (then pairs are never stored) or
// an explicit graph; one query interface over both. A buffer is never in conflict with itself.
class Conflicts {
 public:
  Conflicts() = default;
  // Two buffers are in conflict iff any of their lifetimes share a step.
  static Conflicts FromLifetimes(std::span<const BufferInfo> buffers);
  // Pairs in any order, repeated or not; every id < buffer_count, and no pair of equal ids.
  static Conflicts FromPairs(size_t buffer_count,
                             std::span<const std::pair<BufferId, BufferId>> pairs);

  bool AreInConflict(BufferId a, BufferId b) const;
  std::vector<BufferId> ConflictsOf(BufferId id) const;  // ascending
  // Alive at a step below INT32_MAX, ascending; none of an explicit graph.
  std::vector<BufferId> AliveAt(int32_t step) const;
  size_t buffer_count() const;
  bool is_implied_by_lifetimes() const { return from_lifetimes_; }
  // The lifetimes that imply the conflicts; empty for an explicit graph.
  std::span<const Lifetime> LifetimesOf(BufferId id) const;

 private:
  struct Interval {
    Lifetime steps{};
    BufferId id{};
  };
  void CollectMeeting(const Lifetime& steps, size_t first, size_t last,
                      std::vector<BufferId>& found) const;

  bool from_lifetimes_ = true;
  std::vector<std::vector<Lifetime>> lifetimes_{};  // by BufferId
  std::vector<Interval> by_begin_{};   // every lifetime; a balanced search tree over midpoints
  std::vector<int32_t> latest_end_{};  // [middle of a range]: the latest end within that range
  std::vector<std::vector<BufferId>> neighbors_{};  // by BufferId, ascending; explicit graphs only
};

struct PlanProblem {
  std::vector<PoolInfo> pools{};
  std::vector<BufferInfo> buffers{};
  Conflicts conflicts{};  // the authority; lifetimes are only how it arose
  std::vector<Overlap> overlaps{};
};

// Why no plan can be smaller.
enum class Proof : uint8_t { kNone, kMeetsLowerBound, kExhausted };
std::string_view Name(Proof proof);  // as in files and reports: "meets_lower_bound"

struct Plan {
  std::vector<PoolAllocation> allocations{};  // by BufferId
  std::vector<Bytes> pool_sizes{};            // by PoolId: the furthest byte used
  Bytes lower_bound_bytes = 0;                // of the sum of the workspace pools' sizes
  Proof proof = Proof::kNone;
  std::string witness{};  // why the bound holds: "live at step 7: a, b, c"
  int64_t steps = 0;      // work done, in the algorithm's own unit
};

struct PlanOptions {
  uint64_t seed = 0;
  int64_t max_steps = 1'000'000;
};

struct Algorithm {
  std::string name{};
  std::string summary{};
  std::function<Result<Plan>(const PlanProblem&, const PlanOptions&)> run{};
};

// Ours: one constant table. `run` expects a problem that CheckProblem accepts: MakePlan sees to
// that. A user's own algorithm is an Algorithm value passed in; there is no registry.
std::span<const Algorithm> Algorithms();
// The row of that name; kInvalidInput that lists the names otherwise.
Result<Algorithm> FindAlgorithm(std::string_view name);

// Is the problem itself well formed? Lists every defect. MakePlan and VerifyPlan call it first.
Result<void> CheckProblem(const PlanProblem& problem);

// Runs the algorithm and verifies what it returns; fills pool_sizes, lower_bound_bytes and a
// kMeetsLowerBound proof where the algorithm left them open.
Result<Plan> MakePlan(const PlanProblem& problem, const Algorithm& algorithm,
                      const PlanOptions& options = {});

// Is the plan legal? Lists every violation. Shares no code with any algorithm.
Result<void> VerifyPlan(const PlanProblem& problem, const Plan& plan);

// For people: what is alive at the peak, whether what is above the lower bound is fragmentation,
// and which single changes of a buffer would make the plan smallest, each found by planning with
// `auto` and these options (not for more than 5000 buffers). An error if the plan is not legal.
Result<std::string> ExplainPlan(const PlanProblem& problem, const Plan& plan,
                                const PlanOptions& options = {.max_steps = 20'000});

// The sum of the workspace pools' sizes in a plan that has them.
Bytes WorkspaceBytes(const PlanProblem& problem, const Plan& plan);

// A lower bound of WorkspaceBytes over all legal plans.
Bytes LowerBound(const PlanProblem& problem);

// The most bytes of workspace alive at one time, overlaps ignored; of an explicit conflict graph,
// the heaviest set of buffers found that are all in conflict. Without overlaps LowerBound is at
// least this.
Bytes LiveSum(const PlanProblem& problem);

}  // namespace usmp

#endif  // USMP_PLAN_H_
