#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "plan/describe.h"
#include "plan/violations.h"
#include "support/align.h"
#include "usmp/plan.h"

namespace usmp {
namespace {

using plan::Index;
using plan::QuotedName;

// Above this the arithmetic of offsets could wrap; no machine has as much.
constexpr Bytes kMaxTotalBytes = Bytes{1} << 60;

// Both ascending and disjoint.
int64_t CommonSteps(std::span<const Lifetime> a, std::span<const Lifetime> b) {
  int64_t common = 0;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const int64_t begin = std::max(a[i].begin, b[j].begin);
    common += std::max<int64_t>(0, std::min(a[i].end, b[j].end) - begin);
    (a[i].end <= b[j].end ? i : j) += 1;
  }
  return common;
}

class Checker {
 public:
  explicit Checker(const PlanProblem& problem)
      : problem_(problem), named_by_(problem.pools.size(), SIZE_MAX) {}

  std::vector<Diagnostic> Run() {
    CheckPools();
    for (size_t i = 0; i < problem_.buffers.size(); ++i) CheckBuffer(static_cast<BufferId>(i));
    CheckTotal();
    CheckConflicts();
    if (found_.empty()) CheckPins();
    if (found_.empty()) CheckOverlaps();
    if (found_.empty()) CheckPinnedTogether();
    return std::move(found_);
  }

 private:
  void Report(std::string where, std::string message) {
    found_.push_back({std::move(where), std::move(message)});
  }
  void Report(BufferId id, std::string message) {
    Report(plan::WhereOf(problem_, id), std::move(message));
  }

  void CheckPools() {
    if (problem_.pools.empty() && !problem_.buffers.empty()) {
      Report("pools", "there are none: a problem with buffers needs at least one pool");
    }
    std::set<std::string_view> names;
    for (size_t i = 0; i < problem_.pools.size(); ++i) {
      const PoolInfo& pool = problem_.pools[i];
      const std::string where = "pool " + QuotedName(problem_, static_cast<PoolId>(i));
      if (pool.pool_name.empty()) Report(where, fmt::format("pool {} has no name", i));
      if (!names.insert(pool.pool_name).second) {
        Report(where, "the name is used twice: give each pool its own");
      }
      if (pool.size_hint_bytes && *pool.size_hint_bytes < 0) {
        Report(where, fmt::format("size {} is negative", *pool.size_hint_bytes));
      }
      if (!IsPowerOfTwo(pool.alignment)) Report(where, NotAPowerOfTwo(pool.alignment));
    }
  }

  static std::string NotAPowerOfTwo(Bytes alignment) {
    return fmt::format("alignment {} is not a power of two", alignment);
  }

  void CheckBuffer(BufferId id) {
    const BufferInfo& buffer = problem_.buffers[Index(id)];
    if (buffer.size_bytes < 0) Report(id, fmt::format("size {} is negative", buffer.size_bytes));
    const bool can_be_aligned = IsPowerOfTwo(buffer.alignment);
    if (!can_be_aligned) Report(id, NotAPowerOfTwo(buffer.alignment));
    if (CheckCandidates(buffer, id) && can_be_aligned) CheckReachesAnAlignedPool(buffer, id);
    CheckLifetimes(buffer, id);
  }

  bool CheckCandidates(const BufferInfo& buffer, BufferId id) {
    const size_t found_before = found_.size();
    if (buffer.pool_candidates.empty()) Report(id, "no pool may hold it: name at least one");
    for (PoolId pool : buffer.pool_candidates) {
      if (Index(pool) >= problem_.pools.size()) {
        Report(id, fmt::format("names pool number {}, but there are only {}", Index(pool),
                               problem_.pools.size()));
        continue;
      }
      if (std::exchange(named_by_[Index(pool)], Index(id)) == Index(id)) {
        Report(id, fmt::format("names pool {} twice", QuotedName(problem_, pool)));
      } else if (problem_.pools[Index(pool)].kind == PoolKind::kConstant &&
                 buffer.kind != BufferKind::kConstant) {
        Report(id, fmt::format("is written at run time, but pool {} is for constants only",
                               QuotedName(problem_, pool)));
      }
    }
    return found_.size() == found_before;
  }

  void CheckReachesAnAlignedPool(const BufferInfo& buffer, BufferId id) {
    Bytes best = 0;
    for (PoolId pool : buffer.pool_candidates) {
      best = std::max(best, problem_.pools[Index(pool)].alignment);
    }
    if (best >= buffer.alignment) return;
    Report(id,
           fmt::format("needs an address that is a multiple of {}, but the base of its pools is "
                       "only aligned to {}: raise the alignment of a pool to {}",
                       buffer.alignment, best, buffer.alignment));
  }

  void CheckLifetimes(const BufferInfo& buffer, BufferId id) {
    if (buffer.lifetimes.empty() && problem_.conflicts.is_implied_by_lifetimes()) {
      Report(id, "has no lifetime, and no conflicts are given either");
    }
    for (size_t i = 0; i < buffer.lifetimes.size(); ++i) {
      const Lifetime& steps = buffer.lifetimes[i];
      if (steps.begin >= steps.end) {
        Report(id, fmt::format("lifetime [{}, {}) holds no step: the end is exclusive", steps.begin,
                               steps.end));
      }
      if (i > 0 && steps.begin < buffer.lifetimes[i - 1].end) {
        Report(id, fmt::format("lifetimes [{}, {}) and [{}, {}) are not ascending and disjoint",
                               buffer.lifetimes[i - 1].begin, buffer.lifetimes[i - 1].end,
                               steps.begin, steps.end));
      }
    }
  }

