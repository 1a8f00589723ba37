#include "lower/float_common.h"

#include <cfloat>

#include "lower/quantized.h"

namespace usmp::lower {
namespace {

constexpr int64_t kMaxRowsOnStack = 16;  // as in the kernels

}  // namespace

Result<void> CheckFloat32(const OpBuilder& builder) {
  bool all = builder.Output().dtype == ir::DType::kFloat32;
  for (size_t i = 0; i < builder.op().inputs.size(); ++i) {
    all = all && (!builder.HasInput(i) || builder.Input(i).dtype == ir::DType::kFloat32);
  }
  if (!all) return UnsupportedTypes(builder);
  return {};
}

FloatRange FloatActivationRange(ir::Activation activation) {
  switch (activation) {
    case ir::Activation::kNone:
      break;
    case ir::Activation::kRelu:
      return {0.0F, FLT_MAX};
    case ir::Activation::kReluN1To1:
      return {-1.0F, 1.0F};
    case ir::Activation::kRelu6:
      return {0.0F, 6.0F};
  }
  return {-FLT_MAX, FLT_MAX};
}

WindowGeometry GeometryOf(const OpBuilder& builder, const ir::Window2d& window) {
  const std::vector<int32_t>& in = builder.Input(0).shape;
  const std::vector<int32_t>& out = builder.Output().shape;
  return {.batches = in[0],
          .in_h = in[1],
          .in_w = in[2],
          .in_channels = in[3],
          .out_h = out[1],
          .out_w = out[2],
          .out_channels = out[3],
          .window = window};
}

std::vector<Param> GeometryParams(const WindowGeometry& geometry) {
  const ir::Window2d& w = geometry.window;
  return {{"batches", geometry.batches},
          {"in_h", geometry.in_h},
          {"in_w", geometry.in_w},
          {"in_pixel_stride", geometry.in_channels},
          {"out_h", geometry.out_h},
          {"out_w", geometry.out_w},
          {"out_pixel_stride", geometry.out_channels},
          {"kernel_h", w.kernel_h},
          {"kernel_w", w.kernel_w},
          {"stride_h", w.stride_h},
          {"stride_w", w.stride_w},
          {"dilation_h", w.dilation_h},
          {"dilation_w", w.dilation_w},
          {"pad_top", w.padding.top},
          {"pad_left", w.padding.left}};
}

Operand WindowRows(OpBuilder& builder, const WindowGeometry& geometry) {
  if (geometry.window.kernel_h <= kMaxRowsOnStack) return OpBuilder::Null();
  return builder.Scratch(ElementType::kInt64, geometry.window.kernel_h);
}

}  // namespace usmp::lower
