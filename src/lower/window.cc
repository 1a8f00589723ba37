#include "lower/window.h"

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

}  // namespace usmp::lower
