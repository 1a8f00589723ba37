// Is the oracle itself right? Rounding against gemmlowp, the operators against numbers worked out
// by hand.
#include "oracle/oracle.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "oracle/fixed_point.h"

namespace usmp::oracle {
namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

TEST(FixedPoint, DoublingHighMulIsGemmlowps) {
  std::mt19937 random(1);
  const int32_t extremes[] = {kMin, kMin + 1, -1, 0, 1, 1 << 30, -(1 << 30), kMax};
  for (int32_t a : extremes) {
    for (int32_t b : extremes) {
      EXPECT_EQ(DoublingHighMul(a, b), gemmlowp::SaturatingRoundingDoublingHighMul(a, b));
    }
  }
  for (int i = 0; i < 200000; ++i) {
    const auto a = static_cast<int32_t>(random());
    const auto b = static_cast<int32_t>(random());
    ASSERT_EQ(DoublingHighMul(a, b), gemmlowp::SaturatingRoundingDoublingHighMul(a, b));
  }
}

TEST(FixedPoint, DivideByPowerOfTwoIsGemmlowps) {
  std::mt19937 random(2);
  for (int32_t exponent = 0; exponent <= 31; ++exponent) {
    for (int i = 0; i < 2000; ++i) {
      // Around ties as well: odd multiples of half the divisor, and their neighbors.
      const int32_t tie = exponent == 0 ? 0 : (i - 1000) * (1 << (exponent - 1) % 20);
      for (int32_t x : {static_cast<int32_t>(random()), tie - 1, tie, tie + 1, kMin, kMax}) {
        ASSERT_EQ(DivideByPowerOfTwo(x, exponent), gemmlowp::RoundingDivideByPOT(x, exponent))
            << x << " / 2^" << exponent;
      }
    }
  }
}

TEST(FixedPoint, QuantizeGivesTheNearestMultiplier) {
  const Multiplier half = Quantize(0.5);
  EXPECT_EQ(half.multiplier, 1 << 30);
  EXPECT_EQ(half.shift, 0);
  const Multiplier one = Quantize(1.0);
  EXPECT_EQ(one.multiplier, 1 << 30);
  EXPECT_EQ(one.shift, 1);
  const Multiplier almost_one = Quantize(1.0 - 1e-12);  // rounds up to 2^31: one more shift
  EXPECT_EQ(almost_one.multiplier, 1 << 30);
  EXPECT_EQ(almost_one.shift, 1);
  EXPECT_EQ(Quantize(0.0).multiplier, 0);
  EXPECT_EQ(Quantize(1e-12).multiplier, 0);
}

TEST(FixedPoint, LogisticAndTanhFollowTheFunction) {
  for (int32_t x = -255; x <= 255; ++x) {
    const double real = x * 0.0625;
    EXPECT_NEAR(LogisticInt8(x, 0.0625F), 256 / (1 + std::exp(-real)) - 128, 1.0) << x;
    EXPECT_NEAR(TanhInt8(x, 0.0625F), std::min(127.0, 128 * std::tanh(real)), 1.0) << x;
  }
}

TEST(FixedPoint, SoftmaxFollowsTheFunction) {
  const int32_t in[] = {10, 12, -100, 12, 127, 126};
  int32_t out[6] = {};
  SoftmaxInt8(in, 6, 0.1F, 1.0F, out);
  double sum = 0;
  for (int32_t x : in) sum += std::exp(0.1 * (x - 127));
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(out[i], 256 * std::exp(0.1 * (in[i] - 127)) / sum - 128, 1.0) << i;
  }
}

Tensor Int8(std::vector<int32_t> shape, float scale, int32_t zero_point) {
  return {.shape = std::move(shape), .scales = {scale}, .zero_points = {zero_point}};
}

std::vector<int32_t> Output(const Model& model, const std::vector<std::vector<int32_t>>& inputs) {
  std::vector<Data> data;
  for (size_t i = 0; i < inputs.size(); ++i) {
    data.push_back(FromInts(model.tensors[static_cast<size_t>(model.inputs[i])], inputs[i]));
  }
  const auto out = static_cast<size_t>(model.outputs[0]);
  return Ints(model.tensors[out], oracle::Run(model, data)[out]);
}

TEST(Operators, ConvolutionByHand) {
  // 1x3 filter, SAME, on a row of 3 pixels; all scales multiply to 1; zero point of the input is 1.
  Tensor weights = Int8({1, 1, 3, 1}, 1.0F, 0);
  weights.data = {1, 2, 3};
  Tensor bias = {.type = Type::kInt32, .shape = {1}, .scales = {0.5F}, .zero_points = {0}};
  bias.data = FromInts(bias, {10});
  const Model model = {
      .tensors = {Int8({1, 1, 3, 1}, 0.5F, 1), weights, bias, Int8({1, 1, 3, 1}, 0.5F, -3)},
      .ops = {{.kind = "CONV_2D", .inputs = {0, 1, 2}, .outputs = {3}, .same_padding = true}},
      .inputs = {0},
      .outputs = {3}};
  // Without zero point: 4, 5, 6. Sums: 2*4+3*5, 1*4+2*5+3*6, 1*5+2*6; plus 10, minus 3.
  EXPECT_EQ(Output(model, {{5, 6, 7}}), (std::vector<int32_t>{30, 39, 24}));
}

