// The float32 convolutions and pools: lowered, run whole in both directions and in parts of rows,
// against the same computed plainly in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <vector>

#include "kernels/float_call.h"
#include "kernels/float_reference.h"
#include "kernels/random_convolution.h"

namespace usmp::kernels_test {
namespace {

constexpr float kUntouched = 12345.0F;

std::vector<float> Values(Random& random, size_t count) {
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(random.In(-(1 << 20), 1 << 20)) / static_cast<float>(1 << 19);
  }
  return values;
}

FloatTensor Tensor(Random& random, std::vector<int32_t> shape, bool is_constant) {
  size_t count = 1;
  for (int32_t dimension : shape) count *= static_cast<size_t>(dimension);
  return {std::move(shape), Values(random, count), is_constant};
}

ir::Activation RandomActivation(Random& random) {
  const int kind = random.In(0, 5);
  return kind < 3 ? ir::Activation::kNone : static_cast<ir::Activation>(kind - 2);
}

// A window over an image, and the size of what comes out.
struct Geometry {
  ir::Window2d window{};
  int batches = 1, in_h = 1, in_w = 1, out_h = 1, out_w = 1;
};

// Any window with at least one output; with `inside`, one that always has a tap in the image.
Geometry RandomGeometry(Random& random, bool inside) {
  Geometry g{.batches = random.Of({1, 1, 1, 2}), .in_h = random.In(1, 9), .in_w = random.In(1, 20)};
  ir::Window2d& w = g.window;
  w.kernel_h = random.Of({1, 2, 3, random.In(1, 5)});
  w.kernel_w = random.Of({1, 2, 3, random.In(1, 5)});
  w.stride_h = random.Of({1, 1, 2, 3});
  w.stride_w = random.Of({1, 1, 2, 3});
  w.dilation_h = inside ? 1 : random.Of({1, 1, 2, 3});
  w.dilation_w = inside ? 1 : random.Of({1, 1, 2, 3});
  const int tall = (w.kernel_h - 1) * w.dilation_h + 1;
  const int wide = (w.kernel_w - 1) * w.dilation_w + 1;
  w.padding = {random.In(0, tall - 1), 0, random.In(0, wide - 1), 0};
  const auto after = [&](int extent, int in, int before) {
    return random.In(std::max(0, extent - in - before), std::max(extent - 1, extent - in - before));
  };
  w.padding.bottom = after(tall, g.in_h, w.padding.top);
  w.padding.right = after(wide, g.in_w, w.padding.left);
  g.out_h = (g.in_h + w.padding.top + w.padding.bottom - tall) / w.stride_h + 1;
  g.out_w = (g.in_w + w.padding.left + w.padding.right - wide) / w.stride_w + 1;
  return g;
}

std::string Describe(const FloatOp& op, const ir::Window2d& w) {
  std::ostringstream text;
  text << Name(op.kind) << " in";
  for (int32_t d : op.inputs[0].shape) text << ' ' << d;
  text << ", out";
  for (int32_t d : op.out_shape) text << ' ' << d;
  text << ", kernel " << w.kernel_h << "x" << w.kernel_w << ", stride " << w.stride_h << "x"
       << w.stride_w << ", dilation " << w.dilation_h << "x" << w.dilation_w << ", pad "
       << w.padding.top << "," << w.padding.left;
  return text.str();
}

void MaybeAddBias(Random& random, FloatOp& op, int channels) {
  if (random.In(0, 3) > 0) op.inputs.push_back(Tensor(random, {channels}, /*is_constant=*/true));
}

FloatOp RandomFloatConv2d(Random& random) {
  const Geometry g = RandomGeometry(random, /*inside=*/false);
  const int groups = random.Of({1, 1, 1, 2, 3});
  const int group_in = random.Of({1, 2, 3, 4, 8, random.In(1, 30)});
  const int channels = groups * random.In(1, 9);
  FloatOp op{
      .kind = ir::OpKind::kConv2d,
      .attributes = ir::Conv2dAttrs{g.window, groups, RandomActivation(random)},
      .inputs = {Tensor(random, {g.batches, g.in_h, g.in_w, groups * group_in}, false),
                 Tensor(random, {channels, g.window.kernel_h, g.window.kernel_w, group_in}, true)},
      .out_shape = {g.batches, g.out_h, g.out_w, channels}};
  MaybeAddBias(random, op, channels);
  return op;
}

FloatOp RandomFloatDepthwise(Random& random) {
  const Geometry g = RandomGeometry(random, /*inside=*/false);
  const int in_channels = random.Of({1, 2, 4, 8, random.In(1, 30)});
  const int multiplier = random.Of({1, 1, 1, 2, 5});
  const int channels = in_channels * multiplier;
  FloatOp op{.kind = ir::OpKind::kDepthwiseConv2d,
             .attributes = ir::DepthwiseConv2dAttrs{g.window, multiplier, RandomActivation(random)},
             .inputs = {Tensor(random, {g.batches, g.in_h, g.in_w, in_channels}, false),
                        Tensor(random, {1, g.window.kernel_h, g.window.kernel_w, channels}, true)},
             .out_shape = {g.batches, g.out_h, g.out_w, channels}};
  MaybeAddBias(random, op, channels);
  return op;
}

FloatOp RandomFloatPool(Random& random, ir::OpKind kind) {
  const Geometry g = RandomGeometry(random, /*inside=*/true);
  const int channels = random.In(1, 13);
  return {.kind = kind,
          .attributes = ir::Pool2dAttrs{g.window, RandomActivation(random)},
          .inputs = {Tensor(random, {g.batches, g.in_h, g.in_w, channels}, false)},
          .out_shape = {g.batches, g.out_h, g.out_w, channels}};
}

// How a layer is computed part by part.
struct Execution {
  int in_gap = 0, out_gap = 0;  // elements between pixels
  int x_split = 0, channel_split = 0;
};

// The spatial kernels' common shape.
template <class Params>
struct WindowKernel {
  Params params{};
  int in_channels = 0, out_channels = 0;
  void (*row)(const Params*, void* const*, const float* const*, struct row_part, float*) = nullptr;
};

// Rows of [in_w][channels] in allocations of their own, so that a sanitizer sees every stray
// access.
template <class Params>
std::vector<float> InputRow(const WindowKernel<Params>& kernel, const std::vector<float>& input,
                            const Execution& e, int batch, int y) {
  const Params& p = kernel.params;
  const auto channels = static_cast<size_t>(kernel.in_channels);
  const size_t stride = channels + e.in_gap;
  std::vector<float> row((p.in_w - 1) * stride + channels, kUntouched);
  const size_t first = (static_cast<size_t>(batch) * p.in_h + y) * p.in_w;
  for (size_t x = 0; x < static_cast<size_t>(p.in_w); ++x) {
    std::copy_n(&input[(first + x) * channels], channels, &row[x * stride]);
  }
  return row;
}

template <class Params>
std::vector<float> RunRow(WindowKernel<Params> kernel, FloatCall& call, const Execution& e,
                          int batch, int y) {
  Params& p = kernel.params;
  std::vector<std::vector<float>> storage;
  for (int ky = 0; ky < p.kernel_h; ++ky) {
    const int in_y = y * p.stride_h - p.pad_top + ky * p.dilation_h;
    storage.emplace_back();
    if (in_y >= 0 && in_y < p.in_h) storage.back() = InputRow(kernel, call.Input(), e, batch, in_y);
  }
  std::vector<const float*> rows;
  for (const auto& row : storage) rows.push_back(row.empty() ? nullptr : row.data());
  p.in_pixel_stride = kernel.in_channels + e.in_gap;
  p.out_pixel_stride = kernel.out_channels + e.out_gap;
  const auto stride = static_cast<size_t>(p.out_pixel_stride);
  const auto channels = static_cast<size_t>(kernel.out_channels);
  std::vector<float> out((p.out_w - 1) * stride + channels, kUntouched);
  const std::vector<void*> operands = call.operands();
  const int xs[] = {0, e.x_split, p.out_w};
  const int cs[] = {0, e.channel_split, kernel.out_channels};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      kernel.row(&p, operands.data(), rows.data(), {xs[i], xs[i + 1], cs[j], cs[j + 1]},
                 out.data());
    }
  }
  std::vector<float> pixels;
  for (size_t i = 0; i < out.size(); ++i) {
    if (i % stride < channels) {
      pixels.push_back(out[i]);
    } else {
      EXPECT_EQ(out[i], kUntouched) << "between two pixels";
    }
  }
  return pixels;
}

