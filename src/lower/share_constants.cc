#include "lower/share_constants.h"

#include <algorithm>
#include <map>
#include <vector>

#include "support/append.h"

namespace usmp::lower {

void ShareConstants(Program& program) {
  std::map<std::pair<ElementType, std::vector<uint8_t>>, BufferId> first;
  std::vector<BufferId> replacement;  // by BufferId
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    Buffer& buffer = program.buffers[i];
    replacement.push_back(BufferId(i));
    if (buffer.kind != BufferKind::kConstant) continue;
    const auto [same, is_new] =
        first.try_emplace({buffer.element, std::move(buffer.data)}, BufferId(i));
    if (is_new) continue;
    replacement.back() = same->second;
    Append(program[same->second].source_tensors, std::move(buffer.source_tensors));
  }
  for (const auto& [key, id] : first) program[id].data = key.second;
  for (Call& call : program.calls) {
    for (Operand& operand : call.operands) {
      if (operand.buffer) operand.buffer = replacement[static_cast<size_t>(*operand.buffer)];
    }
  }
}

}  // namespace usmp::lower
