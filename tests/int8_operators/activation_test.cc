#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "int8_operators/operands.h"
#include "support/one_operator.h"

namespace usmp::testing {
namespace {

ByteVector EveryByte() {
  ByteVector bytes(256);
  for (size_t i = 0; i < 256; ++i) bytes[i] = static_cast<uint8_t>(i);
  return bytes;
}

// Runs the operator on every int8 value, out of place and in place.
template <class F>
void CheckEveryInput(ir::OpKind kind, Affine in, Affine out, F expected) {
  const lower::Program program =
      LowerOrDie(OneOperator(kind, {Quantized({256}, in)}, Quantized({256}, out), ir::NoAttrs{}));
  ASSERT_FALSE(program.calls.empty());
  const ByteVector bytes = EveryByte();
  const ByteVector result = RunProgram(program, {bytes})[0];
  for (size_t i = 0; i < 256; ++i) {
    const auto x = static_cast<int8_t>(bytes[i]);
    ASSERT_EQ(int{static_cast<int8_t>(result[i])}, int{expected(x)})
        << "input " << int{x} << ", scale " << in.scale << ", zero point " << in.zero_point;
  }
  EXPECT_EQ(RunInPlace(program, bytes), result);
}

TEST(ActivationInt8, LogisticAndTanhEqualGemmlowpForEveryInput) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Affine in = RandomAffine(random);
    CheckEveryInput(ir::OpKind::kLogistic, in, {1.0F / 256, -128},
                    [&](int8_t x) { return ReferenceLogistic(x, in); });
    CheckEveryInput(ir::OpKind::kTanh, in, {1.0F / 128, 0},
                    [&](int8_t x) { return ReferenceTanh(x, in); });
  }
}

TEST(ActivationInt8, LogisticAndTanhOfExtremeScales) {
  for (const float scale : {3.8e-9F, 1e-6F, 4.0F, 15.99F}) {
    for (const int32_t zero_point : {-128, 0, 127}) {
      const Affine in{scale, zero_point};
      CheckEveryInput(ir::OpKind::kLogistic, in, {1.0F / 256, -128},
                      [&](int8_t x) { return ReferenceLogistic(x, in); });
      CheckEveryInput(ir::OpKind::kTanh, in, {1.0F / 128, 0},
                      [&](int8_t x) { return ReferenceTanh(x, in); });
    }
  }
}

TEST(ActivationInt8, ReluRescales) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const Affine in = RandomAffine(random);
    Affine out = i % 5 == 0 ? in : RandomAffine(random);
    if (i % 5 == 1) out.scale = in.scale * 2;   // ties
    const double ratio = in.scale / out.scale;  // in float
    CheckEveryInput(ir::OpKind::kRelu, in, out, [&](int8_t x) {
      return ReferenceRescale(x, in, out, ratio, out.zero_point, 127);
    });
  }
}

// The scales are floats, and so is their ratio. 0.13F / 0.02F is 6.5F: 1 becomes 7, away from zero.
// 0.13F is below 0.13 and 0.02F is not, so the exact ratio is below 6.5 and would give 6.
TEST(ActivationInt8, ReluDividesScalesInFloat) {
  const auto graph = OneOperator(ir::OpKind::kRelu, {Quantized({2}, {0.13F, 0})},
                                 Quantized({2}, {0.02F, 0}), ir::NoAttrs{});
  EXPECT_EQ(LowerAndRun(graph, {ByteVector{1, 3}}), (ByteVector{7, 20}));
}

TEST(ActivationInt8, Relu6OnlyClamps) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const Affine q = RandomAffine(random);
    const int six = static_cast<int>(std::round(6.0F / q.scale)) + q.zero_point;
    CheckEveryInput(ir::OpKind::kRelu6, q, q, [&](int8_t x) {
      return std::min(std::max(int{x}, q.zero_point), std::min(six, 127));
    });
  }
}

