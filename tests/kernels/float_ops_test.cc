// The float32 operators that have no window, lowered and run, against the same computed plainly in
// double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/float_call.h"
#include "kernels/float_reference.h"
#include "kernels/random_convolution.h"

namespace usmp::kernels_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
// exp() of the C library is off by at most one unit in the last place, two roundoffs.
constexpr double kExpError = 2 * kUnitRoundoff;

size_t Count(const std::vector<int32_t>& shape) {
  size_t count = 1;
  for (int32_t dimension : shape) count *= static_cast<size_t>(dimension);
  return count;
}

FloatTensor Tensor(Random& random, std::vector<int32_t> shape) {
  std::vector<float> values(Count(shape));
  for (float& value : values) value = static_cast<float>(random.In(-5000, 5000)) / 1024.0F;
  return {std::move(shape), std::move(values)};
}

std::vector<int32_t> RandomShape(Random& random, int max_rank, int max_extent) {
  std::vector<int32_t> shape(static_cast<size_t>(random.In(0, max_rank)));
  for (int32_t& dimension : shape) dimension = random.In(1, max_extent);
  return shape;
}

// The index in each dimension of element `flat`.
std::vector<int32_t> Unflatten(size_t flat, const std::vector<int32_t>& shape) {
  std::vector<int32_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = static_cast<int32_t>(flat % static_cast<size_t>(shape[d]));
    flat /= static_cast<size_t>(shape[d]);
  }
  return index;
}

// The element that numpy's broadcasting pairs with `index` of a larger shape.
float Broadcast(const FloatTensor& tensor, const std::vector<int32_t>& index) {
  size_t flat = 0;
  const size_t skip = index.size() - tensor.shape.size();
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    flat = flat * tensor.shape[d] + (tensor.shape[d] == 1 ? 0 : index[skip + d]);
  }
  return tensor.values[flat];
}

double Apply(ir::OpKind kind, double a, double b) {
  if (kind == ir::OpKind::kMul) return a * b;
  return kind == ir::OpKind::kAdd ? a + b : a - b;
}

// The shape with some dimensions broadcast: made 1, or left out in front.
std::vector<int32_t> Shrink(Random& random, std::vector<int32_t> shape) {
  for (int32_t& dimension : shape) {
    if (random.In(0, 2) == 0) dimension = 1;
  }
  while (!shape.empty() && shape[0] == 1 && random.In(0, 1) == 0) shape.erase(shape.begin());
  return shape;
}

TEST(BinaryF32, RandomBroadcasts) {
  for (uint32_t seed = 0; seed < 1500 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const std::vector<int32_t> shape = RandomShape(random, 5, 6);
    FloatTensor a = Tensor(random, random.In(0, 1) == 0 ? shape : Shrink(random, shape));
    FloatTensor b = Tensor(random, Count(a.shape) == Count(shape) ? Shrink(random, shape) : shape);
    if (Count(a.shape) == Count(shape)) a.shape = shape;
    const auto kind = static_cast<ir::OpKind>(static_cast<int>(ir::OpKind::kAdd) + random.In(0, 2));
    const auto activation = static_cast<ir::Activation>(random.In(0, 3));
    const FloatOp op{kind, ir::BinaryAttrs{activation}, {a, b}, shape};
    std::vector<Bounded> expected;
    for (size_t i = 0; i < Count(shape); ++i) {
      const std::vector<int32_t> index = Unflatten(i, shape);
      const double exact = Apply(kind, Broadcast(a, index), Broadcast(b, index));
      const double low = activation == ir::Activation::kNone        ? -DBL_MAX
                         : activation == ir::Activation::kReluN1To1 ? -1
                                                                    : 0;
      const double high = activation == ir::Activation::kRelu6       ? 6
                          : activation == ir::Activation::kReluN1To1 ? 1
                                                                     : DBL_MAX;
      expected.push_back({std::clamp(exact, low, high), std::abs(exact) * kUnitRoundoff});
    }
    SCOPED_TRACE(seed);
    EXPECT_EQ(Compare(RunOp(op), expected), "");
  }
}

TEST(BinaryF32, BothOperandsBroadcast) {
  const FloatTensor column{{3, 1}, {10, 20, 30}};
  const FloatTensor row{{2}, {1, 2}};
  const auto run = [](ir::OpKind kind, const FloatTensor& a, const FloatTensor& b) {
    return RunOp({kind, ir::BinaryAttrs{}, {a, b}, {3, 2}});
  };
  EXPECT_EQ(run(ir::OpKind::kSub, column, row), (std::vector<float>{9, 8, 19, 18, 29, 28}));
  EXPECT_EQ(run(ir::OpKind::kSub, row, column), (std::vector<float>{-9, -8, -19, -18, -29, -28}));
  EXPECT_EQ(run(ir::OpKind::kMul, row, column), (std::vector<float>{10, 20, 20, 40, 30, 60}));
}

