// The int8 convolution kernels against the plain reference, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/conv_kernels.h"
#include "kernels/random_convolution.h"
#include "kernels/reference_s8.h"

namespace usmp::kernels_test {
namespace {

constexpr int8_t kUntouched = 0x5A;

// What differs between two ways to run the same convolution.
struct Execution {
  int in_gap = 0, out_gap = 0;  // elements between pixels
  bool reverse = false;
  bool patch = false;                  // of CONV_2D: windows are gathered
  int x_split = 0, channel_split = 0;  // a row is computed in 2 x 2 calls
};

int TapElements(const Convolution& c) { return c.kernel_h * c.kernel_w * c.group_in; }

usmp_conv2d_s8_params Conv2dParams(const Convolution& c, const Execution& e) {
  return {.batches = c.batches,
          .in_h = c.in_h,
          .in_w = c.in_w,
          .in_pixel_stride = c.in_channels() + e.in_gap,
          .out_h = c.out_h,
          .out_w = c.out_w,
          .out_pixel_stride = c.out_channels() + e.out_gap,
          .groups = c.groups,
          .group_in = c.group_in,
          .group_out = c.group_out,
          .kernel_h = c.kernel_h,
          .kernel_w = c.kernel_w,
          .stride_h = c.stride_h,
          .stride_w = c.stride_w,
          .dilation_h = c.dilation_h,
          .dilation_w = c.dilation_w,
          .pad_top = c.pad_top,
          .pad_left = c.pad_left,
          .out_zero_point = c.out_zero_point,
          .act_min = c.act_min,
          .act_max = c.act_max,
          .multiplier_step = c.multipliers.size() > 1 ? 1 : 0,
          .patch = e.patch ? TapElements(c) : 0,
          .reverse = e.reverse ? 1 : 0};
}

usmp_depthwise_conv2d_s8_params DepthwiseParams(const Convolution& c, const Execution& e) {
  return {.batches = c.batches,
          .in_h = c.in_h,
          .in_w = c.in_w,
          .in_pixel_stride = c.in_channels() + e.in_gap,
          .out_h = c.out_h,
          .out_w = c.out_w,
          .out_pixel_stride = c.out_channels() + e.out_gap,
          .channels = c.out_channels(),
          .depth_multiplier = c.group_out,
          .kernel_h = c.kernel_h,
          .kernel_w = c.kernel_w,
          .stride_h = c.stride_h,
          .stride_w = c.stride_w,
          .dilation_h = c.dilation_h,
          .dilation_w = c.dilation_w,
          .pad_top = c.pad_top,
          .pad_left = c.pad_left,
          .out_zero_point = c.out_zero_point,
          .act_min = c.act_min,
          .act_max = c.act_max,
          .multiplier_step = c.multipliers.size() > 1 ? 1 : 0,
          .reverse = e.reverse ? 1 : 0};
}

// [channels][taps] to [taps][channels]
std::vector<int8_t> DepthwiseWeights(const Convolution& c) {
  const size_t channels = c.out_channels();
  const size_t taps = c.weights.size() / channels;
  std::vector<int8_t> weights(c.weights.size());
  for (size_t channel = 0; channel < channels; ++channel) {
    for (size_t t = 0; t < taps; ++t) {
      weights[t * channels + channel] = c.weights[channel * taps + t];
    }
  }
  return weights;
}

// Enough for either kernel, to the byte: a row of taps of one group, or a pixel.
std::vector<int8_t> Padding(const Convolution& c, bool depthwise) {
  const int count = depthwise ? c.in_channels() : c.kernel_w * c.group_in;
  return std::vector<int8_t>(static_cast<size_t>(count), static_cast<int8_t>(c.in_zero_point));
}

// A kernel's two entries, with the operands that they share bound.
struct Kernel {
  std::function<void(const int8_t* in, void* pointers, int8_t* out)> layer{};
  std::function<void(const int8_t* const* rows, int x_begin, int x_end, int channel_begin,
                     int channel_end, int8_t* out)>
      row{};
};

std::vector<int8_t> Conv2dWeights(const Convolution& c, const Execution& e) {
  std::vector<int8_t> weights = c.weights;
  if (e.patch) weights.resize(weights.size() + (8 - TapElements(c) % 8) % 8, kUntouched);
  return weights;
}

Kernel Conv2d(const Convolution& c, const Execution& e) {
  const usmp_conv2d_s8_params p = Conv2dParams(c, e);
  return {.layer =
              [=](const int8_t* in, void* pointers, int8_t* out) {
                run_conv2d_s8(&p, in, Conv2dWeights(c, e).data(), FoldedBias(c).data(),
                              c.multipliers.data(), c.shifts.data(),
                              Padding(c, /*depthwise=*/false).data(), pointers, out);
              },
          .row =
              [=](const int8_t* const* rows, int x_begin, int x_end, int channel_begin,
                  int channel_end, int8_t* out) {
                const std::vector<int32_t> bias = FoldedBias(c);
                const std::vector<int8_t> padding = Padding(c, /*depthwise=*/false);
                const std::vector<int8_t> weights = Conv2dWeights(c, e);
                const usmp_conv2d_s8_constants constants = {weights.data(), bias.data(),
                                                            c.multipliers.data(), c.shifts.data(),
                                                            padding.data()};
                run_conv2d_s8_row(&p, &constants, rows, x_begin, x_end, channel_begin, channel_end,
                                  out);
              }};
}

Kernel DepthwiseConv2d(const Convolution& c, const Execution& e) {
  const usmp_depthwise_conv2d_s8_params p = DepthwiseParams(c, e);
  return {
      .layer =
          [=](const int8_t* in, void* pointers, int8_t* out) {
            run_depthwise_conv2d_s8(&p, in, DepthwiseWeights(c).data(), FoldedBias(c).data(),
                                    c.multipliers.data(), c.shifts.data(),
                                    Padding(c, /*depthwise=*/true).data(), pointers, out);
          },
      .row =
          [=](const int8_t* const* rows, int x_begin, int x_end, int channel_begin, int channel_end,
              int8_t* out) {
            const std::vector<int32_t> bias = FoldedBias(c);
            const std::vector<int8_t> weights = DepthwiseWeights(c);
            const std::vector<int8_t> padding = Padding(c, /*depthwise=*/true);
            std::vector<const int8_t*> taps(static_cast<size_t>(c.kernel_h) * c.kernel_w);
            const usmp_depthwise_conv2d_s8_constants constants = {
                weights.data(),       bias.data(),
                c.multipliers.data(), c.shifts.data(),
                padding.data(),       taps.size() > 16 || c.kernel_h > 8 ? taps.data() : nullptr};
            run_depthwise_conv2d_s8_row(&p, &constants, rows, x_begin, x_end, channel_begin,
                                        channel_end, out);
          }};
}

using MakeKernel = Kernel (*)(const Convolution&, const Execution&);

std::vector<int8_t> RunLayer(MakeKernel make, const Convolution& c, const Execution& e) {
  const int taps = c.kernel_h * c.kernel_w;
  std::vector<int64_t> pointers(static_cast<size_t>(c.kernel_h + taps));
  const bool is_depthwise = make == DepthwiseConv2d;
  const bool many = c.kernel_h > (is_depthwise ? 8 : 6) || (is_depthwise && taps > 16);
  std::vector<int8_t> out(static_cast<size_t>(c.batches) * c.out_h * c.out_w * c.out_channels(),
                          kUntouched);
  make(c, e).layer(c.input.data(), many ? pointers.data() : nullptr, out.data());
  return out;
}

// One input row in an allocation of its own, so that a sanitizer sees every stray access.
std::vector<int8_t> InputRow(const Convolution& c, const Execution& e, int batch, int y) {
  const int stride = c.in_channels() + e.in_gap;
  std::vector<int8_t> row(static_cast<size_t>(c.in_w - 1) * stride + c.in_channels(), kUntouched);
  for (int x = 0; x < c.in_w; ++x) {
    const size_t pixel = (static_cast<size_t>(batch) * c.in_h + y) * c.in_w + x;
    std::memcpy(&row[static_cast<size_t>(x) * stride], &c.input[pixel * c.in_channels()],
                static_cast<size_t>(c.in_channels()));
  }
  return row;
}

// The output row as [out_w][out_channels], computed piece by piece; checks that the gaps stay
// untouched.
std::vector<int8_t> RunRow(MakeKernel make, const Convolution& c, const Execution& e, int batch,
                           int y) {
  std::vector<std::vector<int8_t>> storage;
  std::vector<const int8_t*> rows;
  storage.reserve(static_cast<size_t>(c.kernel_h));
  for (int ky = 0; ky < c.kernel_h; ++ky) {
    const int in_y = y * c.stride_h - c.pad_top + ky * c.dilation_h;
    const bool inside = in_y >= 0 && in_y < c.in_h;
    if (inside) storage.push_back(InputRow(c, e, batch, in_y));
    rows.push_back(inside ? storage.back().data() : nullptr);
  }
  const int channels = c.out_channels();
  const int stride = channels + e.out_gap;
  std::vector<int8_t> out(static_cast<size_t>(c.out_w - 1) * stride + channels, kUntouched);
  const Kernel kernel = make(c, e);
  const int xs[] = {0, e.x_split, c.out_w};
  const int cs[] = {0, e.channel_split, channels};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      kernel.row(rows.data(), xs[i], xs[i + 1], cs[j], cs[j + 1], out.data());
    }
  }
  std::vector<int8_t> pixels;
  for (size_t i = 0; i < out.size(); ++i) {
    if (static_cast<int>(i) % stride < channels) {
      pixels.push_back(out[i]);
    } else {
      EXPECT_EQ(out[i], kUntouched) << "between two pixels";
    }
  }
  return pixels;
}

