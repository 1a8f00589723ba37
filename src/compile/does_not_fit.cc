#include "compile/does_not_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace usmp::compile {
namespace {

constexpr size_t kMaxNamed = 8;
constexpr Bytes kLargestElement = 8;  // bytes: no buffer is aligned to more

std::vector<PoolInfo> WithoutBounds(std::vector<PoolInfo> pools, PoolKind kind) {
  for (PoolInfo& pool : pools) {
    if (pool.kind == kind) pool.size_hint_bytes.reset();
  }
  return pools;
}

Bytes BytesOf(const Report& report, std::string_view pool) {
  const auto found = std::ranges::find(report.pools, pool, &ReportPool::name);
  return found == report.pools.end() ? 0 : found->bytes;
}

// The bounds of the pools of a kind together; absent if one has none, or they are beyond counting.
std::optional<Bytes> AvailableBytes(const std::vector<PoolInfo>& pools, PoolKind kind) {
  Bytes total = 0;
  for (const PoolInfo& pool : pools) {
    if (pool.kind != kind) continue;
    if (!pool.size_hint_bytes || __builtin_add_overflow(total, *pool.size_hint_bytes, &total)) {
      return {};
    }
  }
  return total;
}

std::string Need(Bytes needed, const std::optional<Bytes>& available) {
  std::string text = fmt::format("needs {} bytes where no pool is bounded", needed);
  if (!available) return text + "; the bounded pools are too small for what only they may hold";
  if (needed > *available) {
    return text +
           fmt::format("; its pools have {} together, {} too few", *available, needed - *available);
  }
  return text + fmt::format("; its pools have {} together, but not in one piece", *available);
}

Diagnostic Peak(const Report& report) {
  const ReportPeak peak = PeakOf(report);
  std::string text =
      fmt::format("{} bytes are alive in step {}, {}:", peak.live_bytes, peak.step, peak.call);
  std::vector<size_t> live = peak.live;
  std::ranges::stable_sort(live, std::ranges::greater{},
                           [&](size_t i) { return report.buffers[i].bytes; });
  const size_t named = std::min(live.size(), kMaxNamed);
  for (size_t i = 0; i < named; ++i) {
    const ReportBuffer& buffer = report.buffers[live[i]];
    text += fmt::format("{} {} ({} B)", i == 0 ? "" : ",", buffer.name, buffer.bytes);
  }
  if (named < live.size()) text += fmt::format(" and {} more", live.size() - named);
  return {"peak", text};
}

// Tries changes, and says of those that make the models fit how they then do.
class WaysOut {
 public:
  WaysOut(const Asked& asked, const TryChange& try_change)
      : asked_(asked), pools_(asked.options.pools), try_change_(try_change) {}

  void TryLargerPools(PoolKind kind) {
    for (size_t i = 0; i < pools_.size(); ++i) {
      const PoolInfo& pool = pools_[i];
      if (pool.kind != kind || !pool.size_hint_bytes) continue;
      const std::optional<Fit> fit = LeastSize(pools_, i, *pool.size_hint_bytes);
      if (!fit) continue;
      Add(fmt::format("pool '{}' of {} bytes, {} more", pool.pool_name, fit->size,
                      fit->size - *pool.size_hint_bytes),
          fit->report);
    }
  }

  void TryFurtherPool(PoolKind kind) {
    std::vector<PoolInfo> pools = pools_;
    pools.push_back({.pool_name = NewName(), .kind = kind, .is_internal = false});
    const std::optional<Fit> fit = LeastSize(pools, pools.size() - 1, 0);
    if (!fit) return;
    const std::string_view role = kind == PoolKind::kWorkspace ? "workspace" : "constant";
    Add(fmt::format("a further {} pool of {} bytes", role, fit->size), fit->report);
  }

  // Of its base: less is less padding between the constants of several models, more may be what a
  // buffer needs.
  void TryAlignments(PoolKind kind) {
    for (size_t i = 0; i < pools_.size(); ++i) {
      if (pools_[i].kind != kind || pools_[i].alignment == kLargestElement) continue;
      Change change{.pools = pools_};
      change.pools[i].alignment = kLargestElement;
      Try(change,
          fmt::format("pool '{}' aligned to {} bytes", pools_[i].pool_name, kLargestElement));
    }
  }

  void TryOptions() {
    const CompileOptions& options = asked_.options;
    if (!options.overlap) {
      Try({.pools = pools_, .overlap = true},
          "outputs that share bytes with dying inputs (--overlap on)");
    }
    if (options.stream != StreamMode::kAuto) {
      Try({.pools = pools_, .stream = StreamMode::kAuto},
          "operators that run row by row (--stream auto)");
    }
    if (asked_.models > 1 && asked_.sharing == ModelSharing::kConcurrent) {
      Try({.pools = pools_, .sharing = ModelSharing::kExclusive},
          "models that take turns (--models exclusive)");
    }
    Try({.pools = pools_, .in_any_pool = true},
        "inputs and outputs in any workspace pool (--io-tensor without a pool)");
  }