template <class Params>
std::vector<float> RunRows(const WindowKernel<Params>& kernel, FloatCall& call,
                           const Execution& e) {
  std::vector<float> out;
  for (int batch = 0; batch < kernel.params.batches; ++batch) {
    for (int y = 0; y < kernel.params.out_h; ++y) {
      const std::vector<float> row = RunRow(kernel, call, e, batch, y);
      out.insert(out.end(), row.begin(), row.end());
    }
  }
  return out;
}

// A channel between two of conv2d_f32's blocks of four.
int BlockBoundary(Random& random, int groups, int group_channels) {
  const int in_group = random.In(0, group_channels);
  const int blocks = group_channels / 4 * 4;
  return random.In(0, groups - 1) * group_channels +
         (in_group < blocks ? in_group / 4 * 4 : in_group);
}

// The layer in parts must equal, to the last bit, the layer in one piece.
void CheckParts(FloatCall& call, const std::vector<float>& whole, Random& random) {
  Execution e{.in_gap = random.Of({0, 1, 5}), .out_gap = random.Of({0, 1, 5})};
  std::vector<float> parts;
  if (call.kernel() == "conv2d_f32") {
    const auto p = call.ParamsAs<usmp_conv2d_f32_params>();
    e.x_split = random.In(0, p.out_w);
    e.channel_split = BlockBoundary(random, p.groups, p.out_channels);
    parts = RunRows<usmp_conv2d_f32_params>(
        {p, p.groups * p.in_channels, p.groups * p.out_channels, run_conv2d_f32_row}, call, e);
  } else if (call.kernel() == "depthwise_conv2d_f32") {
    const auto p = call.ParamsAs<usmp_depthwise_conv2d_f32_params>();
    e.x_split = random.In(0, p.out_w);
    e.channel_split = random.In(0, p.channels);
    parts = RunRows<usmp_depthwise_conv2d_f32_params>(
        {p, p.channels, p.channels, run_depthwise_conv2d_f32_row}, call, e);
  } else if (call.kernel() == "pool2d_f32") {
    const auto p = call.ParamsAs<usmp_pool2d_f32_params>();
    e.x_split = random.In(0, p.out_w);
    e.channel_split = random.In(0, p.channels);
    parts =
        RunRows<usmp_pool2d_f32_params>({p, p.channels, p.channels, run_pool2d_f32_row}, call, e);
  } else {
    FAIL() << "lowered to " << call.kernel();
  }
  EXPECT_EQ(parts, whole) << "by rows, gaps " << e.in_gap << "," << e.out_gap << ", x split "
                          << e.x_split << ", channel split " << e.channel_split;
}