std::vector<int8_t> RunRows(MakeKernel make, const Convolution& c, const Execution& e) {
  std::vector<int8_t> out;
  for (int batch = 0; batch < c.batches; ++batch) {
    for (int y = 0; y < c.out_h; ++y) {
      const std::vector<int8_t> row = RunRow(make, c, e, batch, y);
      out.insert(out.end(), row.begin(), row.end());
    }
  }
  return out;
}

void Check(MakeKernel make, const Convolution& c, Random& random) {
  const std::vector<int8_t> expected = ReferenceConvolution(c);
  const bool patch = make == Conv2d && TapElements(c) <= 48 && random.In(0, 1) == 1;
  for (bool reverse : {false, true}) {
    EXPECT_EQ(RunLayer(make, c, {.reverse = reverse, .patch = patch}), expected)
        << c << ", reverse " << reverse << ", patch " << patch;
  }
  const Execution e{.in_gap = random.Of({0, 1, 5}),
                    .out_gap = random.Of({0, 1, 5}),
                    .reverse = random.In(0, 1) == 1,
                    .patch = patch,
                    .x_split = random.In(0, c.out_w),
                    .channel_split = random.In(0, c.out_channels())};
  EXPECT_EQ(RunRows(make, c, e), expected)
      << c << ", by rows, gaps " << e.in_gap << "," << e.out_gap << ", x split " << e.x_split
      << ", channel split " << e.channel_split << ", reverse " << e.reverse << ", patch " << patch;
}

