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

stream::ChooseOptions OptionsOf(const Unit& unit) {
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

}  // namespace

void ChooseProgram(const BuildContext& context, Unit& unit) {
  unit.program = unit.whole;
  unit.extracted = Extract(unit.whole, context, unit);
  if (unit.options().stream == StreamMode::kOff || context.debug == DebugMode::kKeepTensors) return;
  const stream::ChooseOptions options = OptionsOf(unit);
  unit.plan = PlanOf(unit.extracted, context, unit);
  const auto needed = [](const lower::Extracted& extracted, const Plan& plan) {
    return WorkspaceBytes(extracted.problem, plan);
  };
  const bool is_enough =
      unit.plan && options.ram_bytes && needed(unit.extracted, *unit.plan) <= *options.ram_bytes;
  if (is_enough) return;
  stream::Choice choice = stream::ChooseGroups(unit.whole, options);
  if (choice.fused_calls == 0) return;
  lower::Extracted extracted = Extract(choice.program, context, unit);
  std::optional<Plan> grouped = PlanOf(extracted, context, unit);
  if (!grouped) return;
  if (unit.plan && needed(unit.extracted, *unit.plan) <= needed(extracted, *grouped)) return;
  unit.program = std::move(choice.program);
  unit.extracted = std::move(extracted);
  unit.plan = std::move(grouped);
}

}  // namespace usmp::compile
