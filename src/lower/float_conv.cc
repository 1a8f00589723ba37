#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "lower/conv_scan.h"
#include "lower/float_common.h"
#include "lower/float_ops.h"

namespace usmp::lower {
namespace {

constexpr int64_t kBlock = 4;  // output channels that the kernels compute together
// A run's input is read again for every block of channels: about as much as a small data cache
// holds.
constexpr int64_t kRunElements = 4096;
// From here on, a FULLY_CONNECTED is faster as a pointwise convolution, which shares weights among
// pixels.
constexpr int64_t kMinBatchesForConvolution = 4;

// Weights by output channel, `size` for each.
struct Filters {
  int64_t groups = 1;
  int64_t channels = 1;  // of a group
  int64_t size = 1;
  std::vector<float> values{};  // [groups][channels][size]
};

std::vector<float> FloatsOf(const ir::Tensor& tensor) {
  std::vector<float> values(tensor.data->size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), tensor.data->data(), tensor.data->size());
  return values;
}

// As the kernels read them: of each group [blocks][size][kBlock], then [channels left][size].
std::vector<float> Blocked(const Filters& filters) {
  std::vector<float> blocked;
  blocked.reserve(filters.values.size());
  const float* from = filters.values.data();
  for (int64_t group = 0; group < filters.groups; ++group) {
    for (int64_t c = 0; c < filters.channels;) {
      const int64_t width = filters.channels - c >= kBlock ? kBlock : 1;
      for (int64_t i = 0; i < filters.size; ++i) {
        for (int64_t lane = 0; lane < width; ++lane) {
          blocked.push_back(from[lane * filters.size + i]);
        }
      }
      from += width * filters.size;
      c += width;
    }
  }
  return blocked;
}

// [kernel][channels] to [channels][kernel].
std::vector<float> ChannelsFirst(const std::vector<float>& weights, int64_t channels) {
  const int64_t kernel = static_cast<int64_t>(weights.size()) / channels;
  std::vector<float> transposed;
  transposed.reserve(weights.size());
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t k = 0; k < kernel; ++k) {
      transposed.push_back(weights[static_cast<size_t>(k * channels + c)]);
    }
  }
  return transposed;
}

Operand Bias(OpBuilder& builder, int64_t channels) {
  if (builder.HasInput(2)) return builder.Read(2);
  return builder.Constant("bias", std::vector<float>(static_cast<size_t>(channels), 0.0F));
}

FloatRuns RunsOf(const WindowGeometry& g, int64_t run_pixels) {
  const ir::Window2d& w = g.window;
  const int64_t begin = (int64_t{w.padding.left} + w.stride_w - 1) / w.stride_w;
  const int64_t last = g.in_w - 1 - (w.kernel_w - 1) * int64_t{w.dilation_w} + w.padding.left;
  const int64_t end = last < 0 ? 0 : last / w.stride_w + 1;
  return {.run_pixels = run_pixels,
          .inner_begin = std::min(begin, g.out_w),
          .inner_end = std::min(end, g.out_w)};
}

std::vector<Param> ConvolutionParams(const WindowGeometry& g, ir::Activation activation,
                                     int64_t run_pixels) {
  const FloatRange range = FloatActivationRange(activation);
  const FloatRuns runs = RunsOf(g, run_pixels);
  std::vector<Param> params = GeometryParams(g);
  params.push_back({"inner_begin", runs.inner_begin});
  params.push_back({"inner_end", runs.inner_end});
  params.push_back({"run_pixels", run_pixels});
  params.push_back({"reverse", 0});
  params.push_back({"act_min", range.min});
  params.push_back({"act_max", range.max});
  return params;
}

void CallConv2d(OpBuilder& builder, const WindowGeometry& g, const Filters& filters,
                ir::Activation activation, int64_t run_pixels) {
  std::vector<Param> params = ConvolutionParams(g, activation, run_pixels);
  params.push_back({"groups", filters.groups});
  params.push_back({"in_channels", g.in_channels / filters.groups});
  params.push_back({"out_channels", filters.channels});
  const Operand input = builder.Read(0);
  builder.Call("conv2d_f32", std::move(params),
               {input, builder.Constant("weights", Blocked(filters)), Bias(builder, g.out_channels),
                WindowRows(builder, g), builder.Write()});
  builder.MayOverlap(input, Conv2dF32Distances(g, filters.groups, RunsOf(g, run_pixels)));
}

