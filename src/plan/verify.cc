#include <fmt/format.h>

#include <algorithm>

#include "plan/describe.h"
#include "plan/violations.h"
#include "usmp/plan.h"

namespace usmp {
namespace {

using plan::Index;
using plan::QuotedName;

// No legal plan has an offset beyond it: CheckProblem sees to that.
constexpr Bytes kMaxOffset = Bytes{1} << 60;

class Verifier {
 public:
  Verifier(const PlanProblem& problem, const Plan& plan) : problem_(problem), plan_(plan) {}

  std::vector<Diagnostic> Run() {
    if (plan_.allocations.size() != problem_.buffers.size()) {
      Report("plan", fmt::format("places {} buffers, but the problem has {}",
                                 plan_.allocations.size(), problem_.buffers.size()));
      return std::move(found_);
    }
    std::vector<BufferId> in_range;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      const auto id = static_cast<BufferId>(i);
      if (CheckAllocation(id)) in_range.push_back(id);
    }
    for (Diagnostic& shared : plan::FindSharedBytes(problem_, in_range, plan_.allocations)) {
      found_.push_back(std::move(shared));
    }
    if (in_range.size() == problem_.buffers.size()) CheckFigures();
    return std::move(found_);
  }

 private:
  void Report(std::string where, std::string message) {
    found_.push_back({std::move(where), std::move(message)});
  }

  // True if the bytes of the buffer are those of a pool, so that they can be compared with others'.
  bool CheckAllocation(BufferId id) {
    const BufferInfo& buffer = problem_.buffers[Index(id)];
    const auto [pool, offset] = plan_.allocations[Index(id)];
    const std::string where = plan::WhereOf(problem_, id);
    if (Index(pool) >= problem_.pools.size()) {
      Report(where, fmt::format("is in pool number {}, but there are only {}", Index(pool),
                                problem_.pools.size()));
      return false;
    }
    const PoolInfo& info = problem_.pools[Index(pool)];
    if (std::ranges::find(buffer.pool_candidates, pool) == buffer.pool_candidates.end()) {
      Report(where, fmt::format("is in pool {}, which is not among its pools",
                                QuotedName(problem_, pool)));
    }
    if (buffer.pinned && *buffer.pinned != plan_.allocations[Index(id)]) {
      Report(where, fmt::format("is at offset {} of pool {}, but is pinned to offset {} of pool {}",
                                offset, QuotedName(problem_, pool), buffer.pinned->byte_offset,
                                QuotedName(problem_, buffer.pinned->pool)));
    }
    if (offset < 0 || offset > kMaxOffset) {
      Report(where, fmt::format("offset {} is outside every pool", offset));
      return false;
    }
    CheckAlignment(id, info, offset);
    if (info.size_hint_bytes && offset + buffer.size_bytes > *info.size_hint_bytes) {
      Report(where, fmt::format("ends at byte {} of pool {}, which has only {}: {} too many",
                                offset + buffer.size_bytes, QuotedName(problem_, pool),
                                *info.size_hint_bytes,
                                offset + buffer.size_bytes - *info.size_hint_bytes));
    }
    return true;
  }

  void CheckAlignment(BufferId id, const PoolInfo& pool, Bytes offset) {
    const Bytes alignment = problem_.buffers[Index(id)].alignment;
    if (offset % alignment != 0) {
      Report(plan::WhereOf(problem_, id),
             fmt::format("offset {} is not a multiple of its alignment {}", offset, alignment));
    }
    if (alignment > pool.alignment) {
      Report(
          plan::WhereOf(problem_, id),
          fmt::format("needs an alignment of {}, but the base of pool '{}' is only aligned to {}",
                      alignment, pool.pool_name, pool.alignment));
    }
  }

  void CheckFigures() {
    std::vector<Bytes> used(problem_.pools.size(), 0);
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (problem_.buffers[i].size_bytes == 0) continue;
      Bytes& bytes = used[Index(plan_.allocations[i].pool)];
      bytes = std::max(bytes, plan_.allocations[i].byte_offset + problem_.buffers[i].size_bytes);
    }
    if (plan_.pool_sizes.size() != used.size()) {
      Report("plan", fmt::format("states the sizes of {} pools, but the problem has {}",
                                 plan_.pool_sizes.size(), used.size()));
      return;
    }
    Bytes workspace = 0;
    for (size_t i = 0; i < used.size(); ++i) {
      if (problem_.pools[i].kind == PoolKind::kWorkspace) workspace += used[i];
      if (plan_.pool_sizes[i] != used[i]) {
        Report("pool " + QuotedName(problem_, static_cast<PoolId>(i)),
               fmt::format("the plan states {} bytes, but its buffers use {}", plan_.pool_sizes[i],
                           used[i]));
      }
    }
    CheckProof(workspace);
  }

  void CheckProof(Bytes workspace) {
    if (plan_.lower_bound_bytes > workspace) {
      Report("plan", fmt::format("claims a lower bound of {} bytes, but needs only {}",
                                 plan_.lower_bound_bytes, workspace));
    }
    if (plan_.proof == Proof::kMeetsLowerBound && LowerBound(problem_) != workspace) {
      Report("plan", fmt::format("claims to meet the lower bound of {} bytes, but needs {}",
                                 LowerBound(problem_), workspace));
    }
  }

  const PlanProblem& problem_;
  const Plan& plan_;
  std::vector<Diagnostic> found_{};
};

}  // namespace

Result<void> VerifyPlan(const PlanProblem& problem, const Plan& plan) {
  if (Result<void> checked = CheckProblem(problem); !checked) return checked;
  std::vector<Diagnostic> found = Verifier(problem, plan).Run();
  if (!found.empty()) return Fail({ErrorCode::kInvalidInput, std::move(found)});
  return {};
}

}  // namespace usmp
