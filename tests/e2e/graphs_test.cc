// Networks of several operators: what a plan can get wrong. Each is built three times: as users get
// it, with every dead buffer overwritten (a lifetime that is too short becomes a wrong result), and
// with every tensor kept.
#include <gtest/gtest.h>

#include "e2e/compare.h"
#include "e2e/net.h"

namespace usmp::testing {
namespace {

using oracle::Model;
using oracle::Type;

class Graphs : public ::testing::TestWithParam<Type> {
 protected:
  static void Expect(const std::vector<Model>& models) {
    ExpectOracleOutputs(models, {.all_builds = true});
  }
};

INSTANTIATE_TEST_SUITE_P(All, Graphs, ::testing::Values(Type::kInt8, Type::kFloat32),
                         [](const auto& row) {
                           return row.param == Type::kInt8 ? "int8" : "float32";
                         });

Model Residual(Type type) {
  Net net(type);
  const int32_t x = net.Input({1, 8, 8, 3});
  const int32_t stem = net.Conv(x, 8, 3);
  const int32_t a = net.Conv(net.Conv(stem, 8, 3), 8, 1);
  const int32_t sum = net.Add(stem, a);
  const int32_t down = net.Add(net.Conv(net.Conv(sum, 12, 3, 2), 12, 3), net.Conv(sum, 12, 1, 2));
  const int32_t pooled = net.Pool("AVERAGE_POOL_2D", down, 4, 4);
  return net.Finish({net.Unary("SOFTMAX", net.Dense(net.Reshape(pooled, {1, 12}), 5))});
}

Model Branches(Type type) {
  Net net(type, 2);
  const int32_t x = net.Input({2, 6, 6, 4});
  const int32_t a = net.Conv(x, 3, 1);
  const int32_t b = net.Depthwise(net.Conv(x, 5, 1), 3);
  const int32_t c = net.Conv(net.Pad(x, 1), 2, 3);
  const int32_t cropped = net.Pool("MAX_POOL_2D", c, 3, 1);
  const int32_t joined = net.Concat({a, b, cropped, x}, 3);
  const int32_t gate = net.Unary("LOGISTIC", joined);
  return net.Finish({net.Binary("MUL", joined, gate), net.Unary("TANH", joined)});
}

// A mobile network's start: alternating depthwise and pointwise convolutions, the largest tensor
// not first.
Model Separable(Type type) {
  Net net(type, 3);
  int32_t x = net.Conv(net.Input({1, 12, 10, 1}), 4, 3, 2);
  for (int32_t channels : {8, 16, 16, 6}) x = net.Conv(net.Depthwise(x, 3), channels, 1);
  return net.Finish({x});
}

TEST_P(Graphs, BranchesAndResiduals) {
  Expect({Residual(GetParam()), Branches(GetParam()), Separable(GetParam())});
}

// Two long-lived tensors cross each other: lifetimes that are no stack.
TEST_P(Graphs, CrossingLifetimes) {
  Net net(GetParam(), 4);
  const int32_t x = net.Input({1, 4, 4, 4});
  const int32_t a = net.Conv(x, 4, 3), b = net.Conv(a, 4, 1), c = net.Conv(b, 4, 1);
  const int32_t d = net.Add(a, c), e = net.Add(b, d), f = net.Add(c, e);
  Expect({net.Finish({net.Add(d, f)})});
}

TEST_P(Graphs, ReshapesBetweenInputAndOutput) {
  const Type type = GetParam();
  std::vector<Model> models;
  {
    Net net(type);  // nothing but a view
    models.push_back(net.Finish({net.Reshape(net.Input({2, 6}), {3, 4})}));
  }
  {
    Net net(type);  // a chain of views
    const int32_t flat = net.Reshape(net.Input({1, 3, 1, 4}), {12});
    models.push_back(net.Finish({net.ExpandDims(net.Reshape(flat, {3, 4}), 1)}));
  }
  {
    Net net(type);  // the input is also read under its own shape
    const int32_t x = net.Input({2, 6});
    models.push_back(net.Finish({net.Reshape(x, {3, 4}), net.Add(x, x)}));
  }
  {
    Net net(type);  // the view is read as well as put out
    const int32_t view = net.Reshape(net.Input({2, 6}), {3, 4});
    models.push_back(net.Finish({view, net.Unary("RELU", view)}));
  }
  {
    Net net(type);  // a computed tensor and its view are both outputs
    const int32_t x = net.Unary("RELU", net.Input({2, 6}));
    models.push_back(net.Finish({x, net.Reshape(x, {12}), net.Reshape(x, {3, 4})}));
  }
  {
    Net net(type);  // a view in the middle outlives its source's other readers
    const int32_t x = net.Conv(net.Input({1, 4, 4, 2}), 3, 3);
    const int32_t view = net.Squeeze(x);
    const int32_t other = net.Conv(net.Conv(x, 3, 1), 3, 1);
    models.push_back(net.Finish({net.Add(net.Squeeze(other), view)}));
  }
  {
    Net net(type);  // the same input, twice out under other shapes
    const int32_t x = net.Input({2, 6});
    models.push_back(net.Finish({net.Reshape(x, {12}), net.Reshape(x, {1, 12})}));
  }
  Expect(models);
}

TEST_P(Graphs, OutputsThatAreMoreThanOutputs) {
  const Type type = GetParam();
  std::vector<Model> models;
  {
    Net net(type);  // an output is read by later operators
    const int32_t a = net.Unary("RELU", net.Input({3, 5}));
    const int32_t b = net.Unary("RELU6", a);
    models.push_back(net.Finish({a, net.Add(a, b), b}));
  }
  {
    Net net(type);  // listed twice
    const int32_t a = net.Unary("RELU", net.Input({3, 5}));
    models.push_back(net.Finish({a, a}));
  }
  {
    Net net(type);  // the input goes straight through
    const int32_t x = net.Input({3, 5});
    models.push_back(net.Finish({x}));
  }
  {
    Net net(type);  // straight through, twice, and used
    const int32_t x = net.Input({3, 5});
    models.push_back(net.Finish({x, net.Unary("RELU", x), x}));
  }
  {
    Net net(type);  // a constant is an output, alone and next to another
    const int32_t x = net.Input({3, 5});
    const int32_t c = net.Constant({3, 5});
    models.push_back(net.Finish({net.Add(x, c), c}));
  }
  {
    Net net(type);  // a view of a constant
    const int32_t x = net.Input({3, 5});
    models.push_back(net.Finish({net.Reshape(net.Constant({3, 5}), {15}), net.Unary("RELU", x)}));
  }
  Expect(models);
}

TEST_P(Graphs, InputsOfAllKinds) {
  const Type type = GetParam();
  std::vector<Model> models;
  {
    Net net(type);  // an unused input
    net.Input({7}, "unused");
    models.push_back(net.Finish({net.Unary("RELU", net.Input({3, 5}))}));
  }
  {
    Net net(type);  // an operator that reads one tensor twice
    const int32_t x = net.Input({3, 5});
    models.push_back(net.Finish({net.Binary("MUL", net.Add(x, x), x)}));
  }
  {
    Net net(type);  // a result that nobody reads
    const int32_t x = net.Input({3, 5});
    net.Unary("RELU6", x);
    models.push_back(net.Finish({net.Unary("RELU", x)}));
  }
  {
    Net net(type);  // no input at all
    models.push_back(net.Finish({net.Add(net.Constant({4}), net.Constant({4}))}));
  }
  {
    Net net(type);  // three inputs, of three sizes, read in another order
    const int32_t a = net.Input({1, 2, 2, 3}), b = net.Input({3}), c = net.Input({1, 2, 1, 1});
    models.push_back(net.Finish({net.Add(net.Binary("SUB", c, a), b)}));
  }
  {
    Net net(type);  // concatenating a tensor with itself and with a constant
    const int32_t x = net.Input({2, 3});
    models.push_back(net.Finish({net.Concat({x, net.Constant({2, 3}), x}, 0)}));
  }
  Expect(models);
}

TEST_P(Graphs, Random) {
  std::vector<Model> models;
  for (uint32_t seed = 1; seed <= 24; ++seed) models.push_back(RandomNet(GetParam(), seed));
  Expect(models);
}

}  // namespace
}  // namespace usmp::testing
