#include "compile/descriptors.h"

#include <algorithm>

namespace usmp::compile {
namespace {

size_t Index(BufferId id) { return static_cast<size_t>(id); }

lower::Buffer DescriptorOf(const lower::Buffer& data) {
  static_assert(emit::kDescriptorAlignment == 8 && emit::kDescriptorBytes % 8 == 0);
  return {.name = "descriptor of '" + data.name + "'",
          .kind = BufferKind::kDescriptor,
          .element = lower::ElementType::kInt64,
          .count = emit::kDescriptorBytes / 8};
}

}  // namespace

std::vector<std::optional<BufferId>> AddDescriptors(DlTensors where, const Interfaces& interfaces,
                                                    std::span<const lower::WorkspaceIo> io,
                                                    lower::Program& program) {
  std::vector<std::optional<BufferId>> descriptors;
  if (where != DlTensors::kWorkspace && where != DlTensors::kContiguous) return descriptors;
  for (const auto* tensors : {&interfaces.inputs, &interfaces.outputs}) {
    for (const emit::Interface& tensor : *tensors) {
      const bool is_planned =
          std::ranges::find(io, tensor.buffer, &lower::WorkspaceIo::buffer) != io.end();
      descriptors.emplace_back();
      if (tensor.rows > 0) continue;
      if (where == DlTensors::kContiguous && is_planned) {
        program[tensor.buffer].descriptor_bytes = emit::kDescriptorBytes;
        continue;
      }
      descriptors.back() = BufferId(program.buffers.size());
      program.buffers.push_back(DescriptorOf(program[tensor.buffer]));
    }
  }
  return descriptors;
}

void LocateDescriptors(std::span<const std::optional<BufferId>> descriptors,
                       const lower::Program& program,
                       std::span<const std::optional<PoolAllocation>> allocations,
                       std::vector<emit::Interface>& inputs,
                       std::vector<emit::Interface>& outputs) {
  if (descriptors.empty()) return;
  size_t next = 0;
  for (auto* tensors : {&inputs, &outputs}) {
    for (emit::Interface& tensor : *tensors) {
      const std::optional<BufferId>& own = descriptors[next++];
      if (tensor.rows > 0) continue;
      tensor.descriptor = allocations[Index(own.value_or(tensor.buffer))];
      if (!own) tensor.descriptor->byte_offset -= program[tensor.buffer].descriptor_bytes;
    }
  }
}

}  // namespace usmp::compile
