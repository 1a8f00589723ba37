// Broken and unsupported files: what is said about each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "import/importer.h"
#include "import/tflite/schema_generated.h"
#include "support/tflite_builder.h"

namespace usmp::import {
namespace {

using namespace usmp::testing;  // NOLINT: the builder's vocabulary
namespace file = usmp::tflite_file;

std::string Messages(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) text += d.where + ": " + d.message + "\n";
  return text;
}

std::string ImportMessages(const std::vector<uint8_t>& bytes, const ImportOptions& options = {}) {
  const auto imported = Import(bytes, options);
  if (!imported) return Messages(imported.error().diagnostics);
  std::string text;
  for (const UnsupportedOp& op : imported->unsupported) text += Messages(op.problems);
  return text;
}

// x int8[1,4,4,1] -> CONV_2D with w (18 bytes, two channels) and b -> y int8[1,4,4,2].
// Tensors 0 x, 1 w, 2 b, 3 y; buffers 1 w, 2 b.
TfliteBuilder Convolution(const OpOptions& options = Conv2dOptions{}) {
  TfliteBuilder b;
  const int x = b.Input({.name = "x", .shape = {1, 4, 4, 1}, .scales = {0.5F}, .zero_points = {3}});
  const int w = b.Constant({.name = "w", .shape = {2, 3, 3, 1}, .scales = {0.1F, 0.2F}},
                           std::vector<uint8_t>(18));
  const int bias =
      b.Constant({.name = "b", .type = ir::DType::kInt32, .shape = {2}}, std::vector<uint8_t>(8));
  b.Output(b.Op("CONV_2D", {x, w, bias}, {.name = "y", .shape = {1, 4, 4, 2}, .scales = {1.0F}},
                options));
  return b;
}

struct Case {
  const char* name;
  std::function<void(TfliteBuilder&)> damage;
  const char* message;
};

class BrokenConvolution : public ::testing::TestWithParam<Case> {};

TEST(Convolution, IsFineAsItIs) { EXPECT_EQ(ImportMessages(Convolution().Build()), ""); }

TEST_P(BrokenConvolution, SaysWhatIsWrong) {
  TfliteBuilder b = Convolution();
  GetParam().damage(b);
  EXPECT_NE(ImportMessages(b.Build()).find(GetParam().message), std::string::npos)
      << ImportMessages(b.Build());
}

file::Conv2DOptionsT& Options(TfliteBuilder& b) {
  return *b.op(0).builtin_options.AsConv2DOptions();
}

const Case kCases[] = {
    // Indices.
    {"InputIndex", [](auto& b) { b.op(0).inputs[0] = 99; },
     "op 0 CONV_2D 'y': input 0 is tensor 99, which is none of the 4 of the model"},
    {"InputIndexNegative", [](auto& b) { b.op(0).inputs[1] = -2; },
     "op 0 CONV_2D 'y': input 1 is tensor -2, which is none of the 4 of the model"},
    {"OutputIndex", [](auto& b) { b.op(0).outputs[0] = -1; },
     "op 0 CONV_2D: output 0 is tensor -1, which is none of the 4 of the model"},
    {"WeightsAbsent", [](auto& b) { b.op(0).inputs[1] = -1; },
     "op 0 CONV_2D 'y': its input 1 is absent (tensor -1)"},
    {"Opcode", [](auto& b) { b.op(0).opcode_index = 7; },
     "op 0: its operator code 7 is none of the 1 of the file"},
    {"NoOpcodes", [](auto& b) { b.model().operator_codes.clear(); },
     "op 0: its operator code 0 is none of the 0 of the file"},
    {"GraphInput", [](auto& b) { b.graph().inputs[0] = 4; },
     "graph inputs: tensor 4 is none of the 4 of the model"},
    {"GraphOutput", [](auto& b) { b.graph().outputs[0] = -7; },
     "graph outputs: tensor -7 is none of the 4 of the model"},
    {"Buffer", [](auto& b) { b.tensor(1).buffer = 42; },
     "tensor 1 'w' int8[2,3,3,1]: its buffer 42 is none of the 3 of the file"},
    {"NoBuffers", [](auto& b) { b.model().buffers.clear(); },
     "tensor 1 'w' int8[2,3,3,1]: its buffer 1 is none of the 0 of the file"},
    // Missing vectors.
    {"NoTensors", [](auto& b) { b.graph().tensors.clear(); },
     "graph inputs: tensor 0 is none of the 0 of the model"},
    {"NoOutputs", [](auto& b) { b.graph().outputs.clear(); },
     "graph outputs: there are none: nothing to compute"},
    {"NoOperands", [](auto& b) { b.op(0).inputs.clear(); },
     "op 0 CONV_2D 'y': it has 0 inputs instead of 2"},
    {"TooManyOperands",
     [](auto& b) {
       b.op(0).inputs = {0, 1, 2, 2};
     },
     "op 0 CONV_2D 'y': it has 4 inputs instead of 3"},
    {"NoResults", [](auto& b) { b.op(0).outputs.clear(); },
     "op 0 CONV_2D: it has 0 outputs instead of 1"},
    {"NoOperators", [](auto& b) { b.graph().operators.clear(); },
     "graph outputs: tensor 3 'y' int8[1,4,4,2] is written by no operator"},
    {"NoGraph", [](auto& b) { b.model().subgraphs.clear(); },
     "model: has no graph: nothing to compute"},
    {"SchemaVersion", [](auto& b) { b.model().version = 2; },
     "model: has version 2 of the TensorFlow Lite format; only version 3 is known"},
    // Sizes.
    {"NegativeDimension",
     [](auto& b) {
       b.tensor(0).shape = {1, -4, 4, 1};
     },
     "tensor 0 'x' int8[1,-4,4,1]: a dimension is negative, or it would be over 2 GiB"},
    {"Overflow",
     [](auto& b) {
       b.tensor(0).shape = {65536, 65536, 65536, 65536};
     },
     "tensor 0 'x' int8[65536,65536,65536,65536]: a dimension is negative, or it would be over 2"},
    {"OverflowOfAnOutput",
     [](auto& b) {
       b.tensor(3).shape = {0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF, 3};
     },
     "tensor 3 'y' int8[2147483647,2147483647,2147483647,3]: a dimension is negative, or it would"},
    {"ShortData", [](auto& b) { b.model().buffers[1]->data.pop_back(); },
     "tensor 1 'w' int8[2,3,3,1]: it has 17 bytes of data, but its shape and type need 18"},
    {"LongData", [](auto& b) { b.model().buffers[2]->data.resize(9); },
     "tensor 2 'b' int32[2]: it has 9 bytes of data, but its shape and type need 8"},
    {"SignatureRank",
     [](auto& b) {
       b.tensor(0).shape_signature = {-1, 4};
     },
     "tensor 0 'x' int8[1,4,4,1]: its shape_signature has 2 dimensions"},
    {"ConstantOfUnknownSize", [](auto& b) { b.tensor(2).shape_signature = {-1}; },
     "tensor 2 'b' int32[1]: it is a constant of unknown size"},
    {"OutputShape",
     [](auto& b) {
       b.tensor(3).shape = {1, 4, 4, 3};
     },
     "op 0 CONV_2D 'y': its output has shape [1,4,4,3], but must have [1,4,4,2]"},
    {"InputRank", [](auto& b) { b.tensor(0).shape = {16}; },
     "op 0 CONV_2D 'y': its input must have 4 dimensions, but has shape [16]"},
    {"WeightsRank",
     [](auto& b) {
       b.tensor(1).shape = {2, 9};
     },
     "op 0 CONV_2D 'y': its weights must have 4 dimensions, but have shape [2,9]"},
    {"BiasSize",
     [](auto& b) {
       b.tensor(2).shape = {3};
       b.model().buffers[2]->data.resize(12);
     },
     "op 0 CONV_2D 'y': its bias has 3 elements for 2 output channels"},
    {"Empty",
     [](auto& b) {
       b.tensor(0).shape = {1, 0, 4, 1};
     },
     "op 0 CONV_2D 'y': it cannot use tensor 0 'x' int8[1,0,4,1]: it has no elements"},
    {"EmptyWithHugeDimensions",
     [](auto& b) {
       b.tensor(0).shape = {65536, 65536, 65536, 65536, 0};
     },
     "op 0 CONV_2D 'y': it cannot use tensor 0 'x' int8[65536,65536,65536,65536,0]: it has no"},
    // Quantization.
    {"ScaleNaN", [](auto& b) { b.tensor(0).quantization->scale = {std::nanf("")}; },
     "op 0 CONV_2D 'y': it cannot use tensor 0 'x' int8[1,4,4,1]: its scale nan is not a positive"},
    {"ScaleZero", [](auto& b) { b.tensor(0).quantization->scale = {0.0F}; },
     "op 0 CONV_2D 'y': it cannot use tensor 0 'x' int8[1,4,4,1]: its scale 0 is not a positive"},
    {"ScaleNegative", [](auto& b) { b.tensor(1).quantization->scale[1] = -0.5F; },
     "it cannot use tensor 1 'w' int8[2,3,3,1]: its scale -0.5 is not a positive number"},
    {"ScaleInfinite",
     [](auto& b) { b.tensor(3).quantization->scale = {std::numeric_limits<float>::infinity()}; },
     "it cannot use tensor 3 'y' int8[1,4,4,2]: its scale inf is not a positive number"},
    {"ZeroPoint", [](auto& b) { b.tensor(0).quantization->zero_point = {128}; },
     "it cannot use tensor 0 'x' int8[1,4,4,1]: its zero point 128 is not an int8 value"},
    {"ZeroPointHuge", [](auto& b) { b.tensor(0).quantization->zero_point = {int64_t{1} << 40}; },
     "it cannot use tensor 0 'x' int8[1,4,4,1]: its zero point 1099511627776 is not an int8 value"},
    {"ZeroPointCount",
     [](auto& b) {
       b.tensor(0).quantization->zero_point = {0, 0, 0};
     },
     "it cannot use tensor 0 'x' int8[1,4,4,1]: it has 1 scales and 3 zero points"},
    {"ScaleCount",
     [](auto& b) {
       b.tensor(1).quantization->scale = {1, 1, 1};
       b.tensor(1).quantization->zero_point = {0};
     },
     "it cannot use tensor 1 'w' int8[2,3,3,1]: it has 3 scales for the 2 channels of dimension 0"},
    {"Axis", [](auto& b) { b.tensor(1).quantization->quantized_dimension = 7; },
     "it has a scale for each channel of dimension 7, which it does not have"},
    {"Blockwise", [](auto& b) { b.tensor(1).quantization->details_kind = 2; },
     "its quantization is neither per tensor nor per channel"},
    // What a tensor may be.
    {"Sparse", [](auto& b) { b.tensor(1).sparsity = std::make_unique<file::OpaqueT>(); },
     "it cannot use tensor 1 'w' int8[2,3,3,1]: it is sparse; convert the model without sparsity"},
    {"OutsideData", [](auto& b) { b.model().buffers[1]->offset = 4096; },
     "it cannot use tensor 1 'w' int8[2,3,3,1]: its data lie outside of the flatbuffer"},
    {"ExternalBuffer", [](auto& b) { b.tensor(1).external_buffer = 1; },
     "it cannot use tensor 1 'w' int8[2,3,3,1]: its data lie outside of the flatbuffer"},
    {"Variable",
     [](auto& b) {
       b.tensor(0).is_variable = true;
       b.graph().inputs.clear();
     },
     "it cannot use tensor 0 'x' int8[1,4,4,1]: it is a variable that keeps its value from run to"},
    {"StringType", [](auto& b) { b.tensor(0).type = file::TensorType::STRING; },
     "it cannot use tensor 0 'x' other[1,4,4,1]: it has type string, which is not supported"},
    {"TypeNumber", [](auto& b) { b.tensor(0).type = static_cast<file::TensorType>(99); },
     "it cannot use tensor 0 'x' other[1,4,4,1]: it has type number 99, which is not supported"},
    // Options.
    {"NoOptions", [](auto& b) { b.op(0).builtin_options.Reset(); },
     "op 0 CONV_2D 'y': it has no option table, which would hold its stride and padding"},
    {"OtherOptions",
     [](auto& b) {
       b.op(0).builtin_options.Reset();
       b.op(0).builtin_options.Set(file::SoftmaxOptionsT());
     },
     "op 0 CONV_2D 'y': its option table is another operator's"},
    {"Stride", [](auto& b) { Options(b).stride_h = 0; },
     "op 0 CONV_2D 'y': a window of 3x3 with stride 0x1 and dilation 1x1 over an input of shape "
     "[1,4,4,1] is not possible"},
    {"ValidStride",
     [](auto& b) {
       Options(b).padding = file::Padding::VALID;
       Options(b).stride_w = -1;
     },
     "kernel, stride and dilation in the horizontal direction must be positive, but are 3, -1 and "
     "1"},
    {"Dilation", [](auto& b) { Options(b).dilation_w = std::numeric_limits<int32_t>::min(); },
     "with stride 1x1 and dilation 1x-2147483648 over an input of shape [1,4,4,1] is not possible"},
    {"DilationTooLarge",
     [](auto& b) {
       Options(b).padding = file::Padding::VALID;
       Options(b).dilation_h = 2;
     },
     "op 0 CONV_2D 'y': its window is 5 elements high, more than the 4 of the padded input"},
    {"Padding", [](auto& b) { Options(b).padding = static_cast<file::Padding>(7); },
     "op 0 CONV_2D 'y': padding 7 is neither SAME nor VALID"},
    {"Activation", [](auto& b) { Options(b).activation = file::ActivationFunctionType::TANH; },
     "op 0 CONV_2D 'y': the fused activation TANH is not supported; only RELU, RELU6 and"},
    {"ActivationNumber",
     [](auto& b) { Options(b).activation = static_cast<file::ActivationFunctionType>(9); },
     "op 0 CONV_2D 'y': fused activation 9 is none of the format's"},
    // Order.
    {"InputIsConstant",
     [](auto& b) {
       b.tensor(0).buffer = 1;
       b.tensor(0).shape = {18};
     },
     "tensor 0 'x' int8[18]: it is both a graph input and a constant"},
    {"InputTwice",
     [](auto& b) {
       b.graph().inputs = {0, 0};
     },
     "tensor 0 'x' int8[1,4,4,1]: it is a graph input twice"},
    {"NoInput", [](auto& b) { b.graph().inputs.clear(); },
     "op 0 CONV_2D 'y': it reads tensor 0 'x' int8[1,4,4,1], which is neither a constant nor a "
     "graph "
     "input nor written by an earlier operator"},
    {"WritesConstant", [](auto& b) { b.op(0).outputs[0] = 1; },
     "op 0 CONV_2D 'w': it writes tensor 1 'w' int8[2,3,3,1], which is a constant"},
    {"WritesInput", [](auto& b) { b.op(0).outputs[0] = 0; },
     "op 0 CONV_2D 'x': it writes tensor 0 'x' int8[1,4,4,1], which is a graph input"},
    {"ReadsItsOwnOutput", [](auto& b) { b.op(0).inputs[0] = 3; },
     "op 0 CONV_2D 'y': it reads tensor 3 'y' int8[1,4,4,2], which is neither a constant"},
    {"WrittenTwice", [](auto& b) { b.OpInto("RELU", {0}, {3}); },
     "op 1 RELU 'y': it writes tensor 3 'y' int8[1,4,4,2], which an earlier operator has written"},
    {"OutOfOrder",
     [](auto& b) {
       b.OpInto("RELU", {0}, {b.Tensor({.name = "r", .shape = {1, 4, 4, 1}})});
       b.op(0).inputs[0] = 4;
     },
     "op 0 CONV_2D 'y': it reads tensor 4 'r' int8[1,4,4,1], which is neither a constant"},
    // Operators that we do not have.
    {"Unknown",
     [](auto& b) {
       b.model().operator_codes[0]->builtin_code = file::BuiltinOperator::SVDF;
       b.model().operator_codes[0]->deprecated_builtin_code = 27;
     },
     "op 0 SVDF 'y': there is no kernel for this operator"},
    {"UnknownNumber",
     [](auto& b) {
       b.model().operator_codes[0]->builtin_code = static_cast<file::BuiltinOperator>(300);
     },
     "op 0 operator number 300 'y': there is no kernel for this operator"},
    {"Custom",
     [](auto& b) {
       b.model().operator_codes[0]->builtin_code = file::BuiltinOperator::CUSTOM;
       b.model().operator_codes[0]->custom_code = "Mine";
     },
     "op 0 CUSTOM:Mine 'y': only its author knows what it computes"},
    {"Flex",
     [](auto& b) {
       b.model().operator_codes[0]->builtin_code = file::BuiltinOperator::CUSTOM;
       b.model().operator_codes[0]->custom_code = "FlexErf";
     },
     "op 0 CUSTOM:FlexErf 'y': it needs TensorFlow itself"},
};

INSTANTIATE_TEST_SUITE_P(Rows, BrokenConvolution, ::testing::ValuesIn(kCases),
                         [](const auto& row) { return row.param.name; });

// One operator over x float32[2,3], with one integer constant beside it.
struct OperatorCase {
  const char* name;
  const char* op;
  std::vector<int32_t> constant;
  std::vector<int32_t> constant_shape;
  std::vector<int32_t> output_shape;
  OpOptions options;
  const char* message;
};

class BrokenOperator : public ::testing::TestWithParam<OperatorCase> {};

TEST_P(BrokenOperator, SaysWhatIsWrong) {
  const OperatorCase& c = GetParam();
  TfliteBuilder b;
  std::vector<int> inputs = {b.Input({.name = "x", .type = ir::DType::kFloat32, .shape = {2, 3}})};
  if (!c.constant.empty()) {
    inputs.push_back(b.Constant({.name = "c", .type = ir::DType::kInt32, .shape = c.constant_shape},
                                ToBytes(c.constant)));
  }
  b.Output(b.Op(c.op, inputs, {.name = "y", .type = ir::DType::kFloat32, .shape = c.output_shape},
                c.options));
  EXPECT_EQ(ImportMessages(b.Build()), std::string(c.message) + "\n");
}

const OperatorCase kOperatorCases[] = {
    {"MeanAxis",
     "MEAN",
     {2},
     {1},
     {2},
     ReducerOptions{},
     "op 0 MEAN 'y': axis 2 is not one of 2 dimensions"},
    {"MeanKeepsDimensions",
     "MEAN",
     {1},
     {1},
     {2},
     ReducerOptions{.keep_dims = true},
     "op 0 MEAN 'y': its output has shape [2], but must have [2,1]"},
    {"PadCount",
     "PAD",
     {1, 1},
     {1, 2},
     {4, 3},
     {},
     "op 0 PAD 'y': it has 2 paddings for 2 dimensions instead of 4"},
    {"PadNegative",
     "PAD",
     {1, 1, -1, 0},
     {2, 2},
     {4, 2},
     {},
     "op 0 PAD 'y': its padding -1 is not possible"},
    {"PadHuge",
     "PAD",
     {0x7FFFFFFF, 0x7FFFFFFF, 0, 0},
     {2, 2},
     {4, 3},
     {},
     "op 0 PAD 'y': its padding of dimension 0 by 2147483647 and 2147483647 is not possible"},
    {"PadOver2GiB",
     "PAD",
     {0x3FFFFFFF, 0, 0x3FFFFFFF, 0},
     {2, 2},
     {4, 3},
     {},
     "op 0 PAD 'y': its output of shape [1073741825,1073741826] is over 2 GiB"},
    {"ReshapeCount",
     "RESHAPE",
     {7},
     {1},
     {7},
     {},
     "op 0 RESHAPE 'y': it makes 7 elements of shape [7] out of 6 of shape [2,3]"},
    {"ConcatenationAxis",
     "CONCATENATION",
     {},
     {},
     {2, 3},
     ConcatenationOptions{.axis = -3},
     "op 0 CONCATENATION 'y': axis -3 is not one of 2 dimensions"},
    {"SoftmaxBeta",
     "SOFTMAX",
     {},
     {},
     {2, 3},
     SoftmaxOptions{.beta = std::numeric_limits<float>::infinity()},
     "op 0 SOFTMAX 'y': its beta is inf"},
    {"PoolRank",
     "MAX_POOL_2D",
     {},
     {},
     {2, 3},
     Pool2dOptions{},
     "op 0 MAX_POOL_2D 'y': its input must have 4 dimensions, but has shape [2,3]"},
    {"MixedTypes",
     "ADD",
     {1},
     {1},
     {2, 3},
     BinaryOptions{},
     "op 0 ADD 'y': its input 1 is int32, but its output is float32"},
    {"FullyConnectedDepth",
     "FULLY_CONNECTED",
     {1, 2, 3, 4},
     {1, 4},
     {2, 1},
     FullyConnectedOptions{},
     "op 0 FULLY_CONNECTED 'y': its input of shape [2,3] does not fit its weights of shape [1,4]"},
    {"ShuffledWeights",
     "FULLY_CONNECTED",
     {1, 2, 3},
     {1, 3},
     {2, 1},
     FullyConnectedOptions{.shuffled_weights = true},
     "op 0 FULLY_CONNECTED 'y': its weights are shuffled; only the default order is supported"},
};

INSTANTIATE_TEST_SUITE_P(Rows, BrokenOperator, ::testing::ValuesIn(kOperatorCases),
                         [](const auto& row) { return row.param.name; });

TEST(Import, AxesComputedAtRunTimeAreUnsupported) {
  TfliteBuilder b;
  const int x = b.Input({.name = "x", .type = ir::DType::kFloat32, .shape = {2, 3}});
  const int axes = b.Input({.name = "axes", .type = ir::DType::kInt32, .shape = {1}});
  b.Output(b.Op("MEAN", {x, axes}, {.name = "y", .type = ir::DType::kFloat32, .shape = {2}}));
  EXPECT_EQ(
      ImportMessages(b.Build()),
      "op 0 MEAN 'y': its axes (tensor 1 'axes' int32[1]) are computed at run time; they must "
      "be constant\n");
}

TEST(Import, ListsEveryProblemOnce) {
  TfliteBuilder b = Convolution();
  b.model().buffers[2]->data.pop_back();  // b is broken
  b.tensor(0).shape = {-3, 4, 4, 1};      // x is broken; what reads it is not looked at
  b.Output(b.Op("SVDF", {3}, {.name = "z", .shape = {1}}));
  b.Output(b.Op("RELU", {0}, {.name = "r", .shape = {1}}));
  EXPECT_EQ(
      ImportMessages(b.Build()),
      "tensor 0 'x' int8[-3,4,4,1]: a dimension is negative, or it would be over 2 GiB\n"
      "tensor 2 'b' int32[2]: it has 7 bytes of data, but its shape and type need 8\n"
      "op 1 SVDF 'z': there is no kernel for this operator; `usmp ops` lists those there are\n");
}

TEST(Import, UnknownDimensionsAreListedForEveryInput) {
  TfliteBuilder b;
  const int x = b.Input({.name = "x", .shape = {1, 1, 3}, .shape_signature = {-1, -1, 3}});
  const int y = b.Input({.name = "y", .shape = {1, 1, 3}, .shape_signature = {1, -1, 3}});
  b.Output(b.Op("CONCATENATION", {x, y}, {.shape = {1, 1, 3}}, ConcatenationOptions{.axis = 1}));
  EXPECT_EQ(ImportMessages(b.Build()),
            "input 'x': has unknown dimensions: [?,?,3]; fix them with --shape 'x=...' "
            "(comma-separated)\n"
            "input 'y': has unknown dimensions: [1,?,3]; fix them with --shape 'y=...' "
            "(comma-separated)\n");
}

TEST(Import, AGivenShapeMustFitTheModel) {
  struct ShapeCase {
    const char* name;
    std::vector<int32_t> shape;
    const char* message;
  };
  const ShapeCase cases[] = {
      {"x",
       {1, 4},
       "tensor 0 'x' int8[1,4,4,1]: the given shape [1,4] has not as many dimensions as "
       "the model's [1,?,4,1]\n"},
      {"x",
       {1, 8, 5, 1},
       "tensor 0 'x' int8[1,1,4,1]: the given shape [1,8,5,1] contradicts the "
       "model's [1,?,4,1]\n"},
      {"x", {1, 0, 4, 1}, "the given shape [1,0,4,1] has a dimension that is not positive"},
      {"z", {1}, "shape of 'z': the model has no input of that name; it has 'x'\n"},
  };
  for (const ShapeCase& c : cases) {
    TfliteBuilder b = Convolution();
    b.tensor(0).shape_signature = {1, -1, 4, 1};
    const std::string text = ImportMessages(b.Build(), {.shapes = {{c.name, c.shape}}});
    const std::string tail = std::string(c.message).substr(std::string(c.message).find("the "));
    EXPECT_NE(text.find(tail), std::string::npos) << text;
  }
}

TEST(Import, EveryTruncationIsAnError) {
  const std::vector<uint8_t> whole = Convolution().Build();
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<int64_t>(size));
    // The last bytes of the file may belong to nothing that is read.
    const bool is_right = Import(part, {}).has_value();
    EXPECT_FALSE(is_right && size + 8 < whole.size()) << size;
  }
}

