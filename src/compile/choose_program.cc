#include "compile/choose_program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "stream/choose.h"

namespace usmp::compile {
namespace {

lower::Extracted Extract(const lower::Program& program, const BuildContext& context,
                         const Unit& unit) {
  return lower::ExtractBuffers(program, context.pools,
                               {.io = unit.io,
                                .keep_all = context.debug == DebugMode::kKeepTensors,
                                .overlap = unit.options().overlap});
}

// Absent: it does not fit the pools.
std::optional<Plan> PlanOf(const lower::Extracted& extracted, const BuildContext& context,
                           const Unit& unit) {
  auto plan = MakePlan(extracted.problem, context.algorithm, unit.options().plan);
  if (!plan) return std::nullopt;
  return *std::move(plan);
}

}  // namespace

Bytes CallerBytes(const Unit& unit) {
  Bytes bytes = 0;
  for (const auto* ids : {&unit.whole.inputs, &unit.whole.outputs}) {
    for (BufferId id : *ids) {
      const bool is_planned =
          std::ranges::find(unit.io, id, &lower::WorkspaceIo::buffer) != unit.io.end();
      const bool is_there = unit.whole[id].kind != BufferKind::kIntermediate;  // not only its rows
      bytes += is_planned || !is_there ? 0 : unit.whole[id].size_bytes();
    }
  }
  return bytes;
}

stream::ChooseOptions ChooseOptionsOf(const Unit& unit) {
  stream::ChooseOptions options{.overlap = unit.options().overlap};
  for (const lower::WorkspaceIo& io : unit.io) {
    options.workspace_io.push_back(io.buffer);
    if (io.is_precious) options.precious.push_back(io.buffer);
  }
  if (unit.options().stream == StreamMode::kFit) {
    options.ram_bytes = unit.options().stream_ram_bytes - CallerBytes(unit);
  }
  return options;
}

namespace {

// A program with groups, and its plan.
struct Grouped {
  lower::Program program{};
  lower::Extracted extracted{};
  Plan plan{};
  Bytes bytes = 0;  // of workspace
};

// The first of ever smaller choices whose plan stays within the limit, if there is one, or else the
// last that can be planned. Absent: no choice has groups, or none can be planned.
std::optional<Grouped> ChooseGrouped(const BuildContext& context, const Unit& unit) {
  stream::ChooseOptions options = ChooseOptionsOf(unit);
  const std::optional<Bytes> limit = options.ram_bytes;
  std::optional<Grouped> grouped;
  std::optional<Bytes> estimate;
  while (true) {
    stream::Choice choice = stream::ChooseGroups(unit.whole, options);
    if (choice.fused_calls == 0 || choice.peak.bytes == estimate) return grouped;
    estimate = choice.peak.bytes;
    lower::Extracted extracted = Extract(choice.program, context, unit);
    if (auto plan = PlanOf(extracted, context, unit)) {
      const Bytes bytes = WorkspaceBytes(extracted.problem, *plan);
      if (!grouped || bytes < grouped->bytes) {
        grouped = {std::move(choice.program), std::move(extracted), *std::move(plan), bytes};
      }
    }
    if (!limit || (grouped && grouped->bytes <= *limit)) return grouped;
    options.ram_bytes = *estimate - 1;
  }
}

}  // namespace

void ChooseProgram(const BuildContext& context, Unit& unit) {
  unit.program = unit.whole;
  unit.extracted = Extract(unit.whole, context, unit);
  if (unit.options().stream == StreamMode::kOff || context.debug == DebugMode::kKeepTensors) return;
  unit.plan = PlanOf(unit.extracted, context, unit);
  std::optional<Bytes> whole;
  if (unit.plan) whole = WorkspaceBytes(unit.extracted.problem, *unit.plan);
  const std::optional<Bytes> limit = ChooseOptionsOf(unit).ram_bytes;
  if (whole && limit && *whole <= *limit) return;
  std::optional<Grouped> grouped = ChooseGrouped(context, unit);
  if (!grouped || (whole && *whole <= grouped->bytes)) return;
  unit.program = std::move(grouped->program);
  unit.extracted = std::move(grouped->extracted);
  unit.plan = std::move(grouped->plan);
}

}  // namespace usmp::compile
