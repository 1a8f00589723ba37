#include "oracle/oracle.h"

#include <cmath>
#include <map>
#include <stdexcept>

#include "oracle/operators.h"

namespace usmp::oracle {
namespace {

using Function = Data (*)(const Context&);

const std::map<std::string, Function>& Functions() {
  static const auto* functions = new std::map<std::string, Function>{
      {"CONV_2D", Conv2d},
      {"DEPTHWISE_CONV_2D", DepthwiseConv2d},
      {"AVERAGE_POOL_2D", AveragePool2d},
      {"MAX_POOL_2D", MaxPool2d},
      {"FULLY_CONNECTED", FullyConnected},
      {"MEAN", Mean},
      {"SOFTMAX", Softmax},
      {"ADD", Add},
      {"SUB", Sub},
      {"MUL", Mul},
      {"LOGISTIC", Logistic},
      {"TANH", Tanh},
      {"RELU", Relu},
      {"RELU6", Relu6},
      {"QUANTIZE", Quantize},
      {"DEQUANTIZE", Dequantize},
      {"PAD", Pad},
      {"PADV2", Pad},
      {"SLICE", Slice},
      {"RESHAPE", Reshape},
      {"SQUEEZE", Reshape},
      {"EXPAND_DIMS", Reshape},
      {"CONCATENATION", Concatenation},
  };
  return *functions;
}

}  // namespace

std::pair<int32_t, int32_t> IntRange(Activation activation, const Tensor& output) {
  const float scale = output.scales[0];
  const int32_t zero = output.zero_points[0];
  const auto quantized = [&](float real) {
    return zero + static_cast<int32_t>(std::round(real / scale));
  };
  int32_t low = -128;
  int32_t high = 127;
  if (activation == Activation::kRelu || activation == Activation::kRelu6) {
    low = std::max(low, quantized(0.0F));
  }
  if (activation == Activation::kRelu6) high = std::min(high, quantized(6.0F));
  if (activation == Activation::kReluN1To1) {
    low = std::max(low, quantized(-1.0F));
    high = std::min(high, quantized(1.0F));
  }
  return {low, high};
}

double Activate(Activation activation, double value) {
  switch (activation) {
    case Activation::kNone:
      return value;
    case Activation::kRelu:
      return std::max(value, 0.0);
    case Activation::kReluN1To1:
      return std::clamp(value, -1.0, 1.0);
    case Activation::kRelu6:
      return std::clamp(value, 0.0, 6.0);
  }
  return value;
}

int64_t Position(const std::vector<int32_t>& shape, const std::vector<int32_t>& index) {
  int64_t position = 0;
  for (size_t d = 0; d < shape.size(); ++d) position = position * shape[d] + index[d];
  return position;
}

std::vector<int32_t> Index(const std::vector<int32_t>& shape, int64_t position) {
  std::vector<int32_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = static_cast<int32_t>(position % shape[d]);
    position /= shape[d];
  }
  return index;
}

int32_t PaddingBefore(bool same, int32_t size, int32_t out_size, int32_t filter, int32_t stride,
                      int32_t dilation) {
  if (!same) return 0;
  const int32_t covered = (out_size - 1) * stride + (filter - 1) * dilation + 1;
  return std::max(0, covered - size) / 2;
}

std::vector<Data> Run(const Model& model, const std::vector<Data>& inputs) {
  std::vector<Data> values;
  for (const Tensor& tensor : model.tensors) values.push_back(tensor.data);
  for (size_t i = 0; i < inputs.size(); ++i) {
    values[static_cast<size_t>(model.inputs[i])] = inputs[i];
  }
  for (const Op& op : model.ops) {
    const auto function = Functions().find(op.kind);
    if (function == Functions().end()) throw std::invalid_argument("no oracle for " + op.kind);
    values[static_cast<size_t>(op.outputs[0])] = function->second({model, op, values});
  }
  return values;
}

}  // namespace usmp::oracle
