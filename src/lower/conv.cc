#include "lower/conv.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "lower/conv_scan.h"
#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/window.h"

namespace usmp::lower {
namespace {

// Pointers that a kernel keeps on the stack; where there are more, they are scratch.
constexpr int64_t kMaxConvRowsOnStack = 6;
constexpr int64_t kMaxRowsOnStack = 8;  // of depthwise convolutions
constexpr int64_t kMaxTapsOnStack = 16;

// conv2d_s8 gathers windows of at most so many elements whose rows are shorter than a run worth its
// overhead, and then reads weights by eight.
constexpr int64_t kMaxPatch = 48;
constexpr int64_t kShortRun = 16;
constexpr int64_t kPatchStep = 8;

// A call of conv2d_s8. Input 1 of the operator has the layout of CONV_2D's or of
// DEPTHWISE_CONV_2D's weights.
struct Convolution {
  WindowGeometry geometry{};
  int64_t groups = 1;
  bool depthwise = false;
  ir::Activation activation = ir::Activation::kNone;
  std::vector<FixedPointMultiplier> multipliers{};
};

bool ReadsPadding(const WindowGeometry& g) {
  const ir::Window2d& w = g.window;
  const int64_t end_y =
      (g.out_h - 1) * w.stride_h - w.padding.top + (w.kernel_h - 1) * int64_t{w.dilation_h};
  const int64_t end_x =
      (g.out_w - 1) * w.stride_w - w.padding.left + (w.kernel_w - 1) * int64_t{w.dilation_w};
  return w.padding.top > 0 || w.padding.left > 0 || end_y >= g.in_h || end_x >= g.in_w;
}

void AppendOutputParams(const OpBuilder& builder, ir::Activation activation,
                        const RequantizationTables& tables, std::vector<Param>& params) {
  const QuantizedRange range = ActivationRange(activation, builder.Output());
  params.push_back({"out_zero_point", builder.Output().quantization.zero_points[0]});
  params.push_back({"act_min", range.min});
  params.push_back({"act_max", range.max});
  params.push_back({"multiplier_step", tables.step});
  params.push_back({"reverse", 0});
}

// int64: pointers of the host are no longer.
Operand PointerScratch(OpBuilder& builder, int64_t count) {
  return builder.Scratch(ElementType::kInt64, count);
}

// What kernels read where a tap is outside the image; absent if none is.
Operand Padding(OpBuilder& builder, const WindowGeometry& g, int64_t count) {
  if (!ReadsPadding(g)) return OpBuilder::Null();
  const auto zero_point = static_cast<int8_t>(builder.Input(0).quantization.zero_points[0]);
  return builder.Constant("padding", std::vector<int8_t>(static_cast<size_t>(count), zero_point));
}

// Elements of a window that is to be gathered, else 0.
int64_t PatchElements(const WindowGeometry& g, int64_t group_in) {
  const int64_t row = g.window.kernel_w * group_in;
  const int64_t elements = g.window.kernel_h * row;
  return elements > row && row < kShortRun && elements <= kMaxPatch ? elements : 0;
}

// The weights as [out_channels][window][group_in]: those of DEPTHWISE_CONV_2D are
// [window][out_channels].
Operand Conv2dWeights(OpBuilder& builder, int64_t out_channels, bool depthwise, int64_t patch) {
  const int64_t missing = (kPatchStep - patch % kPatchStep) % kPatchStep;
  if (!depthwise && missing == 0) return builder.Read(1);
  const std::vector<uint8_t>& values = *builder.Input(1).data;
  const auto channels = static_cast<size_t>(out_channels);
  const size_t taps = values.size() / channels;
  std::vector<int8_t> weights(values.size() + static_cast<size_t>(missing), 0);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t to = depthwise ? i % channels * taps + i / channels : i;
    weights[to] = static_cast<int8_t>(values[i]);
  }
  return builder.Constant("weights", weights);
}

void AddConv2d(OpBuilder& builder, const Convolution& c) {
  const WindowGeometry& g = c.geometry;
  const int64_t group_in = g.in_channels / c.groups;
  const int64_t patch = PatchElements(g, group_in);
  const int64_t rows = g.window.kernel_h;
  const RequantizationTables tables = AddRequantization(builder, c.multipliers);
  std::vector<Param> params = GeometryParams(g);
  params.push_back({"groups", c.groups});
  params.push_back({"group_in", group_in});
  params.push_back({"group_out", g.out_channels / c.groups});
  params.push_back({"patch", patch});
  AppendOutputParams(builder, c.activation, tables, params);
  const Operand input = builder.Read(0);
  builder.Call(
      "conv2d_s8", std::move(params),
      {input, Conv2dWeights(builder, g.out_channels, c.depthwise, patch),
       builder.Constant("bias", FoldedBias(builder, c.depthwise ? 3 : 0)), tables.multipliers,
       tables.shifts, Padding(builder, g, g.window.kernel_w * group_in),
       rows > kMaxConvRowsOnStack ? PointerScratch(builder, rows) : OpBuilder::Null(),
       builder.Write()});
  builder.MayOverlap(input, Conv2dS8Distances(g, c.groups, patch != 0));
}

bool IsPointwise(const WindowGeometry& g, int64_t groups) {
  const ir::Window2d& w = g.window;
  return groups == 1 && w.kernel_h == 1 && w.kernel_w == 1 && w.stride_h == 1 && w.stride_w == 1 &&
         !ReadsPadding(g);
}

// All pixels of all images as one row.
WindowGeometry PointwiseGeometry(int64_t pixels, int64_t in_channels, int64_t out_channels) {
  return {
      .in_w = pixels, .in_channels = in_channels, .out_w = pixels, .out_channels = out_channels};
}

Result<void> LowerConv2dInt8(OpBuilder& builder) {
  if (auto checked = CheckWeights(builder, /*channel_axis=*/0); !checked) return checked;
  const auto& attributes = builder.Attributes<ir::Conv2dAttrs>();
  const WindowGeometry g = GeometryOf(builder, attributes.window);
  const bool is_pointwise = IsPointwise(g, attributes.groups);
  const int64_t pixels = g.batches * g.out_h * g.out_w;
  AddConv2d(
      builder,
      {.geometry = is_pointwise ? PointwiseGeometry(pixels, g.in_channels, g.out_channels) : g,
       .groups = attributes.groups,
       .activation = attributes.activation,
       .multipliers = ConvolutionMultipliers(builder)});
  builder.ByRows(is_pointwise ? PointwiseByRows(g) : WindowByRows(g));
  return {};
}

Result<void> LowerDepthwiseConv2dInt8(OpBuilder& builder) {
  if (auto checked = CheckWeights(builder, /*channel_axis=*/3); !checked) return checked;
  const auto& attributes = builder.Attributes<ir::DepthwiseConv2dAttrs>();
  const WindowGeometry g = GeometryOf(builder, attributes.window);
  if (g.in_channels == 1) {  // every output channel reads all of the input
    AddConv2d(builder, {.geometry = g,
                        .depthwise = true,
                        .activation = attributes.activation,
                        .multipliers = ConvolutionMultipliers(builder)});
    builder.ByRows(WindowByRows(g));
    return {};
  }
  const RequantizationTables tables = AddRequantization(builder, ConvolutionMultipliers(builder));
  std::vector<Param> params = GeometryParams(g);
  params.push_back({"channels", g.out_channels});
  params.push_back({"depth_multiplier", attributes.depth_multiplier});
  AppendOutputParams(builder, attributes.activation, tables, params);
  const int64_t rows = g.window.kernel_h;
  const int64_t taps = rows * g.window.kernel_w;
  const bool many = rows > kMaxRowsOnStack || taps > kMaxTapsOnStack;
  const Operand input = builder.Read(0);
  builder.Call(
      "depthwise_conv2d_s8", std::move(params),
      {input, builder.Read(1), builder.Constant("bias", FoldedBias(builder, /*channel_axis=*/3)),
       tables.multipliers, tables.shifts, Padding(builder, g, g.in_channels),
       many ? PointerScratch(builder, rows + taps) : OpBuilder::Null(), builder.Write()});
  builder.MayOverlap(input, DepthwiseConv2dS8Distances(g));
  builder.ByRows(WindowByRows(g));
  return {};
}

}  // namespace

void AddMatrixProduct(OpBuilder& builder, std::span<const FixedPointMultiplier> multipliers,
                      ir::Activation activation) {
  const std::vector<int32_t>& weights = builder.Input(1).shape;
  const int64_t vectors = ElementCount(builder.Output()) / weights[0];
  AddConv2d(builder, {.geometry = PointwiseGeometry(vectors, weights[1], weights[0]),
                      .activation = activation,
                      .multipliers = {multipliers.begin(), multipliers.end()}});
}

Result<void> LowerConv2d(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerConv2dFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerConv2dInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerDepthwiseConv2d(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerDepthwiseConv2dFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerDepthwiseConv2dInt8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