// As in the reference, an operator without activation clamps to the finite floats and lets NaN
// through.
TEST(BinaryF32, ClampsInfinityAndKeepsNan) {
  const FloatTensor a{{5}, {kInfinity, -kInfinity, kNan, FLT_MAX, 1}};
  const FloatTensor b{{5}, {1, 1, 1, FLT_MAX, kNan}};
  const std::vector<float> sum = RunOp({ir::OpKind::kAdd, ir::BinaryAttrs{}, {a, b}, {5}});
  ASSERT_EQ(sum.size(), 5U);
  EXPECT_EQ(sum[0], FLT_MAX);
  EXPECT_EQ(sum[1], -FLT_MAX);
  EXPECT_TRUE(std::isnan(sum[2]));
  EXPECT_EQ(sum[3], FLT_MAX);
  EXPECT_TRUE(std::isnan(sum[4]));
}

// Every subset of the axes of random shapes.
TEST(MeanF32, RandomShapesAndAxes) {
  for (uint32_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    std::vector<int32_t> shape = RandomShape(random, 5, 7);
    if (shape.empty()) shape = {5};
    const FloatTensor input = Tensor(random, shape);
    ir::ReduceAttrs attributes{.keep_dims = random.In(0, 1) == 1};
    std::vector<int32_t> kept = shape, out_shape;
    for (size_t d = 0; d < shape.size(); ++d) {
      const bool reduced = random.In(0, 1) == 1;
      if (reduced) attributes.axes.push_back(static_cast<int32_t>(d));
      if (reduced) kept[d] = 1;
      if (!reduced || attributes.keep_dims) out_shape.push_back(kept[d]);
    }
    std::vector<Bounded> expected(Count(kept));
    const double divisor = static_cast<double>(Count(shape)) / static_cast<double>(Count(kept));
    for (size_t i = 0; i < input.values.size(); ++i) {
      const std::vector<int32_t> index = Unflatten(i, shape);
      size_t to = 0;
      for (size_t d = 0; d < shape.size(); ++d) to = to * kept[d] + (kept[d] == 1 ? 0 : index[d]);
      expected[to].value += input.values[i] / divisor;
      expected[to].error += std::abs(input.values[i]) / divisor * (divisor + 2) * kUnitRoundoff;
    }
    SCOPED_TRACE(seed);
    const FloatOp op{ir::OpKind::kMean, attributes, {input}, out_shape};
    EXPECT_EQ(Compare(RunOp(op), expected), "");
  }
}

TEST(PadF32, RandomPaddingForwardAndInReverse) {
  for (uint32_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const FloatTensor input = Tensor(random, RandomShape(random, 4, 5));
    ir::PadAttrs attributes;
    if (random.In(0, 1) == 1) attributes.value = 0.1;
    std::vector<int32_t> out_shape;
    for (int32_t dimension : input.shape) {
      attributes.before.push_back(random.Of({0, 0, 1, 3}));
      attributes.after.push_back(random.Of({0, 0, 1, 2}));
      out_shape.push_back(attributes.before.back() + dimension + attributes.after.back());
    }
    std::vector<float> expected(Count(out_shape),
                                static_cast<float>(attributes.value.value_or(0.0)));
    for (size_t i = 0; i < input.values.size(); ++i) {
      const std::vector<int32_t> index = Unflatten(i, input.shape);
      size_t to = 0;
      for (size_t d = 0; d < index.size(); ++d) {
        to = to * out_shape[d] + index[d] + attributes.before[d];
      }
      expected[to] = input.values[i];
    }
    SCOPED_TRACE(seed);
    FloatCall call({ir::OpKind::kPad, attributes, {input}, out_shape});
    EXPECT_EQ(call.Run(), expected);
    EXPECT_EQ(call.Run(/*reverse=*/true), expected);
  }
}