void CheckSoftmax(const std::vector<int8_t>& values, int depth, float scale, float beta) {
  const int rows = static_cast<int>(values.size()) / depth;
  const ByteVector in(values.begin(), values.end());
  const lower::Program program = LowerOrDie(
      OneOperator(ir::OpKind::kSoftmax, {Quantized({rows, depth}, {scale, 5})},
                  Quantized({rows, depth}, {1.0F / 256, -128}), ir::SoftmaxAttrs{.beta = beta}));
  ASSERT_FALSE(program.calls.empty());
  const ByteVector out = RunProgram(program, {in})[0];
  for (int r = 0; r < rows; ++r) {
    const std::vector<int8_t> row(values.begin() + r * depth, values.begin() + (r + 1) * depth);
    const std::vector<int8_t> expected = ReferenceSoftmax(row, scale, beta);
    for (int i = 0; i < depth; ++i) {
      ASSERT_EQ(int{static_cast<int8_t>(out[static_cast<size_t>(r * depth + i)])},
                int{expected[static_cast<size_t>(i)]})
          << "scale " << scale << ", depth " << depth << ", row " << r << ", element " << i;
    }
  }
  EXPECT_EQ(RunInPlace(program, in), out);
}

TEST(ActivationInt8, SoftmaxEqualsGemmlowp) {
  Random random(4);
  for (int i = 0; i < 400; ++i) {
    const int depth = i % 4 == 0 ? RandomInt(random, 1, 400) : RandomInt(random, 1, 20);
    const ByteVector bytes = RandomBytes(random, int64_t{depth} * RandomInt(random, 1, 4));
    CheckSoftmax(std::vector<int8_t>(bytes.begin(), bytes.end()), depth, RandomAffine(random).scale,
                 i % 3 == 0 ? 0.5F : 1.0F);
  }
}

// Two values at every distance: each entry of the table of exponentials, and each cut-off.
TEST(ActivationInt8, SoftmaxOfEveryDifference) {
  std::vector<int8_t> pairs;
  for (int difference = 0; difference < 256; ++difference) {
    pairs.push_back(127);
    pairs.push_back(static_cast<int8_t>(127 - difference));
  }
  for (const float scale : {1e-7F, 0.004F, 0.0625F, 0.1F, 0.17F, 0.7F, 1.0F, 9.3F, 40.0F}) {
    CheckSoftmax(pairs, 2, scale, 1.0F);
  }
}

// The sum of exponentials passes 512: every output is at most half a step, and the reference gives
// up.
TEST(ActivationInt8, SoftmaxOfManyEqualValuesIsAllZero) {
  for (const int depth : {1025, 8191}) {
    const auto graph = OneOperator(ir::OpKind::kSoftmax, {Quantized({depth}, {0.1F, 0})},
                                   Quantized({depth}, {1.0F / 256, -128}), ir::SoftmaxAttrs{});
    const auto count = static_cast<size_t>(depth);
    EXPECT_EQ(LowerAndRun(graph, {ByteVector(count, 7)}), ByteVector(count, 0x80));
  }
}

TEST(ActivationInt8, RefusesWhatItCannotDo) {
  const auto why = [](ir::OpKind kind, Affine in, Affine out) {
    const ir::Attributes attributes =
        kind == ir::OpKind::kSoftmax ? ir::Attributes(ir::SoftmaxAttrs{}) : ir::NoAttrs{};
    return WhyNot(OneOperator(kind, {Quantized({4}, in)}, Quantized({4}, out), attributes));
  };
  EXPECT_EQ(why(ir::OpKind::kLogistic, {0.1F, 0}, {1.0F / 256, 0}),
            "the output of an int8 logistic needs scale 1/256, zero point -128");
  EXPECT_EQ(why(ir::OpKind::kTanh, {0.1F, 0}, {1.0F / 127, 0}),
            "the output of an int8 tanh needs scale 1/128, zero point 0");
  EXPECT_EQ(why(ir::OpKind::kTanh, {1e-9F, 0}, {1.0F / 128, 0}),
            "the input's scale must be from 2^-28 to below 16");
  EXPECT_EQ(why(ir::OpKind::kSoftmax, {0.1F, 0}, {1.0F / 128, -128}),
            "the output of an int8 softmax needs scale 1/256, zero point -128");
  EXPECT_EQ(why(ir::OpKind::kSoftmax, {1e-9F, 0}, {1.0F / 256, -128}),
            "beta times the input's scale is below 2^-26");
  EXPECT_EQ(why(ir::OpKind::kRelu6, {0.1F, 0}, {0.2F, 0}),
            "RELU6 cannot change the scale or zero point: input and output differ");
  EXPECT_EQ(why(ir::OpKind::kRelu, {0.1F, 0}, {1e-9F, 0}), "the output's scale is too small");
}

}  // namespace
}  // namespace usmp::testing
