#include "ir/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "ir/infer_shapes.h"

namespace usmp::ir {
namespace {

struct Range {
  int32_t min = std::numeric_limits<int32_t>::min();
  int32_t max = std::numeric_limits<int32_t>::max();
};

Range ZeroPointRange(DType type) {
  switch (type) {
    case DType::kInt4:
      return {-8, 7};
    case DType::kInt8:
      return {-128, 127};
    case DType::kUInt8:
      return {0, 255};
    case DType::kInt16:
      return {-32768, 32767};
    default:
      return {};
  }
}

std::string DataProblem(const Tensor& tensor) {
  const auto bytes = CheckedByteSize(tensor.shape, tensor.dtype);
  if (!bytes) return "a dimension is negative, or it would be over 2 GiB";
  if (tensor.data != nullptr && static_cast<Bytes>(tensor.data->size()) != *bytes) {
    return fmt::format("it has {} bytes of data, but its shape and type need {}",
                       tensor.data->size(), *bytes);
  }
  return {};
}

bool HasAttributesOf(const Op& op) {
  switch (op.kind) {
#define USMP_OP(kind, name, Attrs, summary) \
  case OpKind::kind:                        \
    return std::holds_alternative<Attrs>(op.attributes);
#include "ir/ops.def"
#undef USMP_OP
  }
  return false;
}

// Whose types must be equal. Where a kernel may mix them (int8 weights of a float convolution),
// lowering decides.
enum class TypeRule : uint8_t { kAllEqual, kAny };

TypeRule TypesOf(OpKind kind) {
  switch (kind) {
    case OpKind::kConv2d:
    case OpKind::kDepthwiseConv2d:
    case OpKind::kFullyConnected:
    case OpKind::kSoftmax:
    case OpKind::kQuantize:
    case OpKind::kDequantize:
    case OpKind::kOffloaded:
      return TypeRule::kAny;
    default:
      return TypeRule::kAllEqual;
  }
}

bool CheckOperands(const Graph& graph, const Op& op, std::vector<Diagnostic>& problems) {
  const OperandCount count = Operands(op.kind);
  const auto wrong = [&](std::string message) {
    problems.push_back({Describe(graph, op), std::move(message)});
    return false;
  };
  if (op.inputs.size() < count.min || op.inputs.size() > count.max) {
    return wrong(fmt::format("it has {} inputs instead of {}", op.inputs.size(),
                             op.inputs.size() < count.min ? count.min : count.max));
  }
  const bool is_offloaded = op.kind == OpKind::kOffloaded;
  const bool has_outputs = is_offloaded ? !op.outputs.empty() : op.outputs.size() == 1;
  if (!has_outputs || std::ranges::find(op.outputs, kNoTensor) != op.outputs.end()) {
    return wrong(fmt::format("it has {} outputs instead of 1", op.outputs.size()));
  }
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const bool optional = is_offloaded || (count.last_is_optional && i + 1 == count.max);
    if (op.inputs[i] == kNoTensor && !optional) return wrong(fmt::format("input {} is absent", i));
  }
  return HasAttributesOf(op) || wrong("its attributes are another operator's");
}

bool CheckTypes(const Graph& graph, const Op& op, std::vector<Diagnostic>& problems) {
  if (TypesOf(op.kind) == TypeRule::kAny) return true;
  const DType out = graph[op.outputs[0]].dtype;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const DType in = graph[op.inputs[i]].dtype;
    if (in == out) continue;
    problems.push_back({Describe(graph, op), fmt::format("its input {} is {}, but its output is {}",
                                                         i, Name(in), Name(out))});
    return false;
  }
  return true;
}

bool CheckOutputShape(const Graph& graph, const Op& op, std::vector<Diagnostic>& problems) {
  const auto inferred = InferOutputShape(graph, op, problems);
  if (!inferred) return false;
  const Tensor& output = graph[op.outputs[0]];
  if (*inferred == output.shape) return true;
  // TensorFlow Lite lets the dimensions before the last of a FULLY_CONNECTED be anything.
  if (op.kind == OpKind::kFullyConnected && !output.shape.empty() &&
      output.shape.back() == inferred->back() &&
      ElementCount(output) == ElementCount({.shape = *inferred})) {
    return true;
  }
  problems.push_back(
      {Describe(graph, op), fmt::format("its output has shape [{}], but must have [{}]",
                                        fmt::join(output.shape, ","), fmt::join(*inferred, ","))});
  return false;
}

// Order, and who writes what.
class Structure {
 public:
  Structure(const Graph& graph, std::vector<Diagnostic>& problems)
      : graph_(graph), problems_(problems), defined_(graph.tensors.size(), false) {}