TEST(Conv2dS8, RandomConvolutionsEqualTheReference) {
  for (uint32_t seed = 0; seed < 2000 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    SCOPED_TRACE(seed);
    Check(Conv2d, RandomConvolution(random), random);
  }
}

TEST(DepthwiseConv2dS8, RandomConvolutionsEqualTheReference) {
  for (uint32_t seed = 0; seed < 2000 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    SCOPED_TRACE(seed);
    Check(DepthwiseConv2d, RandomDepthwise(random), random);
  }
}

TEST(Conv2dS8, KernelsTallerThanTheStackAllows) {
  for (int kernel_h : {8, 9, 17, 40}) {
    Random random(static_cast<uint32_t>(kernel_h));
    Convolution c{.in_h = 41, .in_w = 3, .out_w = 3, .group_in = 2, .group_out = 3};
    c.kernel_h = kernel_h;
    c.pad_top = 3;
    c.out_h = c.in_h + 5 - kernel_h + 1;
    Fill(random, c);
    Check(Conv2d, c, random);
    c.groups = c.group_in;
    c.group_in = 1;
    c = {.in_h = 41,
         .in_w = 3,
         .out_h = c.out_h,
         .out_w = 3,
         .groups = 2,
         .group_out = 3,
         .kernel_h = kernel_h,
         .pad_top = 3};
    Fill(random, c);
    Check(DepthwiseConv2d, c, random);
  }
}

TEST(Conv2dS8, MatrixProductsOfEveryDepth) {
  for (int depth = 1; depth <= 150; ++depth) {
    Random random(static_cast<uint32_t>(depth));
    Convolution c{.in_w = random.In(1, 6), .group_in = depth, .group_out = random.In(1, 9)};
    c.out_w = c.in_w;
    Fill(random, c);
    Check(Conv2d, c, random);
  }
}

// The largest sums there are: every weight and every input at the same extreme.
TEST(Conv2dS8, ExtremesOfEveryOperand) {
  Random random(1);
  for (int weight : {-128, 127}) {
    for (int value : {-128, 127}) {
      Convolution c{.in_w = 3, .out_w = 3, .group_in = 1111, .group_out = 5};
      Fill(random, c);
      std::ranges::fill(c.weights, static_cast<int8_t>(weight));
      std::ranges::fill(c.input, static_cast<int8_t>(value));
      c.multipliers.assign(5, 0x7FFFFFFF);
      c.shifts.assign(5, -18);
      Check(Conv2d, c, random);
    }
  }
}

}  // namespace
}  // namespace usmp::kernels_test
