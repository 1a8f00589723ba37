// Every operator that has no window, int8 and float32.
#include <gtest/gtest.h>

#include <numeric>

#include "e2e/compare.h"
#include "e2e/models.h"

namespace usmp::testing {
namespace {

using oracle::Activation;
using oracle::Model;
using oracle::Tensor;
using oracle::Type;

constexpr Activation kActivations[] = {Activation::kNone, Activation::kRelu, Activation::kRelu6,
                                       Activation::kReluN1To1};
constexpr int32_t kZeroPoints[] = {3, -128, 127, 0};

TEST(FullyConnected, MatchesTheOracle) {
  std::vector<Model> models;
  Random random(1);
  for (Type type : {Type::kInt8, Type::kFloat32}) {
    for (int32_t depth : {1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 100}) {
      for (int32_t outputs : {1, 2, 3, 5, 16}) {
        const size_t n = models.size();
        models.push_back(DenseModel({.type = type,
                                     .batch = n % 3 == 2 ? 2 : 1,
                                     .depth = depth,
                                     .outputs = outputs,
                                     .bias = n % 5 != 4,
                                     .per_channel = n % 2 == 1,
                                     .activation = kActivations[n % 4],
                                     .in_zero_point = kZeroPoints[n % 4],
                                     .out_zero_point = kZeroPoints[n / 4 % 4]},
                                    random));
      }
    }
  }
  ExpectOracleOutputs(models);
}

struct Shapes {
  std::vector<int32_t> a, b;
};
// The same shape, each kind of broadcast on each side and on both, several ranks.
const Shapes kShapes[] = {
    {{1, 2, 3, 4}, {1, 2, 3, 4}},
    {{33}, {33}},
    {{1, 3, 2, 5}, {5}},
    {{5}, {1, 3, 2, 5}},
    {{2, 3, 4}, {1}},
    {{1}, {2, 3, 4}},
    {{2, 3, 4, 5}, {1, 1, 1, 5}},
    {{2, 3, 1, 5}, {2, 1, 4, 5}},
    {{1, 4, 4, 3}, {1, 1, 4, 3}},
    {{4, 1}, {1, 3}},
    {{2, 1, 3}, {2, 2, 3}},
    {{1, 1, 1, 1}, {1, 1, 1, 1}},
    {{2, 2, 2, 2, 2}, {2, 2, 2, 2, 2}},
};

class Binary : public ::testing::TestWithParam<const char*> {};

TEST_P(Binary, BroadcastsAndActivations) {
  std::vector<Model> models;
  Random random(2);
  for (Type type : {Type::kInt8, Type::kFloat32}) {
    for (const Shapes& shapes : kShapes) {
      for (bool constant : {false, true}) {
        const size_t n = models.size();
        models.push_back(BinaryModel({.kind = GetParam(),
                                      .type = type,
                                      .a = shapes.a,
                                      .b = shapes.b,
                                      .constant_b = constant,
                                      .activation = kActivations[n % 4],
                                      .in_a = {0.05F, kZeroPoints[n % 4]},
                                      .in_b = {0.11F, kZeroPoints[n / 3 % 4]},
                                      .out = {0.13F, kZeroPoints[n / 5 % 4]}},
                                     random));
      }
    }
  }
  ExpectOracleOutputs(models);
}

// Ratios of scales whose fixed-point multipliers differ in the last bits between float and double.
TEST_P(Binary, ManyScales) {
  std::vector<Model> models;
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    const float a = random.Real(0.001F, 0.3F), b = random.Real(0.001F, 0.3F);
    const bool product = GetParam() == std::string("MUL");
    const float out = product ? a * b * 128.0F * random.Real(0.3F, 1.5F)
                              : std::max(a, b) * random.Real(0.5F, 2.0F);
    models.push_back(BinaryModel({.kind = GetParam(),
                                  .a = {997},
                                  .b = {997},
                                  .in_a = {a, random.Int(-128, 127)},
                                  .in_b = {b, random.Int(-128, 127)},
                                  .out = {out, random.Int(-128, 127)}},
                                 random));
  }
  ExpectOracleOutputs(models);
}

INSTANTIATE_TEST_SUITE_P(All, Binary, ::testing::Values("ADD", "SUB", "MUL"),
                         [](const auto& row) { return std::string(row.param); });

// 256 elements: an int8 operator of one element is compared over all of its inputs. A random input
// does not have them all, a constant has; hence the operand is the sum of an input and a constant
// ramp.
Model OverAllBytes(const std::string& kind, Affine in, Affine out) {
  Tensor ramp = Activations({256}, Type::kInt8, in);
  ramp.data.resize(256);
  std::iota(ramp.data.begin(), ramp.data.end(), uint8_t{0});
  Model model =
      UnaryModel(kind, Activations({256}, Type::kInt8, in), Activations({256}, Type::kInt8, out));
  model.tensors.push_back(ramp);
  model.tensors.push_back(Activations({1, 256}, Type::kInt8, in));
  model.tensors.push_back(Activations({2, 256}, Type::kInt8, in));
  model.tensors.push_back(Activations({2, 256}, Type::kInt8, out));
  model.tensors[0].shape = {1, 256};
  model.tensors[2].shape = {1, 256};
  model.ops = {{.kind = "CONCATENATION", .inputs = {0, 2}, .outputs = {4}, .axis = 0},
               {.kind = kind, .inputs = {4}, .outputs = {5}}};
  model.outputs = {5};
  return model;
}

TEST(Unary, LogisticAndTanhOfEveryByte) {
  std::vector<Model> models;
  for (float scale : {0.001F, 0.01F, 0.0235F, 0.0627F, 0.125F, 0.3F, 1.0F, 3.0F}) {
    for (int32_t zero_point : kZeroPoints) {
      models.push_back(OverAllBytes("LOGISTIC", {scale, zero_point}, {1.0F / 256, -128}));
      models.push_back(OverAllBytes("TANH", {scale, zero_point}, {1.0F / 128, 0}));
    }
  }
  ExpectOracleOutputs(models, {.random_inputs = 1});
}

// RELU rescales; RELU6 only clamps, and is there only for equal scales and zero points.
TEST(Unary, ReluAndRelu6OfEveryByte) {
  std::vector<Model> models;
  for (int32_t zero_point : kZeroPoints) {
    for (float scale : {0.05F, 0.0235F, 0.11F}) {
      models.push_back(OverAllBytes("RELU", {scale, zero_point}, {scale, zero_point}));
      models.push_back(OverAllBytes("RELU6", {scale, zero_point}, {scale, zero_point}));
    }
    models.push_back(OverAllBytes("RELU", {0.07F, zero_point}, {0.031F, -128}));
    models.push_back(OverAllBytes("RELU", {0.07F, zero_point}, {0.1F, 5}));
    models.push_back(OverAllBytes("RELU", {0.13F, zero_point}, {0.16F, 0}));  // ties in float only
  }
  ExpectOracleOutputs(models, {.random_inputs = 1});
}

TEST(Unary, Float) {
  std::vector<Model> models;
  for (const char* kind : {"LOGISTIC", "TANH", "RELU", "RELU6"}) {
    const Tensor tensor = Activations({2, 3, 7}, Type::kFloat32);
    models.push_back(UnaryModel(kind, tensor, tensor));
  }
  ExpectOracleOutputs(models, {.random_inputs = 6});
}

TEST(Softmax, MatchesTheOracle) {
  std::vector<Model> models;
  for (const std::vector<int32_t>& shape : std::vector<std::vector<int32_t>>{
           {1, 1}, {1, 2}, {3, 10}, {1, 257}, {7}, {2, 3, 5}, {1, 2, 2, 4}}) {
    for (float scale : {0.004F, 0.06F, 0.3F, 2.0F}) {
      for (float beta : {1.0F, 0.25F, 3.0F}) {
        models.push_back(UnaryModel("SOFTMAX", Activations(shape, Type::kInt8, {scale, 11}),
                                    Activations(shape, Type::kInt8, {1.0F / 256, -128}), beta));
      }
    }
    const Tensor tensor = Activations(shape, Type::kFloat32);
    models.push_back(UnaryModel("SOFTMAX", tensor, tensor));
    models.push_back(UnaryModel("SOFTMAX", tensor, tensor, 0.5F));
  }
  ExpectOracleOutputs(models, {.random_inputs = 3});
}

TEST(Quantize, BetweenAllTypes) {
  std::vector<Model> models;
  const auto add = [&](Type from, Affine in, Type to, Affine out) {
    models.push_back(
        UnaryModel("QUANTIZE", Activations({600}, from, in), Activations({600}, to, out)));
  };
  for (Affine out : {Affine{0.02F, 5}, Affine{0.03125F, -128}, Affine{0.5F, 127}}) {
    add(Type::kFloat32, {}, Type::kInt8, out);
    for (Affine in : {Affine{0.02F, 5}, Affine{0.07F, -128}, Affine{0.001F, 127}}) {
      add(Type::kInt8, in, Type::kInt8, out);
      const Affine unsigned_in = {in.scale, in.zero_point + 128};
      const Affine unsigned_out = {out.scale, out.zero_point + 128};
      add(Type::kUInt8, unsigned_in, Type::kInt8, out);
      add(Type::kInt8, in, Type::kUInt8, unsigned_out);
    }
  }
  ExpectOracleOutputs(models, {.random_inputs = 4});
}

TEST(Quantize, FloatToUInt8) {
  std::vector<Model> models;
  for (Affine out : {Affine{0.02F, 5}, Affine{0.03125F, 0}, Affine{0.5F, 255}}) {
    models.push_back(UnaryModel("QUANTIZE", Activations({600}, Type::kFloat32),
                                Activations({600}, Type::kUInt8, out)));
  }
  ExpectOracleOutputs(models, {.random_inputs = 4});
}

TEST(Dequantize, Int8AndUInt8) {
  std::vector<Model> models;
  for (Type type : {Type::kInt8, Type::kUInt8}) {
    for (Affine in : {Affine{0.02F, 5}, Affine{0.0713F, 127}, Affine{0.00390625F, 0}}) {
      models.push_back(UnaryModel("DEQUANTIZE", Activations({600}, type, in),
                                  Activations({600}, Type::kFloat32)));
    }
  }
  ExpectOracleOutputs(models, {.random_inputs = 3});
}

TEST(Mean, EveryChoiceOfAxes) {
  std::vector<Model> models;
  const std::vector<std::vector<int32_t>> choices = {
      {1, 2},   {2, 1}, {0},    {1},       {2},          {3},       {-1},
      {-3, -2}, {0, 3}, {1, 3}, {0, 1, 2}, {0, 1, 2, 3}, {1, 2, 3}, {2, 2, -2}};
  for (Type type : {Type::kInt8, Type::kFloat32}) {
    for (const std::vector<int32_t>& axes : choices) {
      for (bool keep : {false, true}) {
        const int32_t zero = kZeroPoints[models.size() / 2 % 4];
        const Tensor in = Activations({2, 3, 5, 7}, type, {0.05F, zero});
        const Affine out = models.size() % 3 == 0 ? Affine{0.05F, zero} : Affine{0.021F, -3};
        models.push_back(MeanModel(in, axes, keep, out));
      }
    }
    models.push_back(MeanModel(Activations({1, 7, 9, 33}, type), {1, 2}, false, {0.03F, 127}));
    models.push_back(MeanModel(Activations({64}, type), {0}, true, {0.03F, -128}));
  }
  ExpectOracleOutputs(models);
}

TEST(Pad, EveryBorder) {
  std::vector<Model> models;
  for (Type type : {Type::kInt8, Type::kFloat32}) {
    const Affine affine = {0.1F, -9};
    const oracle::Data value =
        type == Type::kInt8 ? oracle::Data{200} : oracle::FromFloats({-2.5F});
    const Tensor in = Activations({1, 3, 4, 5}, type, affine);
    for (const oracle::Data& border : {oracle::Data{}, value}) {
      models.push_back(PadModel(in, {0, 0, 1, 1, 1, 1, 0, 0}, border));
      models.push_back(PadModel(in, {0, 0, 0, 2, 3, 0, 0, 0}, border));
      models.push_back(PadModel(in, {1, 2, 0, 1, 2, 0, 1, 1}, border));
      models.push_back(PadModel(in, {0, 0, 0, 0, 0, 0, 0, 3}, border));
      models.push_back(PadModel(in, {0, 0, 0, 0, 0, 0, 0, 0}, border));
      models.push_back(PadModel(Activations({7}, type, affine), {2, 1}, border));
      models.push_back(PadModel(Activations({2, 3}, type, affine), {1, 0, 0, 1}, border));
      models.push_back(PadModel(Activations({2, 3, 4}, type, affine), {1, 0, 0, 1, 2, 2}, border));
    }
  }
  ExpectOracleOutputs(models);
}

TEST(Concatenation, EveryAxis) {
  std::vector<Model> models;
  for (Type type : {Type::kInt8, Type::kFloat32}) {
    for (int32_t axis : {0, 1, 2, 3, -1, -4}) {
      for (int32_t operands : {1, 2, 3, 5}) {
        std::vector<Tensor> in;
        for (int32_t i = 0; i < operands; ++i) {
          std::vector<int32_t> shape = {2, 3, 2, 3};
          shape[static_cast<size_t>(axis < 0 ? axis + 4 : axis)] = 1 + i;
          in.push_back(Activations(shape, type, {0.1F, 4}));
        }
        models.push_back(ConcatenationModel(in, axis));
      }
    }
  }
  ExpectOracleOutputs(models);
}

}  // namespace
}  // namespace usmp::testing
