#include "e2e/to_tflite.h"

#include "import/tflite/schema_generated.h"
#include "support/tflite_builder.h"

namespace usmp::testing {
namespace {

ir::DType TypeOf(oracle::Type type) {
  switch (type) {
    case oracle::Type::kFloat32:
      return ir::DType::kFloat32;
    case oracle::Type::kInt8:
      return ir::DType::kInt8;
    case oracle::Type::kUInt8:
      return ir::DType::kUInt8;
    case oracle::Type::kInt32:
      return ir::DType::kInt32;
  }
  return ir::DType::kInt8;
}

TensorSpec SpecOf(const oracle::Tensor& tensor) {
  return {.name = tensor.name,
          .type = TypeOf(tensor.type),
          .shape = tensor.shape,
          .scales = tensor.scales,
          .zero_points = {tensor.zero_points.begin(), tensor.zero_points.end()},
          .axis = tensor.axis};
}

// Both enumerations follow the file format.
Activation ActivationOf(const oracle::Op& op) { return static_cast<Activation>(op.activation); }

OpOptions OptionsOf(const oracle::Op& op) {
  const Padding padding = op.same_padding ? Padding::kSame : Padding::kValid;
  if (op.kind == "CONV_2D") {
    return Conv2dOptions{padding,       op.stride_h,   op.stride_w,
                         op.dilation_h, op.dilation_w, ActivationOf(op)};
  }
  if (op.kind == "DEPTHWISE_CONV_2D") {
    return DepthwiseConv2dOptions{padding,         op.stride_h,   op.stride_w,
                                  op.dilation_h,   op.dilation_w, op.depth_multiplier,
                                  ActivationOf(op)};
  }
  if (op.kind == "AVERAGE_POOL_2D" || op.kind == "MAX_POOL_2D") {
    return Pool2dOptions{padding,     op.stride_h, op.stride_w,
                         op.filter_h, op.filter_w, ActivationOf(op)};
  }
  if (op.kind == "FULLY_CONNECTED") return FullyConnectedOptions{ActivationOf(op)};
  if (op.kind == "ADD" || op.kind == "SUB" || op.kind == "MUL")
    return BinaryOptions{ActivationOf(op)};
  if (op.kind == "SOFTMAX") return SoftmaxOptions{op.beta};
  if (op.kind == "CONCATENATION") return ConcatenationOptions{op.axis, ActivationOf(op)};
  if (op.kind == "MEAN") return ReducerOptions{op.keep_dims};
  return {};
}

}  // namespace

std::vector<uint8_t> ToTflite(const oracle::Model& model) {
  TfliteBuilder builder;
  for (const oracle::Tensor& tensor : model.tensors) {
    if (tensor.data.empty()) {
      builder.Tensor(SpecOf(tensor));
    } else {
      builder.Constant(SpecOf(tensor), tensor.data);
    }
  }
  builder.graph().inputs = model.inputs;
  for (const oracle::Op& op : model.ops) {
    builder.OpInto(op.kind, op.inputs, op.outputs, OptionsOf(op));
  }
  for (int32_t output : model.outputs) builder.Output(output);
  return builder.Build();
}

}  // namespace usmp::testing
