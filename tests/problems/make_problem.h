// Problems that read like data.
#ifndef USMP_TESTS_PROBLEMS_MAKE_PROBLEM_H_
#define USMP_TESTS_PROBLEMS_MAKE_PROBLEM_H_

#include <string>
#include <utility>
#include <vector>

#include "usmp/plan.h"

namespace usmp::testing {

inline constexpr BufferId Id(size_t index) { return static_cast<BufferId>(index); }
inline constexpr PoolId Pool(size_t index) { return static_cast<PoolId>(index); }

// With the conflicts that the lifetimes imply; no pools: one without a bound; no candidates: every
// pool.
inline PlanProblem FromLifetimes(std::vector<BufferInfo> buffers,
                                 std::vector<PoolInfo> pools = {}) {
  PlanProblem problem{.pools = std::move(pools), .buffers = std::move(buffers)};
  if (problem.pools.empty()) problem.pools = {{.pool_name = "ram"}};
  for (BufferInfo& buffer : problem.buffers) {
    if (!buffer.pool_candidates.empty()) continue;
    for (size_t i = 0; i < problem.pools.size(); ++i) buffer.pool_candidates.push_back(Pool(i));
  }
  problem.conflicts = Conflicts::FromLifetimes(problem.buffers);
  return problem;
}

// With an explicit conflict graph over indices.
inline PlanProblem FromPairs(std::vector<BufferInfo> buffers,
                             const std::vector<std::pair<size_t, size_t>>& pairs,
                             std::vector<PoolInfo> pools = {}) {
  PlanProblem problem = FromLifetimes(std::move(buffers), std::move(pools));
  std::vector<std::pair<BufferId, BufferId>> ids;
  for (const auto& [a, b] : pairs) ids.emplace_back(Id(a), Id(b));
  problem.conflicts = Conflicts::FromPairs(problem.buffers.size(), ids);
  return problem;
}

// All diagnostics as "where: message" lines.
inline std::string Text(const Error& error) {
  std::string text;
  for (const Diagnostic& diagnostic : error.diagnostics) {
    text += diagnostic.where + ": " + diagnostic.message + "\n";
  }
  return text;
}

}  // namespace usmp::testing

#endif  // USMP_TESTS_PROBLEMS_MAKE_PROBLEM_H_
