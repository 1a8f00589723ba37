#include "plan/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace usmp::plan {
namespace {

template <class Format>
std::string List(std::span<const BufferId> ids, size_t limit, Format format) {
  std::string out;
  for (size_t i = 0; i < ids.size() && i < limit; ++i) {
    if (i > 0) out += ", ";
    out += format(ids[i]);
  }
  if (ids.size() > limit) out += fmt::format(" and {} more", ids.size() - limit);
  return out;
}

}  // namespace

std::string NameOf(const PlanProblem& problem, BufferId id) {
  const std::string& name = problem.buffers[Index(id)].name_hint;
  return name.empty() ? fmt::format("#{}", Index(id)) : name;
}

std::string QuotedName(const PlanProblem& problem, BufferId id) {
  return "'" + NameOf(problem, id) + "'";
}

std::string WhereOf(const PlanProblem& problem, BufferId id) {
  return "buffer " + QuotedName(problem, id);
}

std::string QuotedName(const PlanProblem& problem, PoolId id) {
  return "'" + problem.pools[Index(id)].pool_name + "'";
}

std::string ListNames(const PlanProblem& problem, std::span<const BufferId> ids, size_t limit) {
  return List(ids, limit, [&](BufferId id) { return NameOf(problem, id); });
}

std::string ListSizes(const PlanProblem& problem, std::span<const BufferId> ids, size_t limit) {
  std::vector<BufferId> sorted(ids.begin(), ids.end());
  std::ranges::stable_sort(sorted, std::greater{},
                           [&](BufferId id) { return problem.buffers[Index(id)].size_bytes; });
  return List(sorted, limit, [&](BufferId id) {
    return fmt::format("{} ({} B)", NameOf(problem, id), problem.buffers[Index(id)].size_bytes);
  });
}

Result<PlanProblem> CheckedProblem(PlanProblem problem, std::string_view source) {
  Result<void> checked = CheckProblem(problem);
  if (checked) return problem;
  for (Diagnostic& diagnostic : checked.error().diagnostics) {
    diagnostic.where = fmt::format("{}: {}", source, diagnostic.where);
  }
  return Fail(std::move(checked.error()));
}

}  // namespace usmp::plan
