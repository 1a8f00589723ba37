#include "kernels/reference_s8.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>

#include <algorithm>
#include <cstddef>

namespace usmp::kernels_test {
namespace {

// The sum over the taps that are inside the image, as the specification has it.
int32_t Accumulate(const Convolution& c, int batch, int y, int x, int channel) {
  const int in_channel = channel / c.group_out * c.group_in;
  int32_t sum = c.bias[channel];
  for (int ky = 0; ky < c.kernel_h; ++ky) {
    for (int kx = 0; kx < c.kernel_w; ++kx) {
      const int in_y = y * c.stride_h - c.pad_top + ky * c.dilation_h;
      const int in_x = x * c.stride_w - c.pad_left + kx * c.dilation_w;
      if (in_y < 0 || in_y >= c.in_h || in_x < 0 || in_x >= c.in_w) continue;
      for (int i = 0; i < c.group_in; ++i) {
        const int pixel = (batch * c.in_h + in_y) * c.in_w + in_x;
        const int tap = (channel * c.kernel_h + ky) * c.kernel_w + kx;
        const int value = c.input[static_cast<size_t>(pixel) * c.in_channels() + in_channel + i];
        sum += (value - c.in_zero_point) * c.weights[static_cast<size_t>(tap) * c.group_in + i];
      }
    }
  }
  return sum;
}

}  // namespace

int32_t ReferenceRequantize(int32_t x, int32_t multiplier, int shift) {
  const int32_t scaled = x * (1 << std::max(shift, 0));
  return gemmlowp::RoundingDivideByPOT(
      gemmlowp::SaturatingRoundingDoublingHighMul(scaled, multiplier), std::max(-shift, 0));
}

std::vector<int8_t> ReferenceConvolution(const Convolution& c) {
  std::vector<int8_t> output;
  for (int batch = 0; batch < c.batches; ++batch) {
    for (int y = 0; y < c.out_h; ++y) {
      for (int x = 0; x < c.out_w; ++x) {
        for (int channel = 0; channel < c.out_channels(); ++channel) {
          const size_t m = c.multipliers.size() > 1 ? static_cast<size_t>(channel) : 0;
          const int32_t value = ReferenceRequantize(Accumulate(c, batch, y, x, channel),
                                                    c.multipliers[m], c.shifts[m]);
          output.push_back(
              static_cast<int8_t>(std::clamp(value + c.out_zero_point, c.act_min, c.act_max)));
        }
      }
    }
  }
  return output;
}

std::vector<int32_t> FoldedBias(const Convolution& c) {
  std::vector<int32_t> bias = c.bias;
  const size_t taps = c.weights.size() / bias.size();
  for (size_t i = 0; i < c.weights.size(); ++i) bias[i / taps] -= c.in_zero_point * c.weights[i];
  return bias;
}

}  // namespace usmp::kernels_test
