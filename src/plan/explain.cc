#include "plan/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/describe.h"
#include "plan/lower_bound.h"
#include "plan/score.h"

namespace usmp::plan {
namespace {

constexpr size_t kMaxNamed = 8;

std::vector<BufferId> PlacedConflicts(const PlanProblem& problem, const Placement& placement,
                                      BufferId id, PoolId pool) {
  std::vector<BufferId> placed;
  for (BufferId other : problem.conflicts.ConflictsOf(id)) {
    if (placement.IsPlaced(other) && placement.At(other).pool == pool) placed.push_back(other);
  }
  return placed;
}

std::string TriedPool(const PlanProblem& problem, Placement& placement, BufferId id, PoolId pool) {
  const BufferInfo& buffer = problem.buffers[Index(id)];
  const PoolInfo& info = problem.pools[Index(pool)];
  if (!CanHold(problem, pool, id)) {
    return fmt::format("the base of {} is only aligned to {}, not to {}", QuotedName(problem, pool),
                       info.alignment, buffer.alignment);
  }
  const Bytes size = info.size_hint_bytes.value_or(0);
  if (buffer.size_bytes > size) {
    return fmt::format("{} has only {} bytes in all", QuotedName(problem, pool), size);
  }
  const Bytes end = placement.LowestOffset(id, pool) + buffer.size_bytes;
  return fmt::format("{} has {} bytes and is {} too small: alive with it there are {}",
                     QuotedName(problem, pool), size, end - size,
                     ListSizes(problem, PlacedConflicts(problem, placement, id, pool), kMaxNamed));
}

std::string TriedPools(const PlanProblem& problem, Placement& placement, BufferId id) {
  std::string out;
  for (PoolId pool : problem.buffers[Index(id)].pool_candidates) {
    if (!out.empty()) out += "; ";
    out += TriedPool(problem, placement, id, pool);
  }
  return out;
}

// The sizes of the pools of a kind together; nothing if one of them is unrestricted.
std::optional<Bytes> AvailableBytes(const PlanProblem& problem, PoolKind kind) {
  Bytes total = 0;
  for (const PoolInfo& pool : problem.pools) {
    if (pool.kind != kind) continue;
    if (!pool.size_hint_bytes || __builtin_add_overflow(total, *pool.size_hint_bytes, &total)) {
      return std::nullopt;
    }
  }
  return total;
}

// Bytes that are alive together in constant pools at the first step of the schedule, without those
// that may overlap others; 0 of an explicit conflict graph.
Bytes ConstantBytes(const PlanProblem& problem) {
  std::vector<bool> may_overlap(problem.buffers.size());
  for (const Overlap& overlap : problem.overlaps) {
    may_overlap[Index(overlap.lower)] = may_overlap[Index(overlap.upper)] = true;
  }
  const auto is_constant = [&](PoolId pool) {
    return problem.pools[Index(pool)].kind == PoolKind::kConstant;
  };
  Bytes total = 0;
  for (BufferId id : problem.conflicts.AliveAt(0)) {
    const BufferInfo& buffer = problem.buffers[Index(id)];
    if (may_overlap[Index(id)] || !std::ranges::all_of(buffer.pool_candidates, is_constant)) {
      continue;
    }
    if (__builtin_add_overflow(total, buffer.size_bytes, &total)) return INT64_MAX;
  }
  return total;
}

// Pools of which it is certain that no algorithm can make do with them.
std::vector<Diagnostic> Impossible(const PlanProblem& problem) {
  std::vector<Diagnostic> found;
  for (size_t i = 0; i < problem.pools.size(); ++i) {
    const auto pool = static_cast<PoolId>(i);
    const Bound bound = FindLowerBoundOfPool(problem, pool);
    const Bytes available = problem.pools[i].size_hint_bytes.value_or(bound.bytes);
    if (bound.bytes <= available) continue;
    found.push_back(
        {"pool " + QuotedName(problem, pool),
         fmt::format("needs at least {} bytes and has {}, {} too few, whatever the "
                     "algorithm ({}): make it larger, or let its buffers use other pools",
                     bound.bytes, available, bound.bytes - available, bound.why)});
  }
  const std::optional<Bytes> available = AvailableBytes(problem, PoolKind::kWorkspace);
  const Bound bound = FindLowerBound(problem);
  if (found.empty() && available && bound.bytes > *available) {
    found.push_back(
        {"pools", fmt::format("together they need at least {} bytes and have {}, {} too "
                              "few, whatever the algorithm ({}): make them larger",
                              bound.bytes, *available, bound.bytes - *available, bound.why)});
  }
  const std::optional<Bytes> for_constants = AvailableBytes(problem, PoolKind::kConstant);
  const Bytes constants = ConstantBytes(problem);
  if (found.empty() && for_constants && constants > *for_constants) {
    found.push_back({"constant pools",
                     fmt::format("together they need at least {} bytes and have {}, {} too few, "
                                 "whatever the algorithm: make them larger",
                                 constants, *for_constants, constants - *for_constants)});
  }
  return found;
}

}  // namespace

bool IsImpossible(const PlanProblem& problem) { return !Impossible(problem).empty(); }

Error DoesNotFit(const PlanProblem& problem, Placement& placement, BufferId id) {
  Error error{ErrorCode::kDoesNotFit, {}};
  error.diagnostics.push_back(
      {WhereOf(problem, id),
       fmt::format("its {} bytes fit in none of its pools: {}",
                   problem.buffers[Index(id)].size_bytes, TriedPools(problem, placement, id))});
  std::vector<Diagnostic> impossible = Impossible(problem);
  if (impossible.empty()) {
    error.diagnostics.push_back(
        {"pools",
         fmt::format("the lower bound is {} bytes, so a better arrangement may still fit: try "
                     "algorithm 'auto', more steps, or larger pools",
                     LowerBound(problem))});
  }
  for (Diagnostic& diagnostic : impossible) error.diagnostics.push_back(std::move(diagnostic));
  return error;
}

}  // namespace usmp::plan
