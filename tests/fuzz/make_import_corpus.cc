// Writes corpus/import: small models with every operator and option table that the importer reads.
//
//     make_import_corpus tests/fuzz/corpus/import
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/tflite_builder.h"

namespace {

using namespace usmp::testing;  // NOLINT: the builder's vocabulary
using usmp::ir::DType;

TensorSpec Int8(std::vector<int32_t> shape, const char* name = "t") {
  return {.name = name, .shape = std::move(shape), .scales = {0.5F}, .zero_points = {-3}};
}
TensorSpec Float(std::vector<int32_t> shape) {
  return {.name = "f", .type = DType::kFloat32, .shape = std::move(shape)};
}

int Integers(TfliteBuilder& b, std::vector<int32_t> shape, const std::vector<int32_t>& values) {
  return b.Constant({.type = DType::kInt32, .shape = std::move(shape)}, ToBytes(values));
}

TfliteBuilder Convolutions() {
  TfliteBuilder b;
  const int x = b.Input(Int8({1, 5, 4, 2}, "x"));
  const int w = b.Constant({.name = "w", .shape = {2, 3, 3, 2}, .scales = {0.1F, 0.2F}},
                           std::vector<uint8_t>(36, 3));
  const int y = b.Op("CONV_2D", {x, w, Integers(b, {2}, {1, 2})}, Int8({1, 3, 2, 2}),
                     Conv2dOptions{.stride_h = 2, .stride_w = 2});
  const int dw =
      b.Constant({.name = "dw", .shape = {1, 2, 2, 4}, .scales = {1, 2, 3, 4}, .axis = 3},
                 std::vector<uint8_t>(16, 200));
  const int z = b.Op(
      "DEPTHWISE_CONV_2D", {y, dw, kAbsent}, Int8({1, 2, 1, 4}),
      DepthwiseConv2dOptions{
          .padding = Padding::kValid, .depth_multiplier = 2, .activation = Activation::kRelu6});
  const int m = b.Op("MAX_POOL_2D", {z}, Int8({1, 2, 1, 4}),
                     Pool2dOptions{.padding = Padding::kSame, .filter_h = 3, .filter_w = 2});
  b.Output(b.Op("AVERAGE_POOL_2D", {m}, Int8({1, 1, 1, 4}),
                Pool2dOptions{.filter_h = 2, .filter_w = 1}));
  return b;
}

TfliteBuilder Classifier() {
  TfliteBuilder b;
  TensorSpec input = Float({1, 2, 3});
  input.shape_signature = {-1, 2, 3};
  const int x = b.Input(input);
  const int q = b.Op("QUANTIZE", {x}, Int8({1, 2, 3}));
  const int r = b.Op("RESHAPE", {q, Integers(b, {2}, {-1, 6})}, Int8({1, 6}),
                     ReshapeOptions{.new_shape = {-1, 6}});
  const int w = b.Constant(Int8({4, 6}, "w"), std::vector<uint8_t>(24, 7));
  const int y = b.Op("FULLY_CONNECTED", {r, w, Integers(b, {4}, {1, 2, 3, 4})}, Int8({1, 4}),
                     FullyConnectedOptions{.activation = Activation::kRelu});
  const int s = b.Op("SOFTMAX", {y}, Int8({1, 4}), SoftmaxOptions{});
  b.Output(b.Op("DEQUANTIZE", {s}, Float({1, 4})));
  return b;
}

TfliteBuilder Elementwise() {
  TfliteBuilder b;
  const int x = b.Input(Float({1, 4}));
  const int half = b.Constant({.type = DType::kFloat16, .shape = {4}}, std::vector<uint8_t>(8, 60));
  const int c = b.Op("DEQUANTIZE", {half}, Float({4}));
  int y = b.Op("ADD", {x, c}, Float({1, 4}), BinaryOptions{.activation = Activation::kRelu});
  y = b.Op("SUB", {y, c}, Float({1, 4}), BinaryOptions{});
  y = b.Op("MUL", {c, y}, Float({1, 4}), BinaryOptions{.activation = Activation::kReluN1To1});
  for (const char* op : {"LOGISTIC", "TANH", "RELU", "RELU6"}) y = b.Op(op, {y}, Float({1, 4}));
  b.Output(y);
  return b;
}

TfliteBuilder Shapes() {
  TfliteBuilder b;
  const int x = b.Input(Int8({1, 2, 3}, "x"));
  const int p = b.Op("PAD", {x, Integers(b, {3, 2}, {0, 0, 1, 1, 0, 1})}, Int8({1, 4, 4}));
  const int value = b.Constant(Int8({1}), {9});
  const int v = b.Op("PADV2", {p, Integers(b, {3, 2}, {0, 1, 0, 0, 0, 0}), value}, Int8({2, 4, 4}));
  const int m = b.Op("MEAN", {v, Integers(b, {2}, {0, -1})}, Int8({1, 4, 1}),
                     ReducerOptions{.keep_dims = true});
  const int s = b.Op("SQUEEZE", {m}, Int8({4}), SqueezeOptions{.dims = {0, 2}});
  const int e = b.Op("EXPAND_DIMS", {s, Integers(b, {}, {0})}, Int8({1, 4}));
  b.Output(b.Op("CONCATENATION", {e, e, e}, Int8({1, 12}), ConcatenationOptions{.axis = -1}));
  return b;
}

TfliteBuilder Unsupported() {
  TfliteBuilder b;
  const int x = b.Input(Float({1, 4}));
  const int y = b.Op("CUSTOM:Mine", {x}, Float({1, 4}));
  const int shape = b.Op("SHAPE", {y}, {.type = DType::kInt32, .shape = {2}});
  const int z = b.Op("RESHAPE", {y, shape}, Float({4, 1}));
  const int i4 = b.Constant({.type = DType::kInt4, .shape = {3}, .scales = {1.0F}}, {0x21, 0x03});
  b.Output(b.Op("STABLEHLO_ADD", {z, i4}, {.type = DType::kInt32, .shape = {4}}));
  return b;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const std::map<std::string, TfliteBuilder (*)()> models = {{"convolutions", Convolutions},
                                                             {"classifier", Classifier},
                                                             {"elementwise", Elementwise},
                                                             {"shapes", Shapes},
                                                             {"unsupported", Unsupported}};
  for (const auto& [name, make] : models) {
    const std::vector<uint8_t> bytes = make().Build();
    std::ofstream out(std::filesystem::path(argv[1]) / (name + ".tflite"), std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    if (!out) return 1;
  }
  return 0;
}