  void Check() {
    for (size_t i = 0; i < defined_.size(); ++i) defined_[i] = graph_.tensors[i].data != nullptr;
    for (TensorId id : graph_.inputs) CheckInput(id);
    for (const Op& op : graph_.ops) {
      for (TensorId id : op.inputs) CheckRead(op, id);
      for (TensorId id : op.outputs) CheckWrite(op, id);
    }
    for (TensorId id : graph_.outputs) CheckOutput(id);
  }

 private:
  bool InRange(TensorId id) const { return static_cast<size_t>(id) < graph_.tensors.size(); }
  bool IsDefined(TensorId id) const { return defined_[static_cast<size_t>(id)]; }

  void CheckInput(TensorId id) {
    if (!InRange(id)) return Wrong("graph inputs", id, "does not exist");
    if (IsDefined(id)) return Wrong("graph inputs", id, "is a constant or listed twice");
    defined_[static_cast<size_t>(id)] = true;
  }
  void CheckRead(const Op& op, TensorId id) {
    if (id == kNoTensor) return;
    if (!InRange(id)) return Wrong(Describe(graph_, op), id, "does not exist");
    if (!IsDefined(id)) {
      Wrong(Describe(graph_, op), id, "is read before an operator has written it");
    }
  }
  void CheckWrite(const Op& op, TensorId id) {
    if (!InRange(id)) return Wrong(Describe(graph_, op), id, "does not exist");
    if (IsDefined(id)) {
      return Wrong(Describe(graph_, op), id,
                   "is written, but it is a constant, a graph input or written before");
    }
    defined_[static_cast<size_t>(id)] = true;
  }
  void CheckOutput(TensorId id) {
    if (!InRange(id)) return Wrong("graph outputs", id, "does not exist");
    if (!IsDefined(id)) Wrong("graph outputs", id, "is written by no operator");
  }
  void Wrong(std::string where, TensorId id, std::string_view what) {
    const std::string tensor =
        InRange(id) ? Describe(graph_, id) : fmt::format("tensor {}", static_cast<uint32_t>(id));
    problems_.push_back({std::move(where), fmt::format("{} {}", tensor, what)});
  }

  const Graph& graph_;
  std::vector<Diagnostic>& problems_;
  std::vector<bool> defined_;
};

}  // namespace

std::string QuantizationProblem(const Tensor& tensor) {
  const Quantization& q = tensor.quantization;
  if (q.scales.empty() && q.zero_points.empty()) return {};
  if (!IsInteger(tensor.dtype)) return fmt::format("type {} has scales", Name(tensor.dtype));
  if (q.scales.size() != q.zero_points.size()) {
    return fmt::format("it has {} scales and {} zero points", q.scales.size(),
                       q.zero_points.size());
  }
  for (float scale : q.scales) {
    if (!std::isfinite(scale) || scale <= 0) {
      return fmt::format("its scale {} is not a positive number", scale);
    }
  }
  const Range range = ZeroPointRange(tensor.dtype);
  for (int32_t zero_point : q.zero_points) {
    if (zero_point < range.min || zero_point > range.max) {
      return fmt::format("its zero point {} is not an {} value", zero_point, Name(tensor.dtype));
    }
  }
  if (q.scales.size() == 1) return {};
  if (q.axis < 0 || q.axis >= static_cast<int64_t>(tensor.shape.size())) {
    return fmt::format("it has a scale for each channel of dimension {}, which it does not have",
                       q.axis);
  }
  if (static_cast<int64_t>(q.scales.size()) != tensor.shape[q.axis]) {
    return fmt::format("it has {} scales for the {} channels of dimension {}", q.scales.size(),
                       tensor.shape[q.axis], q.axis);
  }
  return {};
}

bool CheckTensor(const Graph& graph, TensorId id, std::vector<Diagnostic>& problems) {
  const Tensor& tensor = graph[id];
  const size_t before = problems.size();
  for (std::string message : {DataProblem(tensor), QuantizationProblem(tensor)}) {
    if (!message.empty()) problems.push_back({Describe(graph, id), std::move(message)});
  }
  return problems.size() == before;
}

bool CheckOp(const Graph& graph, const Op& op, std::vector<Diagnostic>& problems) {
  return CheckOperands(graph, op, problems) && CheckTypes(graph, op, problems) &&
         CheckOutputShape(graph, op, problems);
}

Result<void> VerifyGraph(const Graph& graph) {
  Error error{ErrorCode::kInvalidInput, {}};
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    CheckTensor(graph, TensorId(i), error.diagnostics);
  }
  Structure(graph, error.diagnostics).Check();
  // Operators are looked at only where ids and tensors can be relied on.
  if (error.diagnostics.empty()) {
    for (const Op& op : graph.ops) CheckOp(graph, op, error.diagnostics);
  }
  if (!error.diagnostics.empty()) return Fail(std::move(error));
  return {};
}

}  // namespace usmp::ir
