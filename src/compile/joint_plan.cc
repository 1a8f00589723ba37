#include "compile/joint_plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "plan/complete.h"
#include "support/align.h"
#include "usmp/pool_cost.h"

namespace usmp::compile {
namespace {

size_t Index(BufferId id) { return static_cast<size_t>(id); }

BufferId Shifted(BufferId id, size_t by) { return BufferId(Index(id) + by); }

bool Survives(const lower::Extracted& extracted, size_t i) {
  const BufferKind kind = extracted.problem.buffers[i].kind;
  return extracted.is_precious[i] || kind == BufferKind::kConstant || kind == BufferKind::kState ||
         kind == BufferKind::kDescriptor;
}

// Buffers in conflict by their own lifetimes, or because they belong to different units.
Conflicts ConcurrentConflicts(std::span<const Unit> units, const JointProblem& joint) {
  std::vector<std::pair<BufferId, BufferId>> pairs;
  const size_t count = joint.problem.buffers.size();
  for (size_t u = 0; u < units.size(); ++u) {
    const Conflicts& own = units[u].extracted.problem.conflicts;
    const size_t first = joint.first_buffer[u];
    for (size_t i = first; i < joint.first_buffer[u + 1]; ++i) {
      for (BufferId other : own.ConflictsOf(BufferId(i - first))) {
        const BufferId shifted = Shifted(other, first);
        if (Index(shifted) > i) pairs.emplace_back(BufferId(i), shifted);
      }
      for (size_t k = joint.first_buffer[u + 1]; k < count; ++k) {
        pairs.emplace_back(BufferId(i), BufferId(k));
      }
    }
  }
  return Conflicts::FromPairs(count, pairs);
}

// The pools with what is left of them above `used`.
std::vector<PoolInfo> Remaining(std::vector<PoolInfo> pools, const std::vector<Bytes>& used) {
  for (size_t i = 0; i < pools.size(); ++i) {
    if (!pools[i].size_hint_bytes) continue;
    pools[i].size_hint_bytes = std::max<Bytes>(*pools[i].size_hint_bytes - used[i], 0);
  }
  return pools;
}

// The first byte of every pool above `used` at which a unit can begin: where its buffers keep their
// alignment, and its struct of constants that of the pool.
std::vector<Bytes> BeginAbove(std::vector<Bytes> used, const PlanProblem& problem) {
  Bytes largest = 1;  // alignment
  for (const BufferInfo& buffer : problem.buffers) largest = std::max(largest, buffer.alignment);
  for (size_t i = 0; i < used.size(); ++i) {
    const bool is_constant = problem.pools[i].kind == PoolKind::kConstant;
    used[i] = AlignUp(used[i], is_constant ? problem.pools[i].alignment : largest);
  }
  return used;
}

// Each unit above the units before it. The sizes of what is alive at a unit's peak add up, since no
// byte can belong to two units: where that is reached, the plan is the least.
Result<Plan> PlanInTurn(const JointProblem& joint, const Algorithm& algorithm,
                        const PlanOptions& options) {
  Plan plan;
  std::vector<Bytes> used(joint.problem.pools.size());
  for (PlanProblem problem : joint.parts) {
    const std::vector<Bytes> begin = BeginAbove(used, problem);
    problem.pools = Remaining(problem.pools, begin);
    auto part = MakePlanByCost(problem, algorithm, options);
    if (!part) return part;
    for (PoolAllocation at : part->allocations) {
      at.byte_offset += begin[static_cast<size_t>(at.pool)];
      plan.allocations.push_back(at);
    }
    for (size_t i = 0; i < used.size(); ++i) {
      if (part->pool_sizes[i] > 0) used[i] = begin[i] + part->pool_sizes[i];
    }
    plan.steps += part->steps;
    plan.lower_bound_bytes += LiveSum(problem);
  }
  // Overlapping buffers need less than their sum.
  if (!joint.problem.overlaps.empty()) plan.lower_bound_bytes = 0;
  return plan;
}

// The plan with each unit's constants side by side, since they become a struct of that unit. They
// are alive all the time, so that any order of them is legal; alignment may make a pool larger.
Plan GatherConstants(const JointProblem& joint, const Plan& plan) {
  const std::vector<BufferInfo>& buffers = joint.problem.buffers;
  Plan gathered = plan;
  gathered.pool_sizes.clear();
  std::vector<Bytes> ends(joint.problem.pools.size());
  for (size_t u = 0; u + 1 < joint.first_buffer.size(); ++u) {
    ends = BeginAbove(std::move(ends), joint.problem);
    std::vector<size_t> constants;
    for (size_t i = joint.first_buffer[u]; i < joint.first_buffer[u + 1]; ++i) {
      if (buffers[i].kind == BufferKind::kConstant) constants.push_back(i);
    }
    std::ranges::stable_sort(constants, {},
                             [&](size_t i) { return plan.allocations[i].byte_offset; });
    for (size_t i : constants) {
      PoolAllocation& at = gathered.allocations[i];
      Bytes& end = ends[static_cast<size_t>(at.pool)];
      at.byte_offset = AlignUp(end, buffers[i].alignment);
      end = at.byte_offset + buffers[i].size_bytes;
    }
  }
  return gathered;
}

// By PoolId: how many bytes of a plan are beyond the bound.
std::vector<Bytes> BeyondBounds(const PlanProblem& problem, const Plan& plan) {
  std::vector<Bytes> beyond(problem.pools.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const PoolAllocation& at = plan.allocations[i];
    const auto pool = static_cast<size_t>(at.pool);
    const std::optional<Bytes>& bound = problem.pools[pool].size_hint_bytes;
    if (!bound) continue;
    beyond[pool] = std::max(beyond[pool], at.byte_offset + problem.buffers[i].size_bytes - *bound);
  }
  return beyond;
}

// All units at once. Where gathering the constants exceeds a bound, again with that much less.
Result<Plan> PlanAtOnce(const JointProblem& joint, const Algorithm& algorithm,
                        const PlanOptions& options) {
  PlanProblem problem = joint.problem;
  for (;;) {
    const auto plan = MakePlanByCost(problem, algorithm, options);
    if (!plan || joint.parts.size() == 1) return plan;
    const Plan gathered = GatherConstants(joint, *plan);
    const std::vector<Bytes> beyond = BeyondBounds(joint.problem, gathered);
    if (std::ranges::all_of(beyond, [](Bytes bytes) { return bytes == 0; })) {
      return plan::Complete(joint.problem, gathered, algorithm.name);
    }
    problem.pools = Remaining(std::move(problem.pools), beyond);
  }
}

struct Range {
  Bytes begin = 0, end = 0;
};

// From the first to the last byte that buffers have in a pool; empty: none.
Range UsedIn(PoolId pool, const std::vector<PoolAllocation>& allocations,
             const std::vector<BufferInfo>& buffers) {
  Range used;
  for (size_t i = 0; i < allocations.size(); ++i) {
    if (allocations[i].pool != pool) continue;
    const Bytes begin = allocations[i].byte_offset;
    used.begin = used.end == 0 ? begin : std::min(used.begin, begin);
    used.end = std::max(used.end, begin + buffers[i].size_bytes);
  }
  return used;
}

}  // namespace

JointProblem Join(std::span<const Unit> units, ModelSharing sharing) {
  JointProblem joint;
  joint.problem.pools = units[0].extracted.problem.pools;
  int32_t steps = 0;
  for (const Unit& unit : units) {
    joint.first_step.push_back(steps);
    steps += unit.step_count();
  }
  for (size_t u = 0; u < units.size(); ++u) {
    const lower::Extracted& extracted = units[u].extracted;
    const size_t first = joint.problem.buffers.size();
    joint.first_buffer.push_back(first);
    joint.parts.push_back(extracted.problem);
    for (size_t i = 0; i < extracted.problem.buffers.size(); ++i) {
      BufferInfo buffer = extracted.problem.buffers[i];
      for (Lifetime& life : buffer.lifetimes) {
        life = {life.begin + joint.first_step[u], life.end + joint.first_step[u]};
      }
      if (Survives(extracted, i)) buffer.lifetimes = {{0, steps}};
      joint.problem.buffers.push_back(std::move(buffer));
    }
    for (Overlap overlap : extracted.problem.overlaps) {
      overlap.lower = Shifted(overlap.lower, first);
      overlap.upper = Shifted(overlap.upper, first);
      joint.problem.overlaps.push_back(overlap);
    }
  }
  joint.first_buffer.push_back(joint.problem.buffers.size());
  const bool is_concurrent = units.size() > 1 && sharing == ModelSharing::kConcurrent;
  joint.problem.conflicts = is_concurrent ? ConcurrentConflicts(units, joint)
                                          : Conflicts::FromLifetimes(joint.problem.buffers);
  return joint;
}

std::optional<JointProblem> WithoutIoPools(std::span<const Unit> units, const JointProblem& joint) {
  std::vector<PoolId> workspace;
  for (size_t i = 0; i < joint.problem.pools.size(); ++i) {
    if (joint.problem.pools[i].kind == PoolKind::kWorkspace) workspace.push_back(PoolId(i));
  }
  JointProblem free = joint;
  bool differs = false;
  for (size_t u = 0; u < units.size(); ++u) {
    for (const lower::WorkspaceIo& io : units[u].io) {
      if (!io.pool) continue;
      const size_t own = Index(*units[u].extracted.planned[Index(io.buffer)]);
      free.parts[u].buffers[own].pool_candidates = workspace;
      free.problem.buffers[joint.first_buffer[u] + own].pool_candidates = workspace;
      differs = true;
    }
  }
  if (!differs) return {};
  return free;
}

Result<Plan> PlanJointly(const JointProblem& joint, ModelSharing sharing,
                         const Algorithm& algorithm, const PlanOptions& options) {
  if (joint.parts.size() == 1 || sharing == ModelSharing::kExclusive) {
    return PlanAtOnce(joint, algorithm, options);
  }
  const auto in_turn = PlanInTurn(joint, algorithm, options);
  if (!in_turn) return PlanAtOnce(joint, algorithm, options);
  auto plan = plan::Complete(joint.problem, *in_turn, algorithm.name);
  if (plan && plan->proof == Proof::kNone &&
      WorkspaceBytes(joint.problem, *plan) == in_turn->lower_bound_bytes) {
    plan->proof = Proof::kMeetsLowerBound;
    plan->witness = "models that share no bytes, each at its peak";
  }
  return plan;
}

UnitPlan PartOf(const Plan& plan, const JointProblem& joint, std::span<const Unit> units,
                size_t index, ModelSharing sharing) {
  const lower::Extracted& extracted = units[index].extracted;
  UnitPlan part;
  const auto begin = plan.allocations.begin();
  part.planned.assign(begin + static_cast<ptrdiff_t>(joint.first_buffer[index]),
                      begin + static_cast<ptrdiff_t>(joint.first_buffer[index + 1]));
  std::vector<Bytes> starts;
  for (size_t p = 0; p < joint.problem.pools.size(); ++p) {
    const PoolInfo& pool = joint.problem.pools[p];
    const Range used = UsedIn(PoolId(p), part.planned, extracted.problem.buffers);
    const bool is_own = pool.kind == PoolKind::kConstant && units.size() > 1;
    starts.push_back(is_own ? used.begin / pool.alignment * pool.alignment : 0);
    // An array of the generated code is there only where the unit uses it.
    const bool is_there = !pool.is_internal || used.end > 0;
    const bool is_joint =
        pool.kind == PoolKind::kWorkspace && is_there && sharing == ModelSharing::kConcurrent;
    part.pool_sizes.push_back(is_joint ? plan.pool_sizes[p] : used.end - starts.back());
  }
  for (size_t i = 0; i < extracted.planned.size(); ++i) {
    const std::optional<BufferId>& id = extracted.planned[i];
    part.allocations.emplace_back();
    if (!id) continue;
    PoolAllocation at = part.planned[Index(*id)];
    at.byte_offset +=
        units[index].program.buffers[i].descriptor_bytes - starts[static_cast<size_t>(at.pool)];
    part.allocations.back() = at;
  }
  return part;
}

}  // namespace usmp::compile