// Each exponential is off by the relative error of its argument, itself a rounded difference times
// beta, and of exp(); then come a sum and a division.
TEST(SoftmaxF32, RandomRows) {
  for (uint32_t seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const int rows = random.In(1, 3);
    const int depth = random.In(1, 50);
    const float beta = static_cast<float>(random.Of({1, 2, 16})) / 4;
    const FloatTensor input = Tensor(random, {rows, depth});
    std::vector<Bounded> expected;
    for (int row = 0; row < rows; ++row) {
      const float* x = &input.values[static_cast<size_t>(row) * depth];
      const double largest = *std::max_element(x, x + depth);
      double sum = 0, widest = 0;
      for (int i = 0; i < depth; ++i) {
        sum += std::exp((x[i] - largest) * beta);
        widest = std::max(widest, (largest - x[i]) * beta);
      }
      const double relative =
          2 * (2 * widest * kUnitRoundoff + kExpError) + (depth + 2) * kUnitRoundoff;
      for (int i = 0; i < depth; ++i) {
        const double value = std::exp((x[i] - largest) * beta) / sum;
        expected.push_back({value, value * relative + FLT_MIN});
      }
    }
    SCOPED_TRACE(seed);
    EXPECT_EQ(Compare(RunOp({ir::OpKind::kSoftmax, ir::SoftmaxAttrs{beta}, {input}, {rows, depth}}),
                      expected),
              "");
  }
}

// Arguments from -104 (where exp underflows) to 104, the cutoffs of the reference among them.
FloatTensor Sweep() {
  FloatTensor sweep{{2084}, {}};
  for (int i = -1040; i <= 1040; ++i) sweep.values.push_back(static_cast<float>(i) / 10.0F);
  for (float x : {16.619047F, std::nextafter(16.619047F, 20.0F), -9.0F}) sweep.values.push_back(x);
  return sweep;
}

TEST(LogisticF32, Sweep) {
  const FloatTensor input = Sweep();
  std::vector<Bounded> expected;
  for (float x : input.values) {
    const double value = 1 / (1 + std::exp(-static_cast<double>(x)));
    // Beyond the cutoffs the reference leaves out a term of at most exp(-9) and exp(-16.6)
    // relatively.
    const double cut = x < -9 ? std::exp(-9.0) : x > 16.6F ? std::exp(-16.6) : 0;
    expected.push_back({value, value * (cut + kExpError + 3 * kUnitRoundoff) + FLT_MIN});
  }
  EXPECT_EQ(Compare(RunOp({ir::OpKind::kLogistic, ir::NoAttrs{}, {input}, input.shape}), expected),
            "");
}

// The reference's exact values where it takes its shortcuts.
TEST(LogisticF32, CutoffsOfTheReference) {
  const FloatTensor input{{4}, {16.619049F, 100.0F, -9.5F, kNan}};
  const std::vector<float> out = RunOp({ir::OpKind::kLogistic, ir::NoAttrs{}, {input}, {4}});
  ASSERT_EQ(out.size(), 4U);
  EXPECT_EQ(out[0], 1.0F);
  EXPECT_EQ(out[1], 1.0F);
  EXPECT_EQ(out[2], std::exp(-9.5F));
  EXPECT_TRUE(std::isnan(out[3]));
}

TEST(TanhF32, Sweep) {
  const FloatTensor input = Sweep();
  std::vector<Bounded> expected;
  for (float x : input.values) {
    const double value = std::tanh(static_cast<double>(x));
    expected.push_back({value, 2 * std::abs(value) * kExpError});  // two units in the last place
  }
  EXPECT_EQ(Compare(RunOp({ir::OpKind::kTanh, ir::NoAttrs{}, {input}, input.shape}), expected), "");
}

TEST(ReluF32, EveryLengthAndTheSpecialValues) {
  for (int count = 1; count <= 9; ++count) {
    FloatTensor input{{count}, {-1, 7, 0.5F, -kInfinity, kInfinity, -0.25F, 6, 3, -8}};
    input.values.resize(static_cast<size_t>(count));
    std::vector<float> relu{0, 7, 0.5F, 0, kInfinity, 0, 6, 3, 0};
    std::vector<float> relu6{0, 6, 0.5F, 0, 6, 0, 6, 3, 0};
    relu.resize(input.values.size());
    relu6.resize(input.values.size());
    EXPECT_EQ(RunOp({ir::OpKind::kRelu, ir::NoAttrs{}, {input}, input.shape}), relu);
    EXPECT_EQ(RunOp({ir::OpKind::kRelu6, ir::NoAttrs{}, {input}, input.shape}), relu6);
  }
  for (ir::OpKind kind : {ir::OpKind::kRelu, ir::OpKind::kRelu6}) {
    const std::vector<float> out =
        RunOp({kind, ir::NoAttrs{}, {{{5}, std::vector<float>(5, kNan)}}, {5}});
    for (float value : out) EXPECT_TRUE(std::isnan(value));
  }
}

}  // namespace
}  // namespace usmp::kernels_test