void Check(const FloatOp& op, const std::vector<Bounded>& expected, Random& random) {
  FloatCall call(op);
  const std::vector<float> whole = call.Run();
  EXPECT_EQ(Compare(whole, expected), "");
  EXPECT_EQ(call.Run(/*reverse=*/true), whole) << "in reverse";
  CheckParts(call, whole, random);
}

TEST(Conv2dF32, RandomConvolutions) {
  for (uint32_t seed = 0; seed < 600 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const FloatOp op = RandomFloatConv2d(random);
    SCOPED_TRACE(Describe(op, std::get<ir::Conv2dAttrs>(op.attributes).window));
    Check(op, ReferenceConv2d(op), random);
  }
}

TEST(DepthwiseConv2dF32, RandomConvolutions) {
  for (uint32_t seed = 0; seed < 600 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const FloatOp op = RandomFloatDepthwise(random);
    SCOPED_TRACE(Describe(op, std::get<ir::DepthwiseConv2dAttrs>(op.attributes).window));
    Check(op, ReferenceDepthwiseConv2d(op), random);
  }
}

TEST(PoolF32, RandomPools) {
  for (uint32_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const bool is_average = seed % 2 == 0;
    const FloatOp op =
        RandomFloatPool(random, is_average ? ir::OpKind::kAveragePool2d : ir::OpKind::kMaxPool2d);
    SCOPED_TRACE(Describe(op, std::get<ir::Pool2dAttrs>(op.attributes).window));
    Check(op, ReferencePool(op), random);
  }
}

