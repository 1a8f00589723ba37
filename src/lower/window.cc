#include "lower/window.h"

#include <algorithm>

namespace usmp::lower {

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

std::optional<RowAccess> WindowByRows(const WindowGeometry& g) {
  if (g.batches != 1) return std::nullopt;
  const ir::Window2d& w = g.window;
  return RowAccess{.kind = RowKind::kWindow,
                   .height = static_cast<int32_t>(g.out_h),
                   .width = static_cast<int32_t>(g.out_w),
                   .inputs = {{.operand = 0,
                               .height = static_cast<int32_t>(g.in_h),
                               .width = static_cast<int32_t>(g.in_w),
                               .kernel_h = w.kernel_h,
                               .stride_h = w.stride_h,
                               .dilation_h = w.dilation_h,
                               .pad_top = w.padding.top,
                               .stride_w = w.stride_w,
                               .pad_left = w.padding.left}}};
}

std::optional<RowAccess> PointwiseByRows(const WindowGeometry& g) {
  if (g.batches != 1) return std::nullopt;
  const auto height = static_cast<int32_t>(g.in_h);
  const auto width = static_cast<int32_t>(g.in_w);
  return RowAccess{.height = height,
                   .width = width,
                   .inputs = {{.operand = 0, .height = height, .width = width}},
                   .per_pixel = {{"in_w", 1}, {"out_w", 1}}};
}

bool IsWholeImage(const WindowGeometry& g) {
  const ir::Window2d& w = g.window;
  return g.out_h == 1 && g.out_w == 1 && w.kernel_h == g.in_h && w.kernel_w == g.in_w &&
         w.padding.top == 0 && w.padding.left == 0 && w.dilation_h == 1 && w.dilation_w == 1;
}

std::optional<RowAccess> SumByRows(const WindowGeometry& g) {
  if (g.batches != 1) return std::nullopt;
  const auto height = static_cast<int32_t>(g.in_h);
  const auto width = static_cast<int32_t>(g.in_w);
  return RowAccess{.kind = RowKind::kSum,
                   .height = height,
                   .width = width,
                   .inputs = {{.operand = 0, .height = height, .width = width}},
                   .sums = g.in_channels};
}

std::optional<RowAccess> MeanByRows(const OpBuilder& builder) {
  const std::vector<int32_t>& shape = builder.Input(0).shape;
  const std::vector<int32_t>& axes = builder.Attributes<ir::ReduceAttrs>().axes;
  const auto reduces = [&](int32_t axis) { return std::ranges::find(axes, axis) != axes.end(); };
  if (shape.size() != 4 || !reduces(1) || !reduces(2) || reduces(3)) return std::nullopt;
  return SumByRows(
      {.batches = shape[0], .in_h = shape[1], .in_w = shape[2], .in_channels = shape[3]});
}

}  // namespace usmp::lower
