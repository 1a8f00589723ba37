#include "compile/make_report.h"

#include "emit/stack_usage.h"
#include "support/sha256.h"
#include "usmp/pool_cost.h"

namespace usmp::compile {
namespace {

size_t Index(BufferId id) { return static_cast<size_t>(id); }

std::vector<ReportTensor> Tensors(const ReportInput& input,
                                  const std::vector<emit::Interface>& interfaces,
                                  std::span<const ir::TensorId> ids) {
  std::vector<ReportTensor> tensors;
  for (size_t i = 0; i < interfaces.size(); ++i) {
    const emit::Interface& interface = interfaces[i];
    const std::optional<BufferId>& planned = input.extracted.planned[Index(interface.buffer)];
    const auto allocation =
        planned ? std::optional(input.plan.allocations[Index(*planned)]) : std::nullopt;
    tensors.push_back(
        {.name = interface.name,
         .identifier = interface.identifier,
         .bytes = input.program[interface.buffer].size_bytes(),
         .dtype = std::string(ir::Name(input.graph[ids[i]].dtype)),
         .shape = interface.shape,
         .scales = interface.scales,
         .zero_points = interface.zero_points,
         .placement = allocation ? "workspace" : "caller",
         .allocation = allocation,
         .precious = !allocation && input.program[interface.buffer].kind == BufferKind::kInput,
         .tensors = input.program[interface.buffer].source_tensors});
  }
  return tensors;
}

void AddPools(const ReportInput& input, Report& report) {
  const std::vector<PoolInfo>& pools = input.extracted.problem.pools;
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

const PoolInfo& PoolOf(const ReportInput& input, BufferId planned) {
  return input.extracted.problem
      .pools[static_cast<size_t>(input.plan.allocations[Index(planned)].pool)];
}

void AddBuffers(const ReportInput& input, Report& report) {
  for (size_t i = 0; i < input.program.buffers.size(); ++i) {
    const std::optional<BufferId>& planned = input.extracted.planned[i];
    if (!planned) continue;
    const BufferInfo& info = input.extracted.problem.buffers[Index(*planned)];
    report.buffers.push_back({.name = info.name_hint,
                              .kind = info.kind,
                              .bytes = info.size_bytes,
                              .alignment = info.alignment,
                              .allocation = input.plan.allocations[Index(*planned)],
                              .lifetimes = info.lifetimes,
                              .tensors = input.program.buffers[i].source_tensors,
                              .memory_ns = MemoryTime(info, PoolOf(input, *planned)).value_or(0)});
    if (info.kind == BufferKind::kState) report.state_bytes += info.size_bytes;
  }
}

void AddCalls(const ReportInput& input, Report& report) {
  for (size_t step = 0; step < input.program.calls.size(); ++step) {
    const lower::Call& call = input.program.calls[step];
    ReportCall row{.step = static_cast<int32_t>(step),
                   .kernel = call.kernel,
                   .operator_name = call.operator_name,
                   .label = call.label};
    for (const lower::Operand& operand : call.operands) {
      if (!operand.buffer) continue;
      const std::string& name = input.program[*operand.buffer].name;
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
    report.calls.push_back(std::move(row));
  }
}

// The live sum of the graph as it is: inputs and outputs in the workspace, no overlap, no
// streaming, no scratch; what any planner of tensors alone could reach.
Bytes FixedGraphBound(const ReportInput& input) {
  const lower::Extracted all = lower::ExtractBuffers(input.program, input.extracted.problem.pools,
                                                     {.io_in_workspace = true, .overlap = false});
  PlanProblem problem = all.problem;
  for (BufferInfo& buffer : problem.buffers) {
    if (buffer.kind == BufferKind::kScratch) buffer.size_bytes = 0;
  }
  return LiveSum(problem);
}

}  // namespace

Report MakeReport(const ReportInput& input) {
  Report report{.lower_bound_bytes = input.plan.lower_bound_bytes,
                .fixed_graph_bound_bytes = FixedGraphBound(input),
                .memory_ns = MemoryTime(input.extracted.problem, input.plan),
                .max_stack_bytes = emit::MaxStackBytes(emit::KernelsOf(input.program)),
                .proof = input.plan.proof,
                .witness = input.plan.witness,
                .algorithm = input.algorithm,
                .plan_steps = input.plan.steps};
  report.models.push_back(
      {.name = input.options.model_name,
       .source_sha256 = Sha256Hex(input.model_bytes),
       .operators = static_cast<int32_t>(input.graph.ops.size()),
       .inputs = Tensors(input, input.interfaces.inputs, input.graph.inputs),
       .outputs = Tensors(input, input.interfaces.outputs, input.graph.outputs)});
  AddPools(input, report);
  AddBuffers(input, report);
  AddCalls(input, report);
  for (const auto* tensors : {&report.models[0].inputs, &report.models[0].outputs}) {
    for (const ReportTensor& tensor : *tensors) {
      if (!tensor.allocation) report.caller_io_bytes += tensor.bytes;
    }
  }
  report.total_ram_bytes =
      report.workspace_bytes + report.caller_io_bytes + report.ram_constant_bytes;
  return report;
}

}  // namespace usmp::compile
