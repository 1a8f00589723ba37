#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/requantize.h"
#include "lower/tensor_checks.h"
#include "lower/window.h"

namespace usmp::lower {
namespace {

constexpr int32_t kLocalRows = 16;  // row pointers that the kernels keep themselves
constexpr int64_t kAverageBlock = 16, kMaxBlock = 64;  // channels that are computed together

// Does the window reach the image at the first and at the last of `out` positions (hence at all)?
bool Reaches(int32_t in, int32_t out, int32_t kernel, int32_t stride, int32_t before) {
  return before < kernel && int64_t{out - 1} * stride - before < in;
}

Result<void> CheckPool(const OpBuilder& builder) {
  if (auto ok = CheckInt8(builder); !ok) return ok;
  if (auto ok = CheckSameQuantization(builder, "pooling"); !ok) return ok;
  const std::vector<int32_t>& in = builder.Input(0).shape;
  const std::vector<int32_t>& out = builder.Output().shape;
  const ir::Window2d& window = builder.Attributes<ir::Pool2dAttrs>().window;
  if (in.size() != 4 || out.size() != 4) return builder.Unsupported("the tensors need rank 4");
  if (in[0] != out[0] || in[3] != out[3]) {
    return builder.Unsupported("input and output differ in batches or channels");
  }
  if (window.dilation_h != 1 || window.dilation_w != 1) {
    return builder.Unsupported("pooling with dilation");
  }
  if (!Reaches(in[1], out[1], window.kernel_h, window.stride_h, window.padding.top) ||
      !Reaches(in[2], out[2], window.kernel_w, window.stride_w, window.padding.left)) {
    return builder.Unsupported("a window lies outside the image");
  }
  return {};
}

// A channel reads its own input channel only. Blocks of channels are in the order of the scan.
ScanDistances PoolDistances(const WindowGeometry& g, int64_t block) {
  const std::optional<int64_t> ahead =
      g.in_channels > block ? std::optional<int64_t>(0) : std::nullopt;
  const std::vector<PixelBlock> pixels = SinglePixels(g.out_w, ahead);
  return WindowDistances({.geometry = g, .forward = pixels, .reverse = Reversed(pixels, ahead)});
}

Result<void> LowerPoolInt8(OpBuilder& builder, std::string_view kernel, int64_t block) {
  if (auto ok = CheckPool(builder); !ok) return ok;
  const std::vector<int32_t>& in = builder.Input(0).shape;
  const std::vector<int32_t>& out = builder.Output().shape;
  const auto& attributes = builder.Attributes<ir::Pool2dAttrs>();
  const ir::Window2d& window = attributes.window;
  const QuantizedRange range = ActivationRange(attributes.activation, builder.Output());
  const Operand input = builder.Read(0);
  builder.Call(kernel,
               {{"batches", in[0]},
                {"in_h", in[1]},
                {"in_w", in[2]},
                {"out_h", out[1]},
                {"out_w", out[2]},
                {"channels", in[3]},
                {"in_pixel_stride", in[3]},
                {"out_pixel_stride", in[3]},
                {"kernel_h", window.kernel_h},
                {"kernel_w", window.kernel_w},
                {"stride_h", window.stride_h},
                {"stride_w", window.stride_w},
                {"pad_top", window.padding.top},
                {"pad_left", window.padding.left},
                {"act_min", range.min},
                {"act_max", range.max},
                {"reverse", 0}},
               {input,
                window.kernel_h > kLocalRows ? builder.Scratch(ElementType::kInt64, window.kernel_h)
                                             : builder.Null(),
                builder.Write()});
  const WindowGeometry g = GeometryOf(builder, window);
  builder.MayOverlap(input, PoolDistances(g, block));
  const bool is_sum = kernel == "average_pool_s8" && IsWholeImage(g);
  builder.ByRows(is_sum ? SumByRows(g) : WindowByRows(g));
  return {};
}

}  // namespace

Result<void> LowerAveragePool2d(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerAveragePool2dFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) {
    return LowerPoolInt8(builder, "average_pool_s8", kAverageBlock);
  }
  return UnsupportedTypes(builder);
}

Result<void> LowerMaxPool2d(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerMaxPool2dFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8)
    return LowerPoolInt8(builder, "max_pool_s8", kMaxBlock);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
