#include "import/tflite/offload.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <variant>

namespace usmp::import::tflite {

std::optional<int32_t> FindOffload(Reader& reader, const std::string& name, int32_t index,
                                   const std::vector<ir::TensorId>& outputs) {
  const std::vector<std::string>& offloads = reader.options.offloads;
  reader.used_offloads.resize(offloads.size());
  ++reader.operator_names[name];
  const auto is_this_one = [&](const std::string& wanted) {
    return wanted == fmt::format("op:{}", index) ||
           std::ranges::any_of(outputs, [&](ir::TensorId id) {
             return !wanted.empty() && reader.result.graph[id].name == wanted;
           });
  };
  auto found = std::ranges::find_if(offloads, is_this_one);
  if (found == offloads.end()) found = std::ranges::find(offloads, name);
  if (found == offloads.end()) return {};
  const auto offload = static_cast<int32_t>(found - offloads.begin());
  reader.used_offloads[static_cast<size_t>(offload)] = true;
  return offload;
}

void CheckOffloads(Reader& reader) {
  const std::vector<std::string>& offloads = reader.options.offloads;
  reader.used_offloads.resize(offloads.size());
  std::string known;
  for (const auto& [name, count] : reader.operator_names) {
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", name, count);
  }
  for (size_t i = 0; i < offloads.size(); ++i) {
    if (reader.used_offloads[i]) continue;
    reader.Problem("offload of '" + offloads[i] + "'",
                   "no operator is left for it; name a kind of the model, which has " + known +
                       "; or one operator, by a tensor that it writes or as op:N");
  }
}

bool HasDetails(ir::OpKind kind) {
  constexpr ir::OpKind kKinds[] = {
      ir::OpKind::kConv2d,        ir::OpKind::kDepthwiseConv2d,
      ir::OpKind::kAveragePool2d, ir::OpKind::kMaxPool2d,
      ir::OpKind::kAdd,           ir::OpKind::kSub,
      ir::OpKind::kMul,           ir::OpKind::kFullyConnected,
      ir::OpKind::kConcatenation,
  };
  return std::ranges::find(kKinds, kind) != std::end(kKinds);
}

void TakeDetails(const ir::Op& op, ir::OffloadAttrs& attributes) {
  std::visit(
      [&](const auto& from) {
        if constexpr (requires { from.window; }) attributes.window = from.window;
        if constexpr (requires { from.activation; }) attributes.activation = from.activation;
      },
      op.attributes);
}

}  // namespace usmp::import::tflite
