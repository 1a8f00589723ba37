#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "int8_operators/operands.h"
#include "support/one_operator.h"

namespace usmp::testing {
namespace {

using Reference = int8_t (*)(int8_t, Affine, int8_t, Affine, Affine, int, int);

Reference ReferenceOf(ir::OpKind kind) {
  if (kind == ir::OpKind::kAdd) return ReferenceAdd;
  return kind == ir::OpKind::kSub ? ReferenceSub : ReferenceMul;
}

// Every pair of values: a is the high byte of the index, b the low one.
struct AllPairs {
  ByteVector a = ByteVector(65536), b = ByteVector(65536);
  AllPairs() {
    for (size_t i = 0; i < 65536; ++i) {
      a[i] = static_cast<uint8_t>(i >> 8);
      b[i] = static_cast<uint8_t>(i);
    }
  }
};

// Returns the kernel used.
std::string CheckAllPairs(ir::OpKind kind, Affine qa, Affine qb, Affine out) {
  static const AllPairs pairs;
  const lower::Program program =
      LowerOrDie(OneOperator(kind, {Quantized({65536}, qa), Quantized({65536}, qb)},
                             Quantized({65536}, out), ir::BinaryAttrs{}));
  if (program.calls.empty()) return "";
  const ByteVector result = RunProgram(program, {pairs.a, pairs.b})[0];
  for (size_t i = 0; i < 65536; ++i) {
    const auto a = static_cast<int8_t>(pairs.a[i]);
    const auto b = static_cast<int8_t>(pairs.b[i]);
    const int8_t expected = ReferenceOf(kind)(a, qa, b, qb, out, -128, 127);
    if (static_cast<int8_t>(result[i]) != expected) {
      ADD_FAILURE() << int{a} << ", " << int{b} << ": " << int{static_cast<int8_t>(result[i])}
                    << " instead of " << int{expected} << "; scales " << qa.scale << ", "
                    << qb.scale << " -> " << out.scale << " by " << program.calls[0].kernel;
      break;
    }
  }
  return program.calls[0].kernel;
}

// Scales as trained models have them: the output's near the inputs'.
Affine NearScale(Random& random, float scale) {
  Affine affine = RandomAffine(random);
  affine.scale = scale * std::uniform_real_distribution<float>(0.25F, 2.0F)(random);
  return affine;
}

TEST(ElementwiseInt8, AddAndSubEqualTheReferenceForEveryPair) {
  Random random(1);
  std::map<std::string, int> kernels;
  for (int i = 0; i < 20; ++i) {
    const Affine out = RandomAffine(random);
    const Affine qa = NearScale(random, out.scale);
    const Affine qb = NearScale(random, out.scale);
    ++kernels[CheckAllPairs(ir::OpKind::kAdd, qa, qb, out)];
    ++kernels[CheckAllPairs(ir::OpKind::kSub, qa, qb, out)];
  }
  EXPECT_GT(kernels["weighted_sum_s8"], 35);
}

TEST(ElementwiseInt8, AddAndSubWithUnlikeScales) {
  Random random(2);
  for (int i = 0; i < 10; ++i) {
    const Affine qa = RandomAffine(random);
    const Affine qb = RandomAffine(random);
    const Affine out = RandomAffine(random);
    CheckAllPairs(ir::OpKind::kAdd, qa, qb, out);
    CheckAllPairs(ir::OpKind::kSub, qa, qb, out);
  }
}

// Found by search among 3000 random ones: no linear formula near the real ratios is exact.
TEST(ElementwiseInt8, AddAndSubWithoutALinearFormula) {
  struct Case {
    ir::OpKind kind;
    Affine a, b, out;
  };
  const Case cases[] = {
      {ir::OpKind::kAdd, {0.0349971689F, 34}, {0.00559939723F, -32}, {0.00458709989F, -57}},
      {ir::OpKind::kSub, {0.0349971689F, 34}, {0.00559939723F, -32}, {0.00458709989F, -57}},
      {ir::OpKind::kSub, {0.00449074944F, -128}, {0.00341857085F, -128}, {0.0119716162F, -100}},
      {ir::OpKind::kAdd, {1.63353491F, 5}, {0.0279546063F, -128}, {0.00554837752F, 127}},
  };
  for (const Case& c : cases) EXPECT_EQ(CheckAllPairs(c.kind, c.a, c.b, c.out), "add_s8");
}

// Halves of the output's step: the sums that are ties.
TEST(ElementwiseInt8, AddAndSubOfPowersOfTwo) {
  for (const float a_scale : {0.125F, 0.25F, 0.5F}) {
    for (const float b_scale : {0.0625F, 0.25F}) {
      for (const int32_t zero_point : {-128, 127}) {
        CheckAllPairs(ir::OpKind::kAdd, {a_scale, 3}, {b_scale, zero_point}, {0.5F, -4});
        CheckAllPairs(ir::OpKind::kSub, {a_scale, zero_point}, {b_scale, 0}, {0.5F, zero_point});
      }
    }
  }
}

TEST(ElementwiseInt8, MulEqualsTheReferenceForEveryPair) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    Affine out = RandomAffine(random);
    const Affine qa = RandomAffine(random);
    const Affine qb = RandomAffine(random);
    if (i % 2 == 0) out.scale = qa.scale * qb.scale * 64;
    CheckAllPairs(ir::OpKind::kMul, qa, qb, out);
  }
}

