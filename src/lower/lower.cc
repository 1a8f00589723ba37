#include "lower/lower.h"

#include <string>
#include <vector>

#include "lower/assign_buffers.h"
#include "lower/builder.h"
#include "lower/kernels.h"
#include "lower/offload.h"
#include "lower/share_constants.h"
#include "support/append.h"

namespace usmp::lower {
namespace {

Result<void> LowerOp(OpBuilder& builder, std::span<const Offload> offloads) {
  const bool is_offloaded = builder.op().kind == ir::OpKind::kOffloaded;
  const OperatorRow* row = FindOperator(builder.op().kind);
  if (row == nullptr && !is_offloaded)
    return builder.Unsupported("there is no kernel for this operator");
  for (ir::TensorId id : builder.op().outputs) {
    if (ElementCount(builder.graph()[id]) == 0) {
      return builder.Unsupported(Describe(builder.graph(), id) + " has no elements");
    }
  }
  return is_offloaded ? LowerOffloaded(builder, offloads) : row->lower(builder);
}

bool SharesBuffer(const ir::Op& op, const BufferAssignment& assignment) {
  const auto buffer = [&](ir::TensorId id) { return assignment.buffers[static_cast<size_t>(id)]; };
  return op.kind == ir::OpKind::kReshape && buffer(op.inputs[0]).has_value() &&
         buffer(op.inputs[0]) == buffer(op.outputs[0]);
}

void AddCopy(const ir::Graph& graph, const OutputCopy& copy, Program& program) {
  const ir::Tensor& tensor = graph[copy.from];
  Operand source{.buffer = copy.from_buffer};
  if (!source.buffer) {
    program.buffers.push_back({.name = ir::DisplayName(tensor.name),
                               .kind = BufferKind::kConstant,
                               .element = ElementTypeOf(tensor.dtype),
                               .count = ElementCount(tensor),
                               .data = *tensor.data});
    source.buffer = BufferId(program.buffers.size() - 1);
  }
  program.calls.push_back({.kernel = "copy",
                           .operator_name = "output",
                           .label = "output " + Describe(graph, copy.from),
                           .params = {{"bytes", ByteSize(tensor)}},
                           .operands = {source, {copy.to_buffer, Access::kWrite}}});
}

// Strings, resources, ... that would have to lie in memory.
std::vector<Diagnostic> TensorsWithoutType(const ir::Graph& graph) {
  std::vector<Diagnostic> problems;
  const std::vector<bool> is_used = UsedTensors(graph);
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    if (!is_used[i] || graph.tensors[i].dtype != ir::DType::kOther) continue;
    problems.push_back({Describe(graph, ir::TensorId(i)), "nothing can be computed with its type"});
  }
  return problems;
}

}  // namespace

Result<Program> Lower(const ir::Graph& graph, std::span<const Offload> offloads) {
  std::vector<Diagnostic> problems = TensorsWithoutType(graph);
  if (!problems.empty()) return Fail(Error{ErrorCode::kUnsupported, std::move(problems)});
  Program program{.name = graph.name};
  const BufferAssignment assignment = AssignBuffers(graph, program);
  for (const ir::Op& op : graph.ops) {
    if (SharesBuffer(op, assignment)) continue;
    OpBuilder builder(graph, op, assignment.buffers, program);
    if (auto lowered = LowerOp(builder, offloads); !lowered) {
      Append(problems, std::move(lowered.error().diagnostics));
    }
  }
  for (const OutputCopy& copy : assignment.copies) AddCopy(graph, copy, program);
  if (!problems.empty()) return Fail(Error{ErrorCode::kUnsupported, std::move(problems)});
  ShareConstants(program);
  return program;
}

std::vector<Diagnostic> WhyUnsupported(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind == ir::OpKind::kOffloaded) return {};
  Program scrap;
  scrap.buffers.emplace_back();
  const std::vector<std::optional<BufferId>> buffers(graph.tensors.size(), BufferId{0});
  OpBuilder builder(graph, op, buffers, scrap);
  auto lowered = LowerOp(builder, {});
  return lowered ? std::vector<Diagnostic>{} : std::move(lowered.error().diagnostics);
}

}  // namespace usmp::lower
