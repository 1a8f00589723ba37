#include "lower/assign_buffers.h"

#include <algorithm>

namespace usmp::lower {
namespace {

// The tensors that live in one buffer, found by the first of them.
struct Groups {
  std::vector<size_t> first{};    // by tensor: the group's first tensor
  std::vector<bool> has_input{};  // by the group's first tensor
  std::vector<bool> has_output{};
};

size_t Index(ir::TensorId id) { return static_cast<size_t>(id); }

Groups GroupViews(const ir::Graph& graph) {
  const size_t count = graph.tensors.size();
  std::vector<bool> is_output(count, false);
  for (ir::TensorId id : graph.outputs) is_output[Index(id)] = true;
  Groups groups{std::vector<size_t>(count), std::vector<bool>(count, false), is_output};
  for (size_t i = 0; i < count; ++i) groups.first[i] = i;
  for (ir::TensorId id : graph.inputs) groups.has_input[Index(id)] = true;
  for (const ir::Op& op : graph.ops) {
    if (op.kind != ir::OpKind::kReshape || graph[op.inputs[0]].data != nullptr) continue;
    const size_t root = groups.first[Index(op.inputs[0])];
    const size_t view = Index(op.outputs[0]);
    if (is_output[view] && (groups.has_input[root] || groups.has_output[root])) continue;
    groups.first[view] = root;
    if (is_output[view]) groups.has_output[root] = true;
  }
  return groups;
}

Buffer MakeBuffer(const ir::Tensor& tensor, BufferKind kind) {
  Buffer buffer{.name = ir::DisplayName(tensor.name),
                .kind = kind,
                .element = ElementTypeOf(tensor.dtype),
                .count = ElementCount(tensor)};
  if (tensor.source_index >= 0) buffer.source_tensors.push_back(tensor.source_index);
  return buffer;
}

}  // namespace

std::vector<bool> UsedTensors(const ir::Graph& graph) {
  std::vector<bool> used(graph.tensors.size());
  const auto use = [&](ir::TensorId id) {
    if (id != ir::kNoTensor) used[Index(id)] = true;
  };
  std::ranges::for_each(graph.inputs, use);
  std::ranges::for_each(graph.outputs, use);
  for (const ir::Op& op : graph.ops) {
    std::ranges::for_each(op.inputs, use);
    std::ranges::for_each(op.outputs, use);
  }
  return used;
}

BufferAssignment AssignBuffers(const ir::Graph& graph, Program& program) {
  const Groups groups = GroupViews(graph);
  const std::vector<bool> is_used = UsedTensors(graph);
  BufferAssignment assignment;
  assignment.buffers.resize(graph.tensors.size());
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    const ir::Tensor& tensor = graph.tensors[i];
    if (tensor.data != nullptr || !is_used[i]) continue;
    const size_t root = groups.first[i];
    if (root != i) {
      assignment.buffers[i] = assignment.buffers[root];
      if (tensor.source_index >= 0) {
        program[*assignment.buffers[root]].source_tensors.push_back(tensor.source_index);
      }
      continue;
    }
    const BufferKind kind = groups.has_input[i]    ? BufferKind::kInput
                            : groups.has_output[i] ? BufferKind::kOutput
                                                   : BufferKind::kIntermediate;
    program.buffers.push_back(MakeBuffer(tensor, kind));
    assignment.buffers[i] = BufferId(program.buffers.size() - 1);
  }
  for (ir::TensorId id : graph.inputs) program.inputs.push_back(*assignment.buffers[Index(id)]);
  for (ir::TensorId id : graph.outputs) {
    const std::optional<BufferId> buffer = assignment.buffers[Index(id)];
    const bool owns = buffer && program[*buffer].kind == BufferKind::kOutput &&
                      std::ranges::find(program.outputs, *buffer) == program.outputs.end();
    if (owns) {
      program.outputs.push_back(*buffer);
      continue;
    }
    program.buffers.push_back(MakeBuffer(graph[id], BufferKind::kOutput));
    program.buffers.back().source_tensors.clear();  // the tensor itself lives elsewhere
    const BufferId copy{static_cast<uint32_t>(program.buffers.size() - 1)};
    assignment.copies.push_back({id, buffer, copy});
    program.outputs.push_back(copy);
  }
  return assignment;
}

}  // namespace usmp::lower
