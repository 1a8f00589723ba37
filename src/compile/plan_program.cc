#include "compile/plan_program.h"

#include <utility>

#include "stream/choose.h"

namespace usmp::compile {
namespace {

Result<PlannedProgram> PlanOne(lower::Program program, std::span<const PoolInfo> pools,
                               const Algorithm& algorithm, const CompileOptions& options) {
  lower::Extracted extracted =
      lower::ExtractBuffers(program, pools,
                            {.io_in_workspace = options.io == IoPlacement::kWorkspace,
                             .keep_all = options.debug == DebugMode::kKeepTensors,
                             .overlap = options.overlap});
  auto plan = MakePlan(extracted.problem, algorithm, options.plan);
  if (!plan) return Fail(plan.error());
  return PlannedProgram{std::move(program), std::move(extracted), *std::move(plan)};
}

Bytes WorkspaceBytes(const PlannedProgram& planned) {
  Bytes bytes = 0;
  for (size_t i = 0; i < planned.plan.pool_sizes.size(); ++i) {
    const bool is_workspace = planned.extracted.problem.pools[i].kind == PoolKind::kWorkspace;
    bytes += is_workspace ? planned.plan.pool_sizes[i] : 0;
  }
  return bytes;
}

Bytes CallerBytes(const lower::Program& program, const CompileOptions& options) {
  if (options.io == IoPlacement::kWorkspace) return 0;
  Bytes bytes = 0;
  for (const lower::Buffer& buffer : program.buffers) {
    const bool is_io = buffer.kind == BufferKind::kInput || buffer.kind == BufferKind::kOutput;
    bytes += is_io ? buffer.size_bytes() : 0;
  }
  return bytes;
}

}  // namespace

Result<PlannedProgram> PlanProgram(const lower::Program& whole, std::span<const PoolInfo> pools,
                                   const Algorithm& algorithm, const CompileOptions& options) {
  auto plain = PlanOne(whole, pools, algorithm, options);
  const bool may_stream =
      options.stream != StreamMode::kOff && options.debug != DebugMode::kKeepTensors;
  if (!may_stream) return plain;
  stream::ChooseOptions choose{.io_in_workspace = options.io == IoPlacement::kWorkspace,
                               .overlap = options.overlap};
  if (options.stream == StreamMode::kFit) {
    choose.ram_bytes = options.stream_ram_bytes - CallerBytes(whole, options);
    if (plain && WorkspaceBytes(*plain) <= *choose.ram_bytes) return plain;
  }
  stream::Choice choice = stream::ChooseGroups(whole, choose);
  if (choice.fused_calls == 0) return plain;
  auto streamed = PlanOne(std::move(choice.program), pools, algorithm, options);
  if (!streamed) return plain;
  if (plain && WorkspaceBytes(*plain) <= WorkspaceBytes(*streamed)) return plain;
  return streamed;
}

}  // namespace usmp::compile
