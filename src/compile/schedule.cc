#include "compile/schedule.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "lower/order.h"
#include "lower/scan_direction.h"

namespace usmp::compile {
namespace {

struct Planner {
  std::span<const PoolInfo> pools;
  const CompileOptions& options;
  const Algorithm& algorithm;

  Result<Schedule> Run(lower::Program program) const {
    Schedule schedule{.program = std::move(program)};
    schedule.extracted =
        lower::ExtractBuffers(schedule.program, pools,
                              {.io_in_workspace = options.io == IoPlacement::kWorkspace,
                               .keep_all = options.debug == DebugMode::kKeepTensors,
                               .overlap = options.overlap});
    auto plan = MakePlan(schedule.extracted.problem, algorithm, options.plan);
    if (!plan) return Fail(plan.error());
    schedule.plan = *std::move(plan);
    return schedule;
  }

  Bytes WorkspaceOf(const Schedule& schedule) const {
    Bytes bytes = 0;
    for (size_t i = 0; i < pools.size(); ++i) {
      if (pools[i].kind == PoolKind::kWorkspace) bytes += schedule.plan.pool_sizes[i];
    }
    return bytes;
  }
};

void SetDirections(Schedule& schedule) {
  std::vector<std::optional<PoolAllocation>> allocations;
  for (const std::optional<BufferId>& id : schedule.extracted.planned) {
    allocations.push_back(id ? std::optional(schedule.plan.allocations[static_cast<size_t>(*id)])
                             : std::nullopt);
  }
  lower::ChooseScanDirections(allocations, schedule.program);
}

}  // namespace

Result<Schedule> MakeSchedule(lower::Program program, std::span<const PoolInfo> pools,
                              const CompileOptions& options, const Algorithm& algorithm) {
  const Planner planner{pools, options, algorithm};
  lower::Order order;
  if (options.reorder) {
    order = lower::FindOrder(program, {.io_in_workspace = options.io == IoPlacement::kWorkspace,
                                       .overlap = options.overlap});
  }
  std::optional<lower::Program> other;
  if (!std::ranges::is_sorted(order.calls)) other = lower::Reordered(program, order.calls);
  Result<Schedule> best = planner.Run(std::move(program));
  if (other) {
    Result<Schedule> reordered = planner.Run(*std::move(other));
    const bool is_better =
        reordered && (!best || planner.WorkspaceOf(*reordered) < planner.WorkspaceOf(*best));
    if (is_better) best = std::move(reordered);
  }
  if (!best) return best;
  best->order_is_proved_best = order.is_proved_best;
  SetDirections(*best);
  return best;
}

}  // namespace usmp::compile