int64_t Count(const std::vector<int32_t>& shape) {
  int64_t count = 1;
  for (int32_t dimension : shape) count *= dimension;
  return count;
}

// The element of a tensor of `shape` that broadcasting puts at element `index` of a tensor of shape
// `out`.
size_t BroadcastIndex(const std::vector<int32_t>& shape, const std::vector<int32_t>& out,
                      int64_t index) {
  int64_t result = 0;
  int64_t stride = 1;
  for (size_t back = 1; back <= out.size(); ++back) {
    const int32_t extent = out[out.size() - back];
    const int32_t own = back <= shape.size() ? shape[shape.size() - back] : 1;
    if (own != 1) result += index % extent * stride;
    stride *= own;
    index /= extent;
  }
  return static_cast<size_t>(result);
}

// Ones at random, and leading ones left out at random.
std::vector<int32_t> RandomOperandShape(Random& random, const std::vector<int32_t>& out) {
  std::vector<int32_t> shape = out;
  for (int32_t& dimension : shape) {
    if (RandomInt(random, 0, 2) == 0) dimension = 1;
  }
  while (!shape.empty() && shape.front() == 1 && RandomInt(random, 0, 1) == 0) {
    shape.erase(shape.begin());
  }
  return shape;
}

std::vector<int32_t> Broadcasted(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  std::vector<int32_t> out(std::max(a.size(), b.size()), 1);
  for (const auto* shape : {&a, &b}) {
    for (size_t back = 1; back <= shape->size(); ++back) {
      int32_t& extent = out[out.size() - back];
      extent = std::max(extent, (*shape)[shape->size() - back]);
    }
  }
  return out;
}

TEST(ElementwiseInt8, BroadcastsAsNumpyDoes) {
  Random random(4);
  constexpr ir::OpKind kKinds[] = {ir::OpKind::kAdd, ir::OpKind::kSub, ir::OpKind::kMul};
  for (int i = 0; i < 200; ++i) {
    std::vector<int32_t> full(static_cast<size_t>(RandomInt(random, 0, 5)));
    for (int32_t& dimension : full) dimension = RandomInt(random, 1, 5);
    const std::vector<int32_t> a_shape = RandomOperandShape(random, full);
    const std::vector<int32_t> b_shape = RandomOperandShape(random, full);
    const std::vector<int32_t> out_shape = Broadcasted(a_shape, b_shape);
    const Affine qa = RandomAffine(random);
    const Affine qb = RandomAffine(random);
    const Affine out = RandomAffine(random);
    const ByteVector a = RandomBytes(random, Count(a_shape));
    const ByteVector b = RandomBytes(random, Count(b_shape));
    const ir::OpKind kind = kKinds[i % 3];
    const bool b_is_constant = RandomInt(random, 0, 1) == 1;
    ir::Tensor b_tensor = Quantized(b_shape, qb);
    if (b_is_constant) b_tensor = WithData(b_tensor, b);
    const auto graph =
        OneOperator(kind, {Quantized(a_shape, qa), b_tensor}, Quantized(out_shape, out),
                    ir::BinaryAttrs{.activation = ir::Activation::kRelu});
    std::vector<ByteVector> inputs = {a};
    if (!b_is_constant) inputs.push_back(b);
    const ByteVector result = LowerAndRun(graph, inputs);
    ASSERT_EQ(static_cast<int64_t>(result.size()), Count(out_shape));
    for (int64_t k = 0; k < Count(out_shape); ++k) {
      const auto x = static_cast<int8_t>(a[BroadcastIndex(a_shape, out_shape, k)]);
      const auto y = static_cast<int8_t>(b[BroadcastIndex(b_shape, out_shape, k)]);
      ASSERT_EQ(static_cast<int8_t>(result[static_cast<size_t>(k)]),
                ReferenceOf(kind)(x, qa, y, qb, out, out.zero_point, 127))
          << "case " << i << ", element " << k;
    }
  }
}

