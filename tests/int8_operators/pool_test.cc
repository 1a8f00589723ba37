#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "int8_operators/operands.h"
#include "kernels/average_pool_s8.h"
#include "support/one_operator.h"

namespace usmp::testing {
namespace {

struct PoolCase {
  int32_t batches = 1, in_h = 1, in_w = 1, channels = 1;
  ir::Window2d window{};
  int32_t out_h = 1, out_w = 1;
};

int32_t OutExtent(int32_t in, int32_t kernel, int32_t stride, int32_t padding) {
  return (in + padding - kernel) / stride + 1;
}

// Windows smaller and larger than the image, each side with its own padding.
PoolCase RandomPool(Random& random, int max_kernel) {
  PoolCase c{.batches = RandomInt(random, 1, 2),
             .in_h = RandomInt(random, 1, 9),
             .in_w = RandomInt(random, 1, 9),
             .channels = RandomInt(random, 1, 3) == 1 ? RandomInt(random, 60, 140)
                                                      : RandomInt(random, 1, 35)};
  ir::Window2d& w = c.window;
  w = {.kernel_h = RandomInt(random, 1, max_kernel),
       .kernel_w = RandomInt(random, 1, 5),
       .stride_h = RandomInt(random, 1, 3),
       .stride_w = RandomInt(random, 1, 3)};
  w.padding = {.top = RandomInt(random, 0, w.kernel_h - 1),
               .bottom = RandomInt(random, 0, w.kernel_h - 1),
               .left = RandomInt(random, 0, w.kernel_w - 1),
               .right = RandomInt(random, 0, w.kernel_w - 1)};
  w.padding.bottom = std::max(w.padding.bottom, w.kernel_h - c.in_h - w.padding.top);
  w.padding.right = std::max(w.padding.right, w.kernel_w - c.in_w - w.padding.left);
  c.out_h = OutExtent(c.in_h, w.kernel_h, w.stride_h, w.padding.top + w.padding.bottom);
  c.out_w = OutExtent(c.in_w, w.kernel_w, w.stride_w, w.padding.left + w.padding.right);
  return c;
}

// The inside taps of one output element.
std::vector<int> Taps(const PoolCase& c, const ByteVector& in, int n, int y, int x, int channel) {
  std::vector<int> taps;
  for (int ky = 0; ky < c.window.kernel_h; ++ky) {
    for (int kx = 0; kx < c.window.kernel_w; ++kx) {
      const int in_y = y * c.window.stride_h - c.window.padding.top + ky;
      const int in_x = x * c.window.stride_w - c.window.padding.left + kx;
      if (in_y < 0 || in_y >= c.in_h || in_x < 0 || in_x >= c.in_w) continue;
      const int index = ((n * c.in_h + in_y) * c.in_w + in_x) * c.channels + channel;
      taps.push_back(static_cast<int8_t>(in[static_cast<size_t>(index)]));
    }
  }
  return taps;
}

int Average(const std::vector<int>& taps) {
  const int count = static_cast<int>(taps.size());
  int sum = 0;
  for (int tap : taps) sum += tap;
  return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}

void CheckPool(ir::OpKind kind, const PoolCase& c, Random& random) {
  const Affine q = RandomAffine(random);
  const ByteVector in = RandomBytes(random, int64_t{c.batches} * c.in_h * c.in_w * c.channels);
  lower::Program program = LowerOrDie(
      OneOperator(kind, {Quantized({c.batches, c.in_h, c.in_w, c.channels}, q)},
                  Quantized({c.batches, c.out_h, c.out_w, c.channels}, q),
                  ir::Pool2dAttrs{.window = c.window, .activation = ir::Activation::kRelu}));
  ASSERT_FALSE(program.calls.empty());
  for (int reverse : {0, 1}) {
    SetParam(program, "reverse", reverse);
    const ByteVector out = RunProgram(program, {in})[0];
    size_t i = 0;
    for (int n = 0; n < c.batches; ++n) {
      for (int y = 0; y < c.out_h; ++y) {
        for (int x = 0; x < c.out_w; ++x) {
          for (int channel = 0; channel < c.channels; ++channel, ++i) {
            const std::vector<int> taps = Taps(c, in, n, y, x, channel);
            const int value = kind == ir::OpKind::kMaxPool2d
                                  ? *std::max_element(taps.begin(), taps.end())
                                  : Average(taps);
            ASSERT_EQ(static_cast<int8_t>(out[i]), std::max(value, q.zero_point)) << i;
          }
        }
      }
    }
  }
}

TEST(PoolInt8, EqualsTheReference) {
  Random random(1);
  for (int i = 0; i < 150; ++i) {
    CheckPool(ir::OpKind::kAveragePool2d, RandomPool(random, 5), random);
    CheckPool(ir::OpKind::kMaxPool2d, RandomPool(random, 5), random);
  }
}

// More row pointers than the kernels keep: they are scratch.
TEST(PoolInt8, TallWindows) {
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    PoolCase c = RandomPool(random, 3);
    c.in_h = RandomInt(random, 18, 25);
    c.window.kernel_h = RandomInt(random, 16, 18);
    c.window.padding.top = c.window.padding.bottom = RandomInt(random, 0, 3);
    c.out_h = OutExtent(c.in_h, c.window.kernel_h, c.window.stride_h, 2 * c.window.padding.top);
    CheckPool(ir::OpKind::kAveragePool2d, c, random);
    CheckPool(ir::OpKind::kMaxPool2d, c, random);
  }
}

int32_t PlainAverage(int32_t sum, int32_t count) {
  return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}

TEST(PoolInt8, TheReciprocalDividesExactly) {
  const auto check = [](int32_t sum, uint32_t count) {
    return usmp_average_pool_s8_divide(sum, count, UINT32_MAX / count) ==
           PlainAverage(sum, static_cast<int32_t>(count));
  };
  for (uint32_t count = 1; count <= 300; ++count) {
    const int32_t reach = 128 * static_cast<int32_t>(count);
    for (int32_t sum = -reach; sum <= reach; ++sum) ASSERT_TRUE(check(sum, count)) << sum;
  }
  // For larger windows the sums around every multiple and every half.
  for (uint32_t count : {361U, 1024U, 2304U, 5769U, 9216U, 65536U, 1048575U}) {
    for (int32_t halves = -256; halves <= 256; ++halves) {
      const auto middle = static_cast<int32_t>(int64_t{halves} * count / 2);
      for (int32_t near = -2; near <= 2; ++near) {
        ASSERT_TRUE(check(middle + near, count)) << middle + near << " / " << count;
      }
    }
  }
}

TEST(PoolInt8, RefusesWhatItCannotDo) {
  const Affine q{0.5F, 0};
  const auto why = [&](Affine out, ir::Window2d window) {
    return WhyNot(OneOperator(ir::OpKind::kMaxPool2d, {Quantized({1, 4, 4, 1}, q)},
                              Quantized({1, 2, 2, 1}, out), ir::Pool2dAttrs{.window = window}));
  };
  const ir::Window2d halving{.kernel_h = 2, .kernel_w = 2, .stride_h = 2, .stride_w = 2};
  EXPECT_EQ(why(q, halving), "");
  EXPECT_EQ(why({0.51F, 0}, halving),
            "pooling cannot change the scale or zero point: input and output differ");
  EXPECT_EQ(why({0.5F, 1}, halving),
            "pooling cannot change the scale or zero point: input and output differ");
  ir::Window2d outside = halving;
  outside.padding.top = 2;
  EXPECT_EQ(why(q, outside), "a window lies outside the image");
  outside = halving;
  outside.stride_w = 4;
  EXPECT_EQ(why(q, outside), "a window lies outside the image");
  ir::Window2d dilated = halving;
  dilated.dilation_h = 2;
  EXPECT_EQ(why(q, dilated), "pooling with dilation");
}

}  // namespace
}  // namespace usmp::testing
