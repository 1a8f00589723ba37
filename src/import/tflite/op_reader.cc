#include "import/tflite/op_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace usmp::import::tflite {
namespace {

template <class T>
std::vector<int64_t> Widened(const std::vector<uint8_t>& bytes) {
  std::vector<int64_t> values(bytes.size() / sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = value;
  }
  return values;
}

// Before and after, in one direction. Absent: no window fits, or a number is not possible.
std::optional<std::pair<int32_t, int32_t>> SamePadding(int32_t in, int32_t kernel, int32_t stride,
                                                       int32_t dilation) {
  if (in <= 0 || kernel <= 0 || stride <= 0 || dilation <= 0) return std::nullopt;
  const int64_t out = (int64_t{in} + stride - 1) / stride;
  const int64_t extent = (int64_t{kernel} - 1) * dilation + 1;
  const int64_t total = std::max<int64_t>(0, (out - 1) * stride + extent - in);
  if (total > std::numeric_limits<int32_t>::max()) return std::nullopt;
  return std::pair(static_cast<int32_t>(total / 2), static_cast<int32_t>(total - total / 2));
}

}  // namespace

std::optional<std::vector<int64_t>> OpReader::ConstantIntegers(size_t index,
                                                               std::string_view what) {
  if (!HasInput(index)) {
    Broken(fmt::format("its {} (input {}) are absent", what, index));
    return std::nullopt;
  }
  const ir::Tensor& tensor = Input(index);
  if (tensor.data == nullptr) {
    Unsupported(fmt::format("its {} ({}) are computed at run time; they must be constant", what,
                            ir::Describe(reader_.result.graph, file_inputs_[index])));
    return std::nullopt;
  }
  switch (tensor.dtype) {
    case ir::DType::kInt32:
      return Widened<int32_t>(*tensor.data);
    case ir::DType::kInt64:
      return Widened<int64_t>(*tensor.data);
    case ir::DType::kInt16:
      return Widened<int16_t>(*tensor.data);
    default:
      break;
  }
  Broken(fmt::format("its {} have type {} instead of int32", what, ir::Name(tensor.dtype)));
  return std::nullopt;
}

bool OpReader::SetPadding(file::Padding padding, ir::Window2d& window) {
  if (padding == file::Padding::VALID) return true;
  if (padding != file::Padding::SAME) {
    Broken(fmt::format("padding {} is neither SAME nor VALID", static_cast<int>(padding)));
    return false;
  }
  const std::vector<int32_t>& in = Input(0).shape;
  if (in.size() != 4) return true;  // the shape check says so
  const auto vertical = SamePadding(in[1], window.kernel_h, window.stride_h, window.dilation_h);
  const auto horizontal = SamePadding(in[2], window.kernel_w, window.stride_w, window.dilation_w);
  if (!vertical || !horizontal) {
    Broken(fmt::format(
        "a window of {}x{} with stride {}x{} and dilation {}x{} over an input of shape [{}] is not "
        "possible",
        window.kernel_h, window.kernel_w, window.stride_h, window.stride_w, window.dilation_h,
        window.dilation_w, fmt::join(in, ",")));
    return false;
  }
  window.padding = {.top = vertical->first,
                    .bottom = vertical->second,
                    .left = horizontal->first,
                    .right = horizontal->second};
  return true;
}

std::optional<ir::Activation> OpReader::ReadActivation(file::ActivationFunctionType activation) {
  switch (activation) {
    case file::ActivationFunctionType::NONE:
      return ir::Activation::kNone;
    case file::ActivationFunctionType::RELU:
      return ir::Activation::kRelu;
    case file::ActivationFunctionType::RELU_N1_TO_1:
      return ir::Activation::kReluN1To1;
    case file::ActivationFunctionType::RELU6:
      return ir::Activation::kRelu6;
    case file::ActivationFunctionType::TANH:
    case file::ActivationFunctionType::SIGN_BIT:
      Unsupported(
          fmt::format("the fused activation {} is not supported; only RELU, RELU6 and "
                      "RELU_N1_TO_1 are",
                      file::EnumNameActivationFunctionType(activation)));
      return std::nullopt;
  }
  Broken(fmt::format("fused activation {} is none of the format's", static_cast<int>(activation)));
  return std::nullopt;
}

std::optional<int32_t> OpReader::ReadAxis(int64_t axis, size_t rank) {
  const auto signed_rank = static_cast<int64_t>(rank);
  if (axis >= -signed_rank && axis < signed_rank) {
    return static_cast<int32_t>(axis < 0 ? axis + signed_rank : axis);
  }
  Broken(fmt::format("axis {} is not one of {} dimensions", axis, rank));
  return std::nullopt;
}

void OpReader::InsertDimension(size_t index, int32_t axis) {
  ir::Graph& graph = reader_.result.graph;
  const ir::TensorId from = op_.inputs[index];
  ir::Tensor tensor = graph[from];
  tensor.source_index = -1;
  tensor.shape.insert(tensor.shape.begin() + axis, 1);
  if (tensor.quantization.axis >= axis) ++tensor.quantization.axis;
  const ir::TensorId to{static_cast<uint32_t>(graph.tensors.size())};
  if (tensor.data == nullptr) {
    before_.push_back({.kind = ir::OpKind::kReshape,
                       .inputs = {from},
                       .outputs = {to},
                       .source_index = op_.source_index});
  }
  graph.tensors.push_back(std::move(tensor));
  reader_.facts.push_back({.role = Role::kWritten});
  op_.inputs[index] = to;
}

void OpReader::SetOutputShape(std::vector<int32_t> shape) {
  if (!reader_.infer_shapes) return;
  if (!ir::CheckedByteSize(shape, Output().dtype)) {
    return Broken(fmt::format("its output of shape [{}] is not possible", fmt::join(shape, ",")));
  }
  reader_.result.graph[op_.outputs[0]].shape = std::move(shape);
  reader_.Facts(op_.outputs[0]).has_unknown_size = false;
}

bool OpReader::output_has_unknown_size() const {
  return reader_.Facts(op_.outputs[0]).has_unknown_size;
}

void OpReader::Unsupported(std::string message) {
  unsupported_.push_back({Where(), std::move(message)});
}

void OpReader::Broken(std::string message) {
  reader_.Problem(Where(), std::move(message));
  is_broken_ = true;
}

}  // namespace usmp::import::tflite
