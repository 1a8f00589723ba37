#include "plan/sub_problem.h"

#include <optional>

#include "plan/describe.h"
#include "plan/hill_climb.h"

namespace usmp::plan {
namespace {

constexpr int64_t kStepsPerBuffer = 50;

Conflicts ConflictsAmong(const PlanProblem& problem, const std::vector<BufferId>& members,
                         const PlanProblem& part) {
  if (problem.conflicts.is_implied_by_lifetimes()) return Conflicts::FromLifetimes(part.buffers);
  std::vector<std::pair<BufferId, BufferId>> pairs;
  for (size_t a = 0; a < members.size(); ++a) {
    for (size_t b = a + 1; b < members.size(); ++b) {
      if (problem.conflicts.AreInConflict(members[a], members[b]))
        pairs.emplace_back(static_cast<BufferId>(a), static_cast<BufferId>(b));
    }
  }
  return Conflicts::FromPairs(members.size(), pairs);
}

// Whether they fit side by side: then there is no need to search.
bool FitsWithoutSharing(const PlanProblem& part) {
  Bytes left = part.pools[0].size_hint_bytes.value_or(INT64_MAX);
  for (const BufferInfo& buffer : part.buffers) {
    if (buffer.pinned || buffer.alignment > part.pools[0].alignment) return false;
    if (buffer.size_bytes > left - (buffer.alignment - 1)) return false;
    left -= buffer.size_bytes + buffer.alignment - 1;
  }
  return true;
}

Plan SideBySide(const PlanProblem& part) {
  Plan plan;
  Bytes at = 0;
  for (const BufferInfo& buffer : part.buffers) {
    at = (at + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
    plan.allocations.push_back({PoolId{0}, at});
    at += buffer.size_bytes;
  }
  plan.pool_sizes = {at};
  return plan;
}

}  // namespace

PlanProblem SubProblem(const PlanProblem& problem, PoolId pool,
                       const std::vector<BufferId>& members) {
  PlanProblem part{.pools = {problem.pools[Index(pool)]}};
  std::vector<std::optional<BufferId>> ids(problem.buffers.size());
  for (size_t i = 0; i < members.size(); ++i) {
    BufferInfo buffer = problem.buffers[Index(members[i])];
    buffer.pool_candidates = {PoolId{0}};
    if (buffer.pinned) buffer.pinned->pool = PoolId{0};
    part.buffers.push_back(std::move(buffer));
    ids[Index(members[i])] = static_cast<BufferId>(i);
  }
  part.conflicts = ConflictsAmong(problem, members, part);
  for (const Overlap& overlap : problem.overlaps) {
    const auto lower = ids[Index(overlap.lower)], upper = ids[Index(overlap.upper)];
    if (lower && upper) part.overlaps.push_back({*lower, *upper, overlap.distance_bytes});
  }
  return part;
}

Result<Plan> PlanPool(const PlanProblem& problem, PoolId pool,
                      const std::vector<BufferId>& members) {
  const PlanProblem part = SubProblem(problem, pool, members);
  if (FitsWithoutSharing(part)) return SideBySide(part);
  return Auto(part, {.max_steps = kStepsPerBuffer * static_cast<int64_t>(members.size())});
}

}  // namespace usmp::plan
