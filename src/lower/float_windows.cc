#include <cfloat>
#include <cstdint>
#include <vector>

#include "lower/float_ops.h"
#include "lower/quantized.h"

namespace usmp::lower {
namespace {

constexpr int64_t kMaxRowsOnStack = 16;  // as in the kernels

// True if some window lies in the padding entirely: then there is nothing to average.
bool HasEmptyWindow(const WindowGeometry& g) {
  const auto is_empty = [](int64_t first, int64_t taps, int64_t dilation, int64_t extent) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t at = first + tap * dilation;
      if (at >= 0 && at < extent) return false;
    }
    return true;
  };
  const ir::Window2d& w = g.window;
  for (int64_t y = 0; y < g.out_h; ++y) {
    if (is_empty(y * w.stride_h - w.padding.top, w.kernel_h, w.dilation_h, g.in_h)) return true;
  }
  for (int64_t x = 0; x < g.out_w; ++x) {
    if (is_empty(x * w.stride_w - w.padding.left, w.kernel_w, w.dilation_w, g.in_w)) return true;
  }
  return false;
}

Result<void> LowerPool(OpBuilder& builder, bool is_average) {
  if (auto checked = CheckFloat32(builder); !checked) return checked;
  const auto& attributes = builder.Attributes<ir::Pool2dAttrs>();
  const WindowGeometry g = GeometryOf(builder, attributes.window);
  if (HasEmptyWindow(g)) {
    return builder.Unsupported("a window lies entirely in the padding; make the padding smaller "
                               "than the window");
  }
  const FloatRange range = FloatActivationRange(attributes.activation);
  std::vector<Param> params = GeometryParams(g);
  params.push_back({"channels", g.in_channels});
  params.push_back({"is_average", is_average ? 1 : 0});
  params.push_back({"reverse", 0});
  params.push_back({"act_min", range.min});
  params.push_back({"act_max", range.max});
  builder.Call("pool2d_f32", std::move(params),
               {builder.Read(0), WindowRows(builder, g), builder.Write()});
  return {};
}

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
    case ir::Activation::kNone: break;
    case ir::Activation::kRelu: return {0.0F, FLT_MAX};
    case ir::Activation::kReluN1To1: return {-1.0F, 1.0F};
    case ir::Activation::kRelu6: return {0.0F, 6.0F};
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

Result<void> LowerAveragePool2dFloat32(OpBuilder& builder) {
  return LowerPool(builder, /*is_average=*/true);
}

Result<void> LowerMaxPool2dFloat32(OpBuilder& builder) {
  return LowerPool(builder, /*is_average=*/false);
}

}  // namespace usmp::lower