TEST(Import, AFileThatDescribesMuchMoreThanItsSizeIsRefused) {
  // 3000 tensors that share one name of 100 KB: 300 MB of names in a file of 0.3 MB.
  flatbuffers::FlatBufferBuilder builder;
  const auto name = builder.CreateString(std::string(100'000, 'n'));
  std::vector<flatbuffers::Offset<file::Tensor>> tensors;
  for (int i = 0; i < 3000; ++i) {
    file::TensorBuilder tensor(builder);
    tensor.add_name(name);
    tensors.push_back(tensor.Finish());
  }
  const auto graph = file::CreateSubGraph(builder, builder.CreateVector(tensors));
  const auto graphs = builder.CreateVector(std::vector{graph});
  file::ModelBuilder model(builder);
  model.add_version(3);
  model.add_subgraphs(graphs);
  file::FinishModelBuffer(builder, model.Finish());
  const std::vector<uint8_t> bytes(builder.GetBufferPointer(),
                                   builder.GetBufferPointer() + builder.GetSize());
  EXPECT_EQ(ImportMessages(bytes),
            "model: describes far more tensors and operands than a file of its size can hold\n");
}

TEST(Import, OtherFilesAreNamed) {
  struct FileCase {
    std::string bytes;
    const char* message;
  };
  const FileCase cases[] = {
      {"", "model: is empty\n"},
      {"hello\n", "model: is text, not a model; a .tflite file is needed\n"},
      {"const unsigned char model[] = {0x1c, 0x00};",
       "model: is text, perhaps a model as a C array; a .tflite file is needed\n"},
      {std::string("\x08\x07\x12\x07pytorch", 11),
       "model: is an ONNX model; ONNX models are not supported yet: convert it to TensorFlow "
       "Lite\n"},
      {std::string("PK\x03\x04rest", 8), "is a zip archive"},
      {"\x89HDF\r\n\x1a\n", "is an HDF5 file"},
      {std::string("\x1f\x8b\x08", 3), "is compressed with gzip"},
      {std::string("\x1c\0\0\0TFL9....", 12),
       "is not a TensorFlow Lite model: bytes 4 to 7 are not \"TFL3\""},
      {std::string("\0\0\0\0TFL3", 8), "is a damaged or truncated TensorFlow Lite file"},
  };
  for (const FileCase& c : cases) {
    const std::string text = ImportMessages({c.bytes.begin(), c.bytes.end()});
    EXPECT_NE(text.find(c.message), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace usmp::import
