#include "kernels/random_convolution.h"

#include <algorithm>
#include <cmath>

namespace usmp::kernels_test {
namespace {

void RandomWindow(Random& random, Convolution& c) {
  c.batches = random.Of({1, 1, 1, 2});
  c.kernel_h = random.In(1, 5);
  c.kernel_w = random.In(1, 5);
  c.stride_h = random.In(1, 3);
  c.stride_w = random.In(1, 3);
  c.dilation_h = random.Of({1, 1, 2, 3});
  c.dilation_w = random.Of({1, 1, 2, 3});
  const int tall = (c.kernel_h - 1) * c.dilation_h + 1;
  const int wide = (c.kernel_w - 1) * c.dilation_w + 1;
  c.pad_top = random.In(0, tall - 1);
  c.pad_left = random.In(0, wide - 1);
  c.in_h = random.In(1, 9);
  c.in_w = random.In(1, 12);
  const int pad_bottom = random.In(std::max(0, tall - c.in_h - c.pad_top), tall);
  const int pad_right = random.In(std::max(0, wide - c.in_w - c.pad_left), wide);
  c.out_h = (c.in_h + c.pad_top + pad_bottom - tall) / c.stride_h + 1;
  c.out_w = (c.in_w + c.pad_left + pad_right - wide) / c.stride_w + 1;
}

}  // namespace

std::vector<int8_t> Random::Bytes(size_t count) {
  std::vector<int8_t> bytes(count);
  for (int8_t& byte : bytes) {
    const int kind = In(0, 9);
    byte = static_cast<int8_t>(kind == 0 ? -128 : kind == 1 ? 127 : In(-128, 127));
  }
  return bytes;
}

void Fill(Random& random, Convolution& c) {
  const int taps = c.kernel_h * c.kernel_w * c.group_in;
  c.in_zero_point = random.Of({-128, 127, 0, -1, random.In(-128, 127)});
  c.out_zero_point = random.Of({-128, 127, 0, -1, random.In(-128, 127)});
  if (random.In(0, 3) == 0) {
    c.act_min = random.In(-128, 0);
    c.act_max = random.In(c.act_min, 127);
  }
  c.input = random.Bytes(static_cast<size_t>(c.batches) * c.in_h * c.in_w * c.in_channels());
  c.weights = random.Bytes(static_cast<size_t>(taps) * c.out_channels());
  for (int i = 0; i < c.out_channels(); ++i) c.bias.push_back(random.In(-20000, 20000));
  const int multipliers = random.In(0, 3) == 0 ? 1 : c.out_channels();
  // About what brings an accumulator of so many taps into int8, and now and then far from it.
  const int usual = -5 - static_cast<int>(std::log2(taps) / 2);
  for (int i = 0; i < multipliers; ++i) {
    c.multipliers.push_back((1 << 30) + random.In(0, (1 << 30) - 1));
    c.shifts.push_back(
        static_cast<int8_t>(random.In(0, 9) == 0 ? random.In(-31, 3) : usual + random.In(-2, 2)));
  }
}

Convolution RandomConvolution(Random& random) {
  Convolution c;
  RandomWindow(random, c);
  c.groups = random.Of({1, 1, 1, 2, 3});
  c.group_in = random.Of({1, 2, 3, 4, 8, 16, random.In(1, 40)});
  c.group_out = random.In(1, 9);
  if (random.In(0, 2) == 0) c.kernel_h = c.kernel_w = c.stride_h = c.stride_w = 1;
  if (c.kernel_h == 1) c.pad_top = c.pad_left = 0;
  Fill(random, c);
  return c;
}

Convolution RandomDepthwise(Random& random) {
  Convolution c;
  RandomWindow(random, c);
  c.groups = random.Of({1, 2, 3, 4, 8, 16, random.In(1, 40)});
  c.group_out = random.Of({1, 1, 1, 2, 3, 8});
  Fill(random, c);
  return c;
}

std::ostream& operator<<(std::ostream& out, const Convolution& c) {
  return out << "in " << c.batches << "x" << c.in_h << "x" << c.in_w << "x" << c.in_channels()
             << ", out " << c.out_h << "x" << c.out_w << "x" << c.out_channels() << ", groups "
             << c.groups << ", kernel " << c.kernel_h << "x" << c.kernel_w << ", stride "
             << c.stride_h << "x" << c.stride_w << ", dilation " << c.dilation_h << "x"
             << c.dilation_w << ", pad " << c.pad_top << "," << c.pad_left << ", zero points "
             << c.in_zero_point << "," << c.out_zero_point;
}

}  // namespace usmp::kernels_test
