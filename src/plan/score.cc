#include "plan/score.h"

#include <algorithm>

#include "plan/describe.h"

namespace usmp::plan {
namespace {

double CostOf(const BufferInfo& buffer, size_t candidate) {
  return static_cast<double>(buffer.size_bytes) * static_cast<double>(candidate);
}

}  // namespace

Bytes ExcessOf(const PlanProblem& problem, BufferId id, PoolAllocation where) {
  const std::optional<Bytes>& size = problem.pools[Index(where.pool)].size_hint_bytes;
  if (!size) return 0;
  return std::max<Bytes>(where.byte_offset + problem.buffers[Index(id)].size_bytes - *size, 0);
}

bool CanHold(const PlanProblem& problem, PoolId pool, BufferId id) {
  return problem.buffers[Index(id)].alignment <= problem.pools[Index(pool)].alignment;
}

void Tally::Add(const PlanProblem& problem, BufferId id, PoolAllocation where) {
  const BufferInfo& buffer = problem.buffers[Index(id)];
  const auto chosen = std::ranges::find(buffer.pool_candidates, where.pool);
  score.cost += CostOf(buffer, static_cast<size_t>(chosen - buffer.pool_candidates.begin()));
  const Bytes excess = ExcessOf(problem, id, where);
  score.excess = score.excess > INT64_MAX - excess ? INT64_MAX : score.excess + excess;
  if (buffer.size_bytes == 0) return;
  Bytes& size = pool_sizes[Index(where.pool)];
  const Bytes end = where.byte_offset + buffer.size_bytes;
  if (end <= size) return;
  if (problem.pools[Index(where.pool)].kind == PoolKind::kWorkspace) score.peak += end - size;
  size = end;
}

Score Goal(const PlanProblem& problem) {
  double cost = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const BufferInfo& buffer = problem.buffers[i];
    const auto id = static_cast<BufferId>(i);
    const auto first = std::ranges::find_if(buffer.pool_candidates, [&](PoolId pool) {
      if (buffer.pinned) return buffer.pinned->pool == pool;
      return CanHold(problem, pool, id) && ExcessOf(problem, id, {pool, 0}) == 0;
    });
    cost += CostOf(buffer, static_cast<size_t>(first - buffer.pool_candidates.begin()));
  }
  return {0, cost, LowerBound(problem)};
}

}  // namespace usmp::plan