// Pointwise convolutions are computed as one long row, in runs.
TEST(Conv2dF32, PointwiseConvolutionsLongerThanARun) {
  for (int in_channels : {1, 300, 2000}) {
    Random random(static_cast<uint32_t>(in_channels));
    const FloatOp op{.kind = ir::OpKind::kConv2d,
                     .attributes = ir::Conv2dAttrs{},
                     .inputs = {Tensor(random, {2, 7, 5, in_channels}, false),
                                Tensor(random, {6, 1, 1, in_channels}, true)},
                     .out_shape = {2, 7, 5, 6}};
    Check(op, ReferenceConv2d(op), random);
  }
}

TEST(Conv2dF32, KernelsTallerThanTheStackAllows) {
  for (int kernel_h : {16, 17, 40}) {
    Random random(static_cast<uint32_t>(kernel_h));
    const int out_h = 41 + 5 - kernel_h + 1;
    const ir::Window2d window{.kernel_h = kernel_h, .padding = {.top = 3, .bottom = 2}};
    const FloatOp conv{
        .kind = ir::OpKind::kConv2d,
        .attributes = ir::Conv2dAttrs{.window = window},
        .inputs = {Tensor(random, {1, 41, 3, 2}, false), Tensor(random, {3, kernel_h, 1, 2}, true)},
        .out_shape = {1, out_h, 3, 3}};
    Check(conv, ReferenceConv2d(conv), random);
    const FloatOp depthwise{
        .kind = ir::OpKind::kDepthwiseConv2d,
        .attributes = ir::DepthwiseConv2dAttrs{.window = window},
        .inputs = {Tensor(random, {1, 41, 3, 6}, false), Tensor(random, {1, kernel_h, 1, 6}, true)},
        .out_shape = {1, out_h, 3, 6}};
    Check(depthwise, ReferenceDepthwiseConv2d(depthwise), random);
    const FloatOp pool{.kind = ir::OpKind::kAveragePool2d,
                       .attributes = ir::Pool2dAttrs{.window = window},
                       .inputs = {Tensor(random, {1, 41, 3, 5}, false)},
                       .out_shape = {1, out_h, 3, 5}};
    Check(pool, ReferencePool(pool), random);
  }
}

TEST(FullyConnectedF32, EveryOutputDepthAndBatchCount) {
  for (int out_depth = 1; out_depth <= 40; ++out_depth) {
    Random random(static_cast<uint32_t>(out_depth));
    const int in_depth = random.In(1, 70);
    const int batches = random.In(1, 6);
    FloatOp op{.kind = ir::OpKind::kFullyConnected,
               .attributes = ir::FullyConnectedAttrs{RandomActivation(random)},
               .inputs = {Tensor(random, {batches, in_depth}, false),
                          Tensor(random, {out_depth, in_depth}, true)},
               .out_shape = {batches, out_depth}};
    MaybeAddBias(random, op, out_depth);
    SCOPED_TRACE(out_depth);
    EXPECT_EQ(Compare(RunOp(op), ReferenceFullyConnected(op)), "");
  }
}

}  // namespace
}  // namespace usmp::kernels_test