TEST(ElementwiseInt8, ActivationsClamp) {
  const Affine q{0.05F, -3};
  const AllPairs pairs;
  struct Case {
    ir::Activation activation;
    int min, max;  // by hand: -3 + round(real / 0.05)
  };
  for (const Case& c :
       {Case{ir::Activation::kNone, -128, 127}, Case{ir::Activation::kRelu, -3, 127},
        Case{ir::Activation::kRelu6, -3, 117}, Case{ir::Activation::kReluN1To1, -23, 17}}) {
    const auto graph = OneOperator(ir::OpKind::kAdd, {Quantized({65536}, q), Quantized({65536}, q)},
                                   Quantized({65536}, q), ir::BinaryAttrs{c.activation});
    const ByteVector result = LowerAndRun(graph, {pairs.a, pairs.b});
    int min = 127;
    int max = -128;
    for (uint8_t byte : result) {
      min = std::min<int>(min, static_cast<int8_t>(byte));
      max = std::max<int>(max, static_cast<int8_t>(byte));
    }
    EXPECT_EQ(min, c.min);
    EXPECT_EQ(max, c.max);
  }
}

TEST(ElementwiseInt8, RefusesWhatItCannotDo) {
  const Affine q{0.5F, 0};
  const auto why = [](ir::Tensor a, ir::Tensor b, ir::Tensor out,
                      ir::OpKind kind = ir::OpKind::kAdd) {
    return WhyNot(
        OneOperator(kind, {std::move(a), std::move(b)}, std::move(out), ir::BinaryAttrs{}));
  };
  EXPECT_EQ(why(Quantized({2}, q), Quantized({3}, q), Quantized({3}, q)),
            "the shapes do not broadcast to the output's");
  EXPECT_EQ(why(Quantized({1}, q), Quantized({1}, q), Quantized({3}, q)),
            "the shapes do not broadcast to the output's");
  EXPECT_EQ(why(Quantized({2}, q), Quantized({2}, {0.0F, 0}), Quantized({2}, q)),
            "input 1 needs one scale > 0 and one zero point in [-128, 127]");
  EXPECT_EQ(why(Quantized({2}, q), Quantized({2}, {0.5F, 128}), Quantized({2}, q)),
            "input 1 needs one scale > 0 and one zero point in [-128, 127]");
  EXPECT_EQ(why(Quantized({2}, q), Float({2}), Quantized({2}, q)),
            "no kernel for inputs of type int8, float32 and output int8");
  EXPECT_EQ(why(Quantized({2}, q), Quantized({2}, q), Quantized({2}, {1e-9F, 0})),
            "the output's scale is over 2^19 times smaller than an input's");
  // Where float arithmetic, which SUB has, overflows: in the ratio, and in twice the scale.
  for (ir::OpKind kind : {ir::OpKind::kAdd, ir::OpKind::kSub}) {
    EXPECT_EQ(why(Quantized({2}, q), Quantized({2}, {1e38F, 0}), Quantized({2}, {1e-45F, 0}), kind),
              "the output's scale is over 2^19 times smaller than an input's");
  }
  EXPECT_EQ(why(Quantized({2}, q), Quantized({2}, {2e38F, 0}), Quantized({2}, {2e38F, 0}),
                ir::OpKind::kSub),
            "an input's scale is 2^127 or more");
}

}  // namespace
}  // namespace usmp::testing