bool IsPointwise(const WindowGeometry& g) {
  const ir::Window2d& w = g.window;
  return w.kernel_h == 1 && w.kernel_w == 1 && w.stride_h == 1 && w.stride_w == 1 &&
         w.padding.top == 0 && w.padding.left == 0 && g.in_h == g.out_h && g.in_w == g.out_w;
}

// All the pixels as one row.
void CallPointwise(OpBuilder& builder, int64_t pixels, int64_t in_channels, const Filters& filters,
                   ir::Activation activation) {
  const WindowGeometry g{.in_w = pixels,
                         .in_channels = in_channels,
                         .out_w = pixels,
                         .out_channels = filters.groups * filters.channels};
  const int64_t run_pixels = std::max<int64_t>(kRunElements / in_channels / 4 * 4, 16);
  CallConv2d(builder, g, filters, activation, std::min(run_pixels, pixels));
}

Result<void> CheckWeightsFloat32(const OpBuilder& builder) {
  if (auto checked = CheckFloat32(builder); !checked) return checked;
  if (builder.Input(1).data == nullptr) return builder.Unsupported("the weights are not constant");
  return {};
}

}  // namespace

Result<void> LowerConv2dFloat32(OpBuilder& builder) {
  if (auto checked = CheckWeightsFloat32(builder); !checked) return checked;
  const auto& attributes = builder.Attributes<ir::Conv2dAttrs>();
  const WindowGeometry g = GeometryOf(builder, attributes.window);
  const ir::Tensor& weights = builder.Input(1);
  const Filters filters{.groups = attributes.groups,
                        .channels = g.out_channels / attributes.groups,
                        .size = ElementCount(weights) / g.out_channels,
                        .values = FloatsOf(weights)};
  if (IsPointwise(g)) {
    CallPointwise(builder, g.batches * g.in_h * g.in_w, g.in_channels, filters,
                  attributes.activation);
  } else {
    CallConv2d(builder, g, filters, attributes.activation, g.out_w);
  }
  builder.ByRows(IsPointwise(g) ? PointwiseByRows(g) : WindowByRows(g));
  return {};
}

Result<void> LowerDepthwiseConv2dFloat32(OpBuilder& builder) {
  if (auto checked = CheckWeightsFloat32(builder); !checked) return checked;
  const auto& attributes = builder.Attributes<ir::DepthwiseConv2dAttrs>();
  const WindowGeometry g = GeometryOf(builder, attributes.window);
  const ir::Tensor& weights = builder.Input(1);
  if (attributes.depth_multiplier > 1 || g.in_channels < kBlock) {
    const Filters filters{.groups = g.in_channels,
                          .channels = attributes.depth_multiplier,
                          .size = ElementCount(weights) / g.out_channels,
                          .values = ChannelsFirst(FloatsOf(weights), g.out_channels)};
    CallConv2d(builder, g, filters, attributes.activation, g.out_w);
    builder.ByRows(WindowByRows(g));
    return {};
  }
  std::vector<Param> params = ConvolutionParams(g, attributes.activation, g.out_w);
  params.push_back({"channels", g.in_channels});
  const Operand input = builder.Read(0);
  builder.Call("depthwise_conv2d_f32", std::move(params),
               {input, builder.Read(1), Bias(builder, g.out_channels), WindowRows(builder, g),
                builder.Write()});
  builder.MayOverlap(input, DepthwiseConv2dF32Distances(g, RunsOf(g, g.out_w)));
  builder.ByRows(WindowByRows(g));
  return {};
}

Result<void> LowerFullyConnectedFloat32(OpBuilder& builder) {
  if (auto checked = CheckWeightsFloat32(builder); !checked) return checked;
  const ir::Activation activation = builder.Attributes<ir::FullyConnectedAttrs>().activation;
  const ir::Tensor& weights = builder.Input(1);
  const int64_t out_depth = weights.shape[0];
  const int64_t in_depth = weights.shape[1];
  const int64_t batches = ElementCount(builder.Output()) / out_depth;
  const Filters filters{.channels = out_depth, .size = in_depth, .values = FloatsOf(weights)};
  if (batches >= kMinBatchesForConvolution) {
    CallPointwise(builder, batches, in_depth, filters, activation);
    return {};
  }
  const FloatRange range = FloatActivationRange(activation);
  builder.Call("fully_connected_f32",
               {{"batches", batches},
                {"in_depth", in_depth},
                {"out_depth", out_depth},
                {"act_min", range.min},
                {"act_max", range.max}},
               {builder.Read(0), builder.Constant("weights", Blocked(filters)),
                Bias(builder, out_depth), builder.Write()});
  return {};
}

}  // namespace usmp::lower
