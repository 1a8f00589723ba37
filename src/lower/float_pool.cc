#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lower/float_common.h"
#include "lower/float_ops.h"

namespace usmp::lower {
namespace {

// True if some window lies in the padding entirely: then there is nothing to average.
bool HasEmptyWindow(const WindowGeometry& g) {
  const auto is_empty = [](int64_t first, int64_t taps, int64_t dilation, int64_t extent) {
    const int64_t outside = first < 0 ? (-first + dilation - 1) / dilation : 0;  // taps before 0
    return outside >= taps || first + outside * dilation >= extent;
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

// A channel reads its own input channel only. They are computed by four from the first on, in
// either direction of the scan.
ScanDistances PoolDistances(const WindowGeometry& g) {
  const bool one_block = g.in_channels == 1 || g.in_channels == 4;
  const std::vector<PixelBlock> pixels =
      SinglePixels(g.out_w, one_block ? std::nullopt : std::optional<int64_t>(0));
  return WindowDistances(
      {.geometry = g,
       .element_bytes = sizeof(float),
       .forward = pixels,
       .reverse = Reversed(pixels, one_block ? std::nullopt : std::optional(g.in_channels))});
}

Result<void> LowerPool(OpBuilder& builder, bool is_average) {
  if (auto checked = CheckFloat32(builder); !checked) return checked;
  const auto& attributes = builder.Attributes<ir::Pool2dAttrs>();
  const WindowGeometry g = GeometryOf(builder, attributes.window);
  if (HasEmptyWindow(g)) {
    return builder.Unsupported(
        "a window lies entirely in the padding; make the padding smaller "
        "than the window");
  }
  const FloatRange range = FloatActivationRange(attributes.activation);
  std::vector<Param> params = GeometryParams(g);
  params.push_back({"channels", g.in_channels});
  params.push_back({"is_average", is_average ? 1 : 0});
  params.push_back({"reverse", 0});
  params.push_back({"act_min", range.min});
  params.push_back({"act_max", range.max});
  const Operand input = builder.Read(0);
  builder.Call("pool2d_f32", std::move(params), {input, WindowRows(builder, g), builder.Write()});
  builder.MayOverlap(input, PoolDistances(g));
  builder.ByRows(is_average && IsWholeImage(g) ? SumByRows(g) : WindowByRows(g));
  return {};
}

}  // namespace

Result<void> LowerAveragePool2dFloat32(OpBuilder& builder) {
  return LowerPool(builder, /*is_average=*/true);
}

Result<void> LowerMaxPool2dFloat32(OpBuilder& builder) {
  return LowerPool(builder, /*is_average=*/false);
}

}  // namespace usmp::lower
