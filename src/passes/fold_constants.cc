#include "passes/fold_constants.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace usmp::passes {
namespace {

template <class T>
T Element(const std::vector<uint8_t>& bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

// IEEE 754 binary16. Exact: every value of it is a float.
float FromFloat16(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16;
  const uint32_t exponent = (half >> 10) & 0x1FU;
  const uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  const uint32_t float_exponent = exponent == 0x1F ? 0xFF : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (float_exponent << 23) | (fraction << 13));
}

int64_t IntegerAt(const ir::Tensor& tensor, size_t index) {
  const std::vector<uint8_t>& bytes = *tensor.data;
  switch (tensor.dtype) {
    case ir::DType::kUInt8:
      return Element<uint8_t>(bytes, index);
    case ir::DType::kInt16:
      return Element<int16_t>(bytes, index);
    case ir::DType::kInt32:
      return Element<int32_t>(bytes, index);
    default:
      return Element<int8_t>(bytes, index);  // int8, and int4 unpacked
  }
}

bool CanDequantize(const ir::Tensor& input) {
  switch (input.dtype) {
    case ir::DType::kFloat16:
      return true;
    case ir::DType::kInt8:
    case ir::DType::kInt4:
    case ir::DType::kUInt8:
    case ir::DType::kInt16:
    case ir::DType::kInt32:
      return !input.quantization.scales.empty();
    default:
      return false;
  }
}

// How many elements lie between two channels of a per-channel quantization.
int64_t ChannelStride(const ir::Tensor& tensor) {
  int64_t stride = 1;
  for (size_t i = tensor.shape.size(); i-- > static_cast<size_t>(tensor.quantization.axis) + 1;) {
    stride *= tensor.shape[i];
  }
  return stride;
}

std::vector<float> Dequantized(const ir::Tensor& input) {
  std::vector<float> values(static_cast<size_t>(ir::ElementCount(input)));
  if (input.dtype == ir::DType::kFloat16) {
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = FromFloat16(Element<uint16_t>(*input.data, i));
    }
    return values;
  }
  const ir::Quantization& q = input.quantization;
  const size_t channels = q.scales.size();
  const auto stride = static_cast<size_t>(channels > 1 ? ChannelStride(input) : 1);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t channel = channels > 1 ? i / stride % channels : 0;
    // The reference kernel's arithmetic: the product in double, rounded once.
    const auto centered = static_cast<double>(IntegerAt(input, i) - q.zero_points[channel]);
    values[i] = static_cast<float>(static_cast<double>(q.scales[channel]) * centered);
  }
  return values;
}

// The value of the op's output; nullptr: it is not known, or not computed here.
ir::Data Folded(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind == ir::OpKind::kOffloaded) return nullptr;
  const ir::Tensor& input = graph[op.inputs[0]];
  if (input.data == nullptr) return nullptr;
  if (op.kind == ir::OpKind::kReshape) return input.data;
  if (op.kind != ir::OpKind::kDequantize || !CanDequantize(input) ||
      graph[op.outputs[0]].dtype != ir::DType::kFloat32) {
    return nullptr;
  }
  const std::vector<float> values = Dequantized(input);
  std::vector<uint8_t> bytes(values.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
}

}  // namespace

Result<ir::Graph> FoldConstants(ir::Graph graph) {
  std::vector<ir::Op> kept;
  for (ir::Op& op : graph.ops) {
    if (ir::Data value = Folded(graph, op)) {
      graph[op.outputs[0]].data = std::move(value);
    } else {
      kept.push_back(std::move(op));
    }
  }
  graph.ops = std::move(kept);
  return graph;
}

}  // namespace usmp::passes