  void CheckPins() {
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (!problem_.buffers[i].pinned) continue;
      CheckPin(problem_.buffers[i], static_cast<BufferId>(i));
    }
  }

  void CheckPin(const BufferInfo& buffer, BufferId id) {
    const auto [pool, offset] = *buffer.pinned;
    if (std::ranges::find(buffer.pool_candidates, pool) == buffer.pool_candidates.end()) {
      Report(id, Index(pool) < problem_.pools.size()
                     ? fmt::format("is pinned to pool {}, which is not among its pools",
                                   QuotedName(problem_, pool))
                     : "is pinned to a pool that does not exist");
      return;
    }
    const PoolInfo& info = problem_.pools[Index(pool)];
    if (offset < 0 || offset % buffer.alignment != 0 || buffer.alignment > info.alignment) {
      Report(id, fmt::format("is pinned to offset {} of pool {}, which is not a multiple of its "
                             "alignment {} at every base address that the pool may have",
                             offset, QuotedName(problem_, pool), buffer.alignment));
    }
    if (info.size_hint_bytes && offset > *info.size_hint_bytes - buffer.size_bytes) {
      Report(id, fmt::format("is pinned to offset {} of pool {}, which has only {} bytes for it to "
                             "end in",
                             offset, QuotedName(problem_, pool), *info.size_hint_bytes));
    }
  }

  void CheckTotal() {
    Bytes total = 0;
    auto add = [&total](Bytes bytes) {
      if (bytes > 0) total = bytes > kMaxTotalBytes - total ? kMaxTotalBytes : total + bytes;
    };
    for (const BufferInfo& buffer : problem_.buffers) {
      add(buffer.size_bytes);
      add(buffer.alignment);
      if (buffer.pinned) add(buffer.pinned->byte_offset);
    }
    if (total < kMaxTotalBytes) return;
    Report("buffers", "sizes, alignments and pinned offsets add up to more than 2^60 bytes");
  }

  void CheckConflicts() {
    const Conflicts& conflicts = problem_.conflicts;
    if (conflicts.buffer_count() != problem_.buffers.size()) {
      Report("conflicts",
             fmt::format("are those of {} buffers, but the problem has {}: make them with "
                         "Conflicts::FromLifetimes or FromPairs",
                         conflicts.buffer_count(), problem_.buffers.size()));
      return;
    }
    if (!conflicts.is_implied_by_lifetimes()) return;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      const auto id = static_cast<BufferId>(i);
      if (!std::ranges::equal(conflicts.LifetimesOf(id), problem_.buffers[i].lifetimes)) {
        Report(id, "its lifetimes are not those that the conflicts were made from");
      }
    }
  }

  void CheckOverlaps() {
    std::set<std::pair<BufferId, BufferId>> seen;
    const size_t count = problem_.buffers.size();
    for (size_t i = 0; i < problem_.overlaps.size(); ++i) {
      const auto& [lower, upper, distance] = problem_.overlaps[i];
      if (Index(lower) >= count || Index(upper) >= count || lower == upper) {
        Report(fmt::format("overlap {}", i), "needs two different buffers of the problem");
        continue;
      }
      const std::string where = fmt::format("overlap of {} below {}", QuotedName(problem_, lower),
                                            QuotedName(problem_, upper));
      if (!seen.insert({lower, upper}).second) {
        Report(where, "is given twice: one distance for an ordered pair");
      }
      if (distance > problem_.buffers[Index(lower)].size_bytes) {
        Report(where,
               fmt::format("distance {} is larger than the lower buffer: an overlap can only "
                           "bring the two closer than its {} bytes",
                           distance, problem_.buffers[Index(lower)].size_bytes));
      }
      CheckMeetOnce(lower, upper, where);
    }
  }

  void CheckMeetOnce(BufferId a, BufferId b, const std::string& where) {
    if (!problem_.conflicts.is_implied_by_lifetimes()) {
      if (!problem_.conflicts.AreInConflict(a, b)) {
        Report(where, "the two are not in conflict, so there is nothing to allow");
      }
      return;
    }
    const int64_t common =
        CommonSteps(problem_.conflicts.LifetimesOf(a), problem_.conflicts.LifetimesOf(b));
    if (common == 1) return;
    Report(where,
           fmt::format("the two are alive together in {} steps; an overlap is only valid where "
                       "they meet in exactly one",
                       common));
  }

  void CheckPinnedTogether() {
    std::vector<BufferId> pinned;
    std::vector<PoolAllocation> allocations(problem_.buffers.size());
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (!problem_.buffers[i].pinned) continue;
      pinned.push_back(static_cast<BufferId>(i));
      allocations[i] = *problem_.buffers[i].pinned;
    }
    for (Diagnostic& clash : plan::FindSharedBytes(problem_, pinned, allocations)) {
      Report(std::move(clash.where), "are pinned where they " + clash.message);
    }
  }

  const PlanProblem& problem_;
  std::vector<size_t> named_by_;  // by PoolId: the last buffer that may go there
  std::vector<Diagnostic> found_{};
};

}  // namespace

Result<void> CheckProblem(const PlanProblem& problem) {
  std::vector<Diagnostic> found = Checker(problem).Run();
  if (!found.empty()) return Fail({ErrorCode::kInvalidInput, std::move(found)});
  return {};
}

}  // namespace usmp