TEST(Operators, DepthwiseByHand) {
  // 2 channels, multiplier 2, 1x1 filter: output channel 2c+m = channel c times weight 2c+m.
  Tensor weights = Int8({1, 1, 1, 4}, 1.0F, 0);
  weights.data = {1, 2, 3, 4};
  const Model model = {
      .tensors = {Int8({1, 1, 1, 2}, 1.0F, 0), weights, Int8({1, 1, 1, 4}, 1.0F, 0)},
      .ops = {{.kind = "DEPTHWISE_CONV_2D",
               .inputs = {0, 1, -1},
               .outputs = {2},
               .depth_multiplier = 2}},
      .inputs = {0},
      .outputs = {2}};
  EXPECT_EQ(Output(model, {{5, -7}}), (std::vector<int32_t>{5, 10, -21, -28}));
}

TEST(Operators, AveragePoolRoundsHalfAwayFromZeroAndSkipsPadding) {
  const Model model = {.tensors = {Int8({1, 1, 3, 1}, 1.0F, 0), Int8({1, 1, 2, 1}, 1.0F, 0)},
                       .ops = {{.kind = "AVERAGE_POOL_2D",
                                .inputs = {0},
                                .outputs = {1},
                                .same_padding = true,
                                .stride_w = 2,
                                .filter_w = 2}},
                       .inputs = {0},
                       .outputs = {1}};
  EXPECT_EQ(Output(model, {{-2, -1, 7}}), (std::vector<int32_t>{-2, 7}));
  EXPECT_EQ(Output(model, {{2, 1, -7}}), (std::vector<int32_t>{2, -7}));
}

TEST(Operators, BroadcastSubtractsByHand) {
  const Model model = {
      .tensors = {Int8({1, 2, 2}, 1.0F, 0), Int8({2}, 1.0F, 0), Int8({1, 2, 2}, 1.0F, 5)},
      .ops = {{.kind = "SUB", .inputs = {0, 1}, .outputs = {2}, .activation = Activation::kRelu6}},
      .inputs = {0, 1},
      .outputs = {2}};
  // 1-10, 2-(-20), 3-10, 4-(-20), clamped to [0, 6], plus 5.
  EXPECT_EQ(Output(model, {{1, 2, 3, 4}, {10, -20}}), (std::vector<int32_t>{5, 11, 5, 11}));
}

TEST(Operators, MeanOverNegativeAxisByHand) {
  Tensor axes = {.type = Type::kInt32, .shape = {1}};
  axes.data = FromInts(axes, {-1});
  const Model model = {.tensors = {Int8({2, 3}, 1.0F, 1), axes, Int8({2}, 1.0F, 0)},
                       .ops = {{.kind = "MEAN", .inputs = {0, 1}, .outputs = {2}}},
                       .inputs = {0},
                       .outputs = {2}};
  EXPECT_EQ(Output(model, {{1, 2, 3, 31, -29, -59}}), (std::vector<int32_t>{1, -20}));
}

TEST(Operators, PadAndConcatenateByHand) {
  Tensor paddings = {.type = Type::kInt32, .shape = {2, 2}};
  paddings.data = FromInts(paddings, {0, 1, 1, 0});
  const Model model = {
      .tensors = {Int8({1, 2}, 1.0F, 7), paddings, Int8({2, 3}, 1.0F, 7), Int8({2, 1}, 1.0F, 7),
                  Int8({2, 4}, 1.0F, 7)},
      .ops = {{.kind = "PAD", .inputs = {0, 1}, .outputs = {2}},
              {.kind = "CONCATENATION", .inputs = {3, 2}, .outputs = {4}, .axis = -1}},
      .inputs = {0, 3},
      .outputs = {4}};
  EXPECT_EQ(Output(model, {{1, 2}, {8, 9}}), (std::vector<int32_t>{8, 7, 1, 2, 9, 7, 7, 7}));
}

TEST(Operators, QuantizeRoundsHalfAwayAndSaturates) {
  Tensor in = {.type = Type::kFloat32, .shape = {5}};
  const Model model = {.tensors = {in, Int8({5}, 0.5F, 1)},
                       .ops = {{.kind = "QUANTIZE", .inputs = {0}, .outputs = {1}}},
                       .inputs = {0},
                       .outputs = {1}};
  const Data out = oracle::Run(model, {FromFloats({0.25F, -0.25F, 0.2F, 1000.0F, -1000.0F})})[1];
  EXPECT_EQ(Ints(model.tensors[1], out), (std::vector<int32_t>{2, 0, 1, 127, -128}));
}

}  // namespace
}  // namespace usmp::oracle
