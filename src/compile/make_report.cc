#include "compile/make_report.h"

#include <algorithm>

#include "support/sha256.h"
#include "usmp/pool_cost.h"

namespace usmp::compile {
namespace {

size_t Index(BufferId id) { return static_cast<size_t>(id); }

// By a BufferId of a unit's own problem.
const PoolAllocation& AllocationOf(const ReportInput& input, size_t unit, BufferId own) {
  return input.plan.allocations[input.joint.first_buffer[unit] + Index(own)];
}

std::vector<ReportTensor> Tensors(const ReportInput& input, size_t index,
                                  const std::vector<emit::Interface>& interfaces,
                                  std::span<const ir::TensorId> ids) {
  const Unit& unit = input.units[index];
  std::vector<ReportTensor> tensors;
  for (size_t i = 0; i < interfaces.size(); ++i) {
    const emit::Interface& interface = interfaces[i];
    const lower::Buffer& buffer = unit.program[interface.buffer];
    const std::optional<BufferId>& planned = unit.extracted.planned[Index(interface.buffer)];
    const bool by_rows = interface.rows > 0;
    auto allocation =
        planned && !by_rows ? std::optional(AllocationOf(input, index, *planned)) : std::nullopt;
    if (allocation) allocation->byte_offset += buffer.descriptor_bytes;
    tensors.push_back(
        {.name = interface.name,
         .identifier = interface.identifier,
         .bytes = buffer.size_bytes(),
         .dtype = std::string(ir::Name(unit.graph[ids[i]].dtype)),
         .shape = interface.shape,
         .scales = interface.scales,
         .zero_points = interface.zero_points,
         .placement = by_rows      ? "rows"
                      : allocation ? "workspace"
                                   : "caller",
         .rows = interface.rows,
         .allocation = allocation,
         .precious = interface.is_precious || (!allocation && buffer.kind == BufferKind::kInput),
         .tensors = buffer.source_tensors});
  }
  return tensors;
}

void AddModel(const ReportInput& input, size_t index, Report& report) {
  const Unit& unit = input.units[index];
  report.models.push_back(
      {.name = unit.options().model_name,
       .symbol = unit.symbol,
       .source_sha256 = Sha256Hex(unit.source->bytes),
       .operators = static_cast<int32_t>(unit.graph.ops.size()),
       .is_reordered = unit.is_reordered,
       .is_order_proved_best = unit.is_order_proved_best,
       .inputs = Tensors(input, index, unit.interfaces.inputs, unit.graph.inputs),
       .outputs = Tensors(input, index, unit.interfaces.outputs, unit.graph.outputs),
       .tradeoffs = unit.tradeoffs});
  for (const auto* tensors : {&report.models.back().inputs, &report.models.back().outputs}) {
    for (const ReportTensor& tensor : *tensors) {
      if (tensor.placement == "caller") report.caller_io_bytes += tensor.bytes;
    }
  }
}

void AddPools(const ReportInput& input, Report& report) {
  const std::vector<PoolInfo>& pools = input.joint.problem.pools;
  for (size_t i = 0; i < pools.size(); ++i) {
    const bool is_workspace = pools[i].kind == PoolKind::kWorkspace;
    report.pools.push_back({.name = pools[i].pool_name,
                            .kind = pools[i].kind,
                            .is_internal = pools[i].is_internal,
                            .in_ram = is_workspace || pools[i].in_ram,
                            .bytes = input.plan.pool_sizes[i],
                            .size_hint_bytes = pools[i].size_hint_bytes,
                            .alignment = pools[i].alignment});
    (is_workspace ? report.workspace_bytes : report.constant_bytes) += input.plan.pool_sizes[i];
    if (pools[i].in_ram) report.ram_constant_bytes += input.plan.pool_sizes[i];
  }
}

void AddBuffers(const ReportInput& input, size_t index, Report& report) {
  const Unit& unit = input.units[index];
  for (size_t i = 0; i < unit.program.buffers.size(); ++i) {
    const std::optional<BufferId>& planned = unit.extracted.planned[i];
    if (!planned) continue;
    const BufferInfo& info =
        input.joint.problem.buffers[input.joint.first_buffer[index] + Index(*planned)];
    const PoolAllocation& at = AllocationOf(input, index, *planned);
    const PoolInfo& pool = input.joint.problem.pools[static_cast<size_t>(at.pool)];
    report.buffers.push_back({.name = info.name_hint,
                              .kind = info.kind,
                              .bytes = info.size_bytes,
                              .alignment = info.alignment,
                              .allocation = at,
                              .lifetimes = info.lifetimes,
                              .model = static_cast<int32_t>(index),
                              .tensors = unit.program.buffers[i].source_tensors,
                              .memory_ns = MemoryTime(info, pool)});
    if (const auto& time = report.buffers.back().memory_ns) {
      report.memory_ns = report.memory_ns.value_or(0) + *time;
    }
    if (info.kind == BufferKind::kState) report.state_bytes += info.size_bytes;
  }
}

ReportCall RowOf(const lower::Program& program, const lower::Call& call) {
  ReportCall row{.kernel = call.group || call.transfer ? "rows" : call.kernel,
                 .operator_name = call.operator_name,
                 .label = call.label};
  for (const lower::Operand& operand : call.operands) {
    if (!operand.buffer) continue;
    const std::string& name = program[*operand.buffer].name;
    switch (operand.access) {
      case lower::Access::kRead:
        row.reads.push_back(name);
        break;
      case lower::Access::kWrite:
        row.writes.push_back(name);
        break;
      case lower::Access::kScratch:
        row.scratch.push_back(name);
        break;
    }
  }
  return row;
}

void AddCalls(const ReportInput& input, size_t index, Report& report) {
  const lower::Program& program = input.units[index].program;
  for (size_t i = 0; i < program.calls.size(); ++i) {
    ReportCall row = RowOf(program, program.calls[i]);
    row.model = static_cast<int32_t>(index);
    row.step = input.joint.first_step[index] + static_cast<int32_t>(i);
    report.calls.push_back(std::move(row));
  }
}

// The live sum of the graph as it is: inputs and outputs in the workspace, no overlap, no
// streaming, no scratch; what any planner of tensors alone could reach.
Bytes FixedGraphBound(const Unit& unit) {
  lower::Program tensors = unit.whole;
  for (lower::Buffer& buffer : tensors.buffers) buffer.descriptor_bytes = 0;
  PlanProblem problem = lower::ExtractBuffers(tensors, unit.extracted.problem.pools,
                                              {.io = lower::AllIo(tensors), .overlap = false})
                            .problem;
  for (BufferInfo& buffer : problem.buffers) {
    const bool is_tensor =
        buffer.kind != BufferKind::kScratch && buffer.kind != BufferKind::kDescriptor;
    if (!is_tensor) buffer.size_bytes = 0;
  }
  return LiveSum(problem);
}

void AddUnit(const ReportInput& input, size_t index, Report& report) {
  const Unit& unit = input.units[index];
  AddModel(input, index, report);
  AddBuffers(input, index, report);
  AddCalls(input, index, report);
  const Bytes bound = FixedGraphBound(unit);
  const bool adds_up = input.sharing == ModelSharing::kConcurrent;
  report.fixed_graph_bound_bytes = adds_up ? report.fixed_graph_bound_bytes + bound
                                           : std::max(report.fixed_graph_bound_bytes, bound);
  report.max_stack_bytes = std::max(report.max_stack_bytes, unit.max_stack_bytes());
}

}  // namespace

Report MakeReport(const ReportInput& input) {
  Report report{.lower_bound_bytes = input.plan.lower_bound_bytes,
                .proof = input.plan.proof,
                .witness = input.plan.witness,
                .algorithm = input.algorithm,
                .plan_steps = input.plan.steps};
  AddPools(input, report);
  for (size_t i = 0; i < input.units.size(); ++i) AddUnit(input, i, report);
  report.total_ram_bytes =
      report.workspace_bytes + report.caller_io_bytes + report.ram_constant_bytes;
  return report;
}

}  // namespace usmp::compile
