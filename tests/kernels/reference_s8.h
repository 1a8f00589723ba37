// Plain int8 convolutions, written from TensorFlow Lite's quantization rules, with gemmlowp's own
// functions for requantization: what the kernels are compared with.
#ifndef USMP_TESTS_KERNELS_REFERENCE_S8_H_
#define USMP_TESTS_KERNELS_REFERENCE_S8_H_

#include <cstdint>
#include <vector>

namespace usmp::kernels_test {

// A convolution in full: `groups` > 1 with group_in == 1 is a depthwise one, but for the weights'
// layout.
struct Convolution {
  int batches = 1;
  int in_h = 1, in_w = 1;
  int out_h = 1, out_w = 1;
  int groups = 1, group_in = 1, group_out = 1;
  int kernel_h = 1, kernel_w = 1;
  int stride_h = 1, stride_w = 1;
  int dilation_h = 1, dilation_w = 1;
  int pad_top = 0, pad_left = 0;
  int in_zero_point = 0, out_zero_point = 0;
  int act_min = -128, act_max = 127;
  std::vector<int8_t> input{};         // [batches][in_h][in_w][groups * group_in]
  std::vector<int8_t> weights{};       // [groups * group_out][kernel_h][kernel_w][group_in]
  std::vector<int32_t> bias{};         // as in the model: nothing folded in
  std::vector<int32_t> multipliers{};  // one, or one for each output channel
  std::vector<int8_t> shifts{};

  int in_channels() const { return groups * group_in; }
  int out_channels() const { return groups * group_out; }
};

// SRDHM and RDBPOT of gemmlowp on x * 2^max(shift, 0).
int32_t ReferenceRequantize(int32_t x, int32_t multiplier, int shift);

// [batches][out_h][out_w][out_channels]
std::vector<int8_t> ReferenceConvolution(const Convolution& c);

// bias - in_zero_point * sum(weights), by output channel.
std::vector<int32_t> FoldedBias(const Convolution& c);

}  // namespace usmp::kernels_test

#endif  // USMP_TESTS_KERNELS_REFERENCE_S8_H_
