#include "ir/graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace usmp::ir {

std::string_view Name(DType type) {
  switch (type) {
    case DType::kFloat32:
      return "float32";
    case DType::kInt8:
      return "int8";
    case DType::kUInt8:
      return "uint8";
    case DType::kInt16:
      return "int16";
    case DType::kInt32:
      return "int32";
    case DType::kInt64:
      return "int64";
    case DType::kBool:
      return "bool";
    case DType::kFloat16:
      return "float16";
    case DType::kInt4:
      return "int4";
    case DType::kOther:
      return "other";
  }
  return "?";
}

Bytes ElementBytes(DType type) {
  switch (type) {
    case DType::kInt64:
      return 8;
    case DType::kFloat32:
    case DType::kInt32:
      return 4;
    case DType::kInt16:
    case DType::kFloat16:
      return 2;
    case DType::kInt8:
    case DType::kUInt8:
    case DType::kBool:
    case DType::kInt4:
      return 1;
    case DType::kOther:
      return 0;
  }
  return 1;
}

bool IsInteger(DType type) {
  switch (type) {
    case DType::kInt8:
    case DType::kUInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kInt4:
      return true;
    default:
      return false;
  }
}

int64_t ElementCount(const Tensor& tensor) {
  constexpr int64_t kTooMany = kMaxTensorBytes + 1;
  // The other dimensions of an empty tensor may be anything: their product might overflow.
  if (std::ranges::find(tensor.shape, 0) != tensor.shape.end()) return 0;
  int64_t count = 1;
  for (int32_t dimension : tensor.shape) {
    count = std::clamp(count * dimension, -kTooMany, kTooMany);
  }
  return count;
}

Bytes ByteSize(const Tensor& tensor) { return ElementCount(tensor) * ElementBytes(tensor.dtype); }

std::optional<Bytes> CheckedByteSize(const std::vector<int32_t>& shape, DType type) {
  // Zeros are looked for first: they make the product small whatever else is there.
  bool empty = false;
  for (int32_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    if (dimension == 0) empty = true;
  }
  if (empty) return 0;
  Bytes bytes = std::max<Bytes>(ElementBytes(type), 1);
  for (int32_t dimension : shape) {
    if (bytes > kMaxTensorBytes / dimension) return std::nullopt;
    bytes *= dimension;
  }
  return ElementBytes(type) == 0 ? 0 : bytes;
}

std::string_view Name(OpKind kind) {
  static constexpr std::string_view kNames[] = {
#define USMP_OP(kind, name, attributes, summary) name,
#include "ir/ops.def"
#undef USMP_OP
  };
  return kNames[static_cast<size_t>(kind)];
}

std::string_view Summary(OpKind kind) {
  static constexpr std::string_view kSummaries[] = {
#define USMP_OP(kind, name, attributes, summary) summary,
#include "ir/ops.def"
#undef USMP_OP
  };
  return kSummaries[static_cast<size_t>(kind)];
}

std::string DisplayName(std::string_view name) {
  constexpr size_t kMaxBytes = 60;
  // TensorFlow names a fused tensor after all its parts, separated by semicolons: the first will
  // do.
  if (const size_t end = name.find(';'); end != std::string_view::npos && end > 0) {
    name = name.substr(0, end);
  }
  std::string shown(name.substr(0, kMaxBytes));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  if (name.size() <= kMaxBytes) return shown;
  // Never half of a UTF-8 sequence: its continuation bytes are 10xxxxxx.
  size_t end = kMaxBytes - 3;
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0) == 0x80) --end;
  return shown.substr(0, end) + "...";
}

std::string_view OperatorName(const Op& op) {
  const auto* offloaded = std::get_if<OffloadAttrs>(&op.attributes);
  return offloaded != nullptr ? offloaded->name : Name(op.kind);
}

std::string Describe(const Graph& graph, const Op& op) {
  std::string label = fmt::format("op {} {}", op.source_index, OperatorName(op));
  if (!op.outputs.empty() && static_cast<size_t>(op.outputs[0]) < graph.tensors.size() &&
      !graph[op.outputs[0]].name.empty()) {
    label += fmt::format(" '{}'", DisplayName(graph[op.outputs[0]].name));
  }
  return label;
}

std::string Describe(const Graph& graph, TensorId id) {
  const Tensor& tensor = graph[id];
  return fmt::format("tensor {} '{}' {}[{}]", tensor.source_index, DisplayName(tensor.name),
                     Name(tensor.dtype), fmt::join(tensor.shape, ","));
}

}  // namespace usmp::ir
