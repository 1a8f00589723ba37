#include "ir/graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace usmp::ir {

std::string_view Name(DType type) {
  switch (type) {
    case DType::kFloat32: return "float32";
    case DType::kInt8: return "int8";
    case DType::kUInt8: return "uint8";
    case DType::kInt16: return "int16";
    case DType::kInt32: return "int32";
    case DType::kInt64: return "int64";
    case DType::kBool: return "bool";
    case DType::kFloat16: return "float16";
    case DType::kInt4: return "int4";
  }
  return "?";
}

Bytes ElementBytes(DType type) {
  switch (type) {
    case DType::kInt64: return 8;
    case DType::kFloat32:
    case DType::kInt32: return 4;
    case DType::kInt16:
    case DType::kFloat16: return 2;
    case DType::kInt8:
    case DType::kUInt8:
    case DType::kBool:
    case DType::kInt4: return 1;
  }
  return 1;
}

int64_t ElementCount(const Tensor& tensor) {
  int64_t count = 1;
  for (int32_t dimension : tensor.shape) count *= dimension;
  return count;
}

Bytes ByteSize(const Tensor& tensor) { return ElementCount(tensor) * ElementBytes(tensor.dtype); }

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

std::string Describe(const Graph& graph, const Op& op) {
  std::string label = fmt::format("op {} {}", op.source_index, Name(op.kind));
  if (!op.outputs.empty() && !graph[op.outputs[0]].name.empty()) {
    label += fmt::format(" '{}'", graph[op.outputs[0]].name);
  }
  return label;
}

std::string Describe(const Graph& graph, TensorId id) {
  const Tensor& tensor = graph[id];
  return fmt::format("tensor {} '{}' {}[{}]", tensor.source_index, tensor.name, Name(tensor.dtype),
                     fmt::join(tensor.shape, ","));
}

}  // namespace usmp::ir