  // `caller_io_bytes` are free for a pool if inputs and outputs are no more the caller's.
  void TryOtherInterface(Bytes caller_io_bytes) {
    Try({.pools = pools_, .io = IoPlacement::kCaller},
        "inputs and outputs in memory of the caller's (--io caller)");
    for (size_t i = 0; i < pools_.size() && caller_io_bytes > 0; ++i) {
      const PoolInfo& pool = pools_[i];
      Bytes size = 0;
      if (pool.kind != PoolKind::kWorkspace || !pool.size_hint_bytes ||
          __builtin_add_overflow(*pool.size_hint_bytes, caller_io_bytes, &size)) {
        continue;
      }
      Change change{.pools = pools_, .io = IoPlacement::kWorkspace};
      change.pools[i].size_hint_bytes = size;
      Try(change,
          fmt::format("inputs and outputs in the workspace (--io workspace) and pool '{}' of {} "
                      "bytes, the {} that the caller then saves being added to it",
                      pool.pool_name, size, caller_io_bytes));
    }
  }

  std::vector<Diagnostic> Take() { return std::move(found_); }

 private:
  struct Fit {
    Bytes size = 0;
    Report report{};
  };

  Result<Report> TrySize(std::vector<PoolInfo> pools, size_t pool, std::optional<Bytes> size) {
    pools[pool].size_hint_bytes = size;
    return try_change_({.pools = std::move(pools)});
  }

  // The least size of the pool with which it fits, by bisection; `too_small` does not. Absent: it
  // fits with no size.
  std::optional<Fit> LeastSize(const std::vector<PoolInfo>& pools, size_t pool, Bytes too_small) {
    const auto unbounded = TrySize(pools, pool, {});
    if (!unbounded) return {};
    Bytes size = std::max(BytesOf(*unbounded, pools[pool].pool_name), too_small + 1);
    auto report = TrySize(pools, pool, size);
    if (!report) return {};
    for (Bytes next = size - 1; next > too_small; next = too_small + (size - too_small) / 2) {
      auto smaller = TrySize(pools, pool, next);
      if (smaller) {
        size = next;
        report = std::move(smaller);
      } else {
        too_small = next;
      }
    }
    return Fit{size, std::move(*report)};
  }

  void Try(const Change& change, const std::string& what) {
    const auto report = try_change_(change);
    if (report) Add(what, *report);
  }

  void Add(const std::string& what, const Report& report) {
    found_.push_back(
        {"it fits", fmt::format("with {}: {} bytes of RAM then, {} of them inputs and "
                                "outputs of the caller's",
                                what, report.total_ram_bytes, report.caller_io_bytes)});
  }

  std::string NewName() const {
    std::set<std::string_view> names;
    for (const PoolInfo& pool : pools_) names.insert(pool.pool_name);
    std::string name = "further";
    while (names.contains(name)) name += "_1";
    return name;
  }

  const Asked& asked_;
  const std::vector<PoolInfo>& pools_;
  const TryChange& try_change_;
  std::vector<Diagnostic> found_{};
};

}  // namespace

Error ExplainDoesNotFit(Error error, const Asked& asked, const TryChange& try_change) {
  const std::vector<PoolInfo>& pools = asked.options.pools;
  const auto all = try_change(
      {.pools = WithoutBounds(WithoutBounds(pools, PoolKind::kWorkspace), PoolKind::kConstant)});
  WaysOut ways(asked, try_change);
  for (PoolKind kind : {PoolKind::kWorkspace, PoolKind::kConstant}) {
    const bool is_workspace = kind == PoolKind::kWorkspace;
    const PoolKind other = is_workspace ? PoolKind::kConstant : PoolKind::kWorkspace;
    if (try_change({.pools = WithoutBounds(pools, other)})) continue;  // this kind is not at fault
    if (all) {
      error.diagnostics.push_back({is_workspace ? "workspace" : "constants",
                                   Need(is_workspace ? all->workspace_bytes : all->constant_bytes,
                                        AvailableBytes(pools, kind))});
      if (is_workspace) error.diagnostics.push_back(Peak(*all));
    }
    ways.TryLargerPools(kind);
    ways.TryFurtherPool(kind);
    ways.TryAlignments(kind);
  }
  ways.TryOptions();
  if (all) ways.TryOtherInterface(all->caller_io_bytes);
  for (Diagnostic& way : ways.Take()) error.diagnostics.push_back(std::move(way));
  return error;
}

}  // namespace usmp::compile
