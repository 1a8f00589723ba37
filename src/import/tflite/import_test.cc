// What becomes of a right file. Numbers are worked out by hand.
#include <gtest/gtest.h>

#include "import/importer.h"
#include "import/tflite/schema_generated.h"
#include "support/tflite_builder.h"

namespace usmp::import {
namespace {

using namespace usmp::testing;  // NOLINT: the builder's vocabulary
using ir::DType;
using Shape = std::vector<int32_t>;

// The import of a file that must be right; empty if it is not.
Imported Imported1(const TfliteBuilder& b, const ImportOptions& options = {}) {
  auto imported = Import(b.Build(), options);
  if (imported) return *std::move(imported);
  for (const Diagnostic& d : imported.error().diagnostics) {
    ADD_FAILURE() << d.where << ": " << d.message;
  }
  return {};
}

TEST(Import, SamePaddingBecomesExplicit) {
  struct Case {
    int32_t in, kernel, stride, dilation;  // in both directions
    int32_t out, before, after;
  };
  const Case cases[] = {
      {4, 3, 1, 1, 4, 1, 1},  // 3*1 + 3 - 4 = 2
      {4, 3, 2, 1, 2, 0, 1},  // 1*2 + 3 - 4 = 1: the odd one after
      {5, 2, 2, 1, 3, 0, 1},  // 2*2 + 2 - 5 = 1
      {5, 1, 2, 1, 3, 0, 0},  // 2*2 + 1 - 5 = 0
      {6, 1, 4, 1, 2, 0, 0},  // 1*4 + 1 - 6 < 0
      {7, 3, 1, 2, 7, 2, 2},  // 6*1 + 5 - 7 = 4
      {2, 5, 1, 1, 2, 2, 2},  // the window is larger than the image
      {1, 4, 3, 1, 1, 1, 2},  // 0*3 + 4 - 1 = 3
  };
  for (const Case& c : cases) {
    TfliteBuilder b;
    const int x = b.Input({.type = DType::kFloat32, .shape = {1, c.in, c.in, 1}});
    const Shape weights = {1, c.kernel, c.kernel, 1};
    const int w = b.Constant({.type = DType::kFloat32, .shape = weights},
                             ToBytes(std::vector<float>(c.kernel * c.kernel)));
    b.Output(b.Op("CONV_2D", {x, w, kAbsent},
                  {.type = DType::kFloat32, .shape = {1, c.out, c.out, 1}},
                  Conv2dOptions{.stride_h = c.stride,
                                .stride_w = c.stride,
                                .dilation_h = c.dilation,
                                .dilation_w = c.dilation}));
    const Imported imported = Imported1(b);
    ASSERT_EQ(imported.graph.ops.size(), 1U);
    const auto& attributes = std::get<ir::Conv2dAttrs>(imported.graph.ops[0].attributes);
    EXPECT_EQ(attributes.window.padding.top, c.before);
    EXPECT_EQ(attributes.window.padding.bottom, c.after);
    EXPECT_EQ(attributes.window.padding.left, c.before);
    EXPECT_EQ(attributes.window.padding.right, c.after);
    EXPECT_EQ(imported.graph.ops[0].inputs[2], ir::kNoTensor);
  }
}

TEST(Import, ConvolutionAttributes) {
  TfliteBuilder b;
  const int x = b.Input({.type = DType::kFloat32, .shape = {2, 9, 8, 6}});
  const int w =
      b.Constant({.type = DType::kFloat32, .shape = {4, 3, 2, 3}}, ToBytes(std::vector<float>(72)));
  const int y = b.Op("CONV_2D", {x, w}, {.type = DType::kFloat32, .shape = {2, 3, 5, 4}},
                     Conv2dOptions{.padding = Padding::kValid,
                                   .stride_h = 2,
                                   .stride_w = 1,
                                   .dilation_h = 2,
                                   .dilation_w = 3,
                                   .activation = Activation::kRelu6});
  const int dw =
      b.Constant({.type = DType::kFloat32, .shape = {1, 1, 1, 8}}, ToBytes(std::vector<float>(8)));
  b.Output(b.Op("DEPTHWISE_CONV_2D", {y, dw}, {.type = DType::kFloat32, .shape = {2, 3, 5, 8}},
                DepthwiseConv2dOptions{.depth_multiplier = 1}));  // the table lies: it is 2
  const Imported imported = Imported1(b);
  ASSERT_EQ(imported.graph.ops.size(), 2U);
  const auto& conv = std::get<ir::Conv2dAttrs>(imported.graph.ops[0].attributes);
  EXPECT_EQ(conv.groups, 2);
  EXPECT_EQ(conv.window.kernel_h, 3);
  EXPECT_EQ(conv.window.kernel_w, 2);
  EXPECT_EQ(conv.window.stride_h, 2);
  EXPECT_EQ(conv.window.stride_w, 1);
  EXPECT_EQ(conv.window.dilation_h, 2);
  EXPECT_EQ(conv.window.dilation_w, 3);
  EXPECT_EQ(conv.activation, ir::Activation::kRelu6);
  EXPECT_EQ(std::get<ir::DepthwiseConv2dAttrs>(imported.graph.ops[1].attributes).depth_multiplier,
            2);
}

TEST(Import, OperandsThatBecomeAttributes) {
  TfliteBuilder b;
  const int x = b.Input({.shape = {1, 2, 3}, .scales = {0.5F}});
  const int paddings =
      b.Constant({.type = DType::kInt64, .shape = {3, 2}}, ToBytes<int64_t>({0, 1, 2, 3, 4, 5}));
  const int value = b.Constant({.shape = {1}, .scales = {0.5F}}, ToBytes<int8_t>({-7}));
  const int padded = b.Op("PADV2", {x, paddings, value}, {.shape = {2, 7, 12}, .scales = {0.5F}});
  const int axes = b.Constant({.type = DType::kInt32, .shape = {3}}, ToBytes<int32_t>({-1, 0, 2}));
  const int mean = b.Op("MEAN", {padded, axes}, {.shape = {1, 7, 1}, .scales = {0.5F}},
                        ReducerOptions{.keep_dims = true});
  const int joined = b.Op("CONCATENATION", {mean, mean}, {.shape = {1, 14, 1}, .scales = {0.5F}},
                          ConcatenationOptions{.axis = -2});
  const int shape = b.Constant({.type = DType::kInt32, .shape = {1}}, ToBytes<int32_t>({14}));
  b.Output(b.Op("RESHAPE", {joined, shape}, {.shape = {14}, .scales = {0.5F}}));
  const ir::Graph graph = Imported1(b).graph;
  ASSERT_EQ(graph.ops.size(), 4U);
  const auto& pad = std::get<ir::PadAttrs>(graph.ops[0].attributes);
  EXPECT_EQ(graph.ops[0].inputs.size(), 1U);
  EXPECT_EQ(pad.before, (Shape{0, 2, 4}));
  EXPECT_EQ(pad.after, (Shape{1, 3, 5}));
  EXPECT_EQ(pad.value, -7.0);
  EXPECT_EQ(std::get<ir::ReduceAttrs>(graph.ops[1].attributes).axes, (Shape{0, 2}));
  EXPECT_EQ(std::get<ir::ConcatAttrs>(graph.ops[2].attributes).axis, 1);
  EXPECT_EQ(graph.ops[3].inputs.size(), 1U);
}

TEST(Import, AbsentOptionTablesMeanTheirDefaults) {
  TfliteBuilder b;
  const int x = b.Input({.type = DType::kFloat32, .shape = {2, 3}});
  const int y = b.Op("SOFTMAX", {x}, {.type = DType::kFloat32, .shape = {2, 3}});
  b.Output(b.Op("ADD", {x, y}, {.type = DType::kFloat32, .shape = {2, 3}}));
  const ir::Graph graph = Imported1(b).graph;
  ASSERT_EQ(graph.ops.size(), 2U);
  EXPECT_EQ(std::get<ir::SoftmaxAttrs>(graph.ops[0].attributes).beta, 1.0F);
  EXPECT_EQ(std::get<ir::BinaryAttrs>(graph.ops[1].attributes).activation, ir::Activation::kNone);
}

TEST(Import, OldAndNewOperatorCodes) {
  for (const bool is_old : {false, true}) {
    TfliteBuilder b;
    const int x = b.Input({.type = DType::kFloat32, .shape = {2}});
    b.Output(b.Op("QUANTIZE", {x}, {.shape = {2}, .scales = {1.0F}}));
    if (is_old) b.model().operator_codes[0]->builtin_code = tflite_file::BuiltinOperator::ADD;
    if (!is_old) b.model().operator_codes[0]->deprecated_builtin_code = 0;
    const ir::Graph graph = Imported1(b).graph;
    ASSERT_EQ(graph.ops.size(), 1U);
    EXPECT_EQ(graph.ops[0].kind, ir::OpKind::kQuantize);
  }
}

TEST(Import, Int4IsUnpackedLowHalfFirst) {
  TfliteBuilder b;
  const int x = b.Constant({.type = DType::kInt4, .shape = {3}, .scales = {1.0F}},
                           {0x8F, 0x07});  // -1, -8, 7
  b.Output(x);
  const ir::Graph graph = Imported1(b).graph;
  ASSERT_EQ(graph.tensors.size(), 1U);
  EXPECT_EQ(*graph.tensors[0].data, ToBytes<int8_t>({-1, -8, 7}));
}

TEST(Import, QuantizationPerChannel) {
  TfliteBuilder b;
  b.Output(b.Constant({.shape = {3, 2}, .scales = {0.5F, 0.25F}, .zero_points = {7}, .axis = 1},
                      std::vector<uint8_t>(6)));
  b.tensor(0).quantization->zero_point = {7};  // one for all
  // The bias of some old files has the dimension of the weights.
  b.Output(b.Constant({.type = DType::kInt32, .shape = {2}, .scales = {1, 2}, .axis = 3},
                      std::vector<uint8_t>(8)));
  const ir::Graph graph = Imported1(b).graph;
  ASSERT_EQ(graph.tensors.size(), 2U);
  EXPECT_EQ(graph.tensors[0].quantization.axis, 1);
  EXPECT_EQ(graph.tensors[0].quantization.scales, (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(graph.tensors[0].quantization.zero_points, (Shape{7, 7}));
  EXPECT_EQ(graph.tensors[1].quantization.axis, 0);
}

// x [?,4,4,1] -> CONV_2D -> RESHAPE [-1,8] -> EXPAND_DIMS -> SQUEEZE, written with every unknown
// dimension as 1, as converters do.
TfliteBuilder DynamicModel(const Shape& signature) {
  TfliteBuilder b;
  const int x = b.Input(
      {.name = "x", .type = DType::kFloat32, .shape = {1, 4, 4, 1}, .shape_signature = signature});
  const int w =
      b.Constant({.type = DType::kFloat32, .shape = {2, 2, 2, 1}}, ToBytes(std::vector<float>(8)));
  const int y =
      b.Op("CONV_2D", {x, w},
           {.type = DType::kFloat32, .shape = {1, 2, 2, 2}, .shape_signature = {-1, -1, -1, 2}},
           Conv2dOptions{.stride_h = 2, .stride_w = 2});
  const int shape = b.Constant({.type = DType::kInt32, .shape = {2}}, ToBytes<int32_t>({-1, 4}));
  const int rows = b.Op("RESHAPE", {y, shape},
                        {.type = DType::kFloat32, .shape = {1, 4}, .shape_signature = {-1, 4}});
  const int axis = b.Constant({.type = DType::kInt32, .shape = {}}, ToBytes<int32_t>({-1}));
  const int more =
      b.Op("EXPAND_DIMS", {rows, axis},
           {.type = DType::kFloat32, .shape = {1, 4, 1}, .shape_signature = {-1, 4, 1}});
  b.Output(b.Op("SQUEEZE", {more},
                {.type = DType::kFloat32, .shape = {1, 4}, .shape_signature = {-1, 4}},
                SqueezeOptions{.dims = {2}}));
  return b;
}

TEST(Import, UnknownBatchIsOneAndEveryShapeFollowsFromTheInputs) {
  const Imported imported = Imported1(DynamicModel({-1, 4, 4, 1}));
  const ir::Graph& graph = imported.graph;
  ASSERT_EQ(graph.ops.size(), 4U);
  EXPECT_EQ(graph[graph.ops[0].outputs[0]].shape, (Shape{1, 2, 2, 2}));
  EXPECT_EQ(graph[graph.ops[1].outputs[0]].shape, (Shape{2, 4}));  // the file says [1,4]
  EXPECT_EQ(graph[graph.ops[2].outputs[0]].shape, (Shape{2, 4, 1}));
  EXPECT_EQ(graph[graph.outputs[0]].shape, (Shape{2, 4}));
  ASSERT_EQ(imported.notes.size(), 1U);
  EXPECT_EQ(imported.notes[0].where, "input 'x'");
  EXPECT_EQ(imported.notes[0].message, "batch dimension -1 taken as 1");
}

TEST(Import, AGivenShapeIsInferredThrough) {
  const Imported imported =
      Imported1(DynamicModel({-1, -1, -1, 1}), {.shapes = {{"x", {3, 6, 4, 1}}}});
  const ir::Graph& graph = imported.graph;
  ASSERT_EQ(graph.ops.size(), 4U);
  EXPECT_EQ(graph[graph.inputs[0]].shape, (Shape{3, 6, 4, 1}));
  EXPECT_EQ(graph[graph.ops[0].outputs[0]].shape, (Shape{3, 3, 2, 2}));
  EXPECT_EQ(graph[graph.outputs[0]].shape, (Shape{9, 4}));
  EXPECT_TRUE(imported.notes.empty());
}

TEST(Import, ShapesThatOnlyAReshapeNeedsAreLeftOut) {
  TfliteBuilder b;
  const int x =
      b.Input({.name = "x", .type = DType::kFloat32, .shape = {1, 6}, .shape_signature = {-1, 6}});
  const int shape = b.Op("SHAPE", {x}, {.type = DType::kInt32, .shape = {2}});
  const int part = b.Op("SQUEEZE", {shape}, {.type = DType::kInt32, .shape = {2}});  // supported
  b.Output(b.Op("RESHAPE", {x, part},
                {.type = DType::kFloat32, .shape = {1, 2, 3}, .shape_signature = {-1, 2, 3}}));
  const Imported imported = Imported1(b);
  EXPECT_TRUE(imported.unsupported.empty());
  EXPECT_EQ(imported.graph.ops.size(), 1U);
  ASSERT_EQ(imported.notes.size(), 2U);
  EXPECT_EQ(imported.notes[1].message,
            "left out, since no output needs what they compute: op 0 SHAPE");
}

TEST(Import, EveryUnsupportedOperatorIsListed) {
  TfliteBuilder b;
  const int x = b.Input({.type = DType::kFloat32, .shape = {1, 2}});
  const int y = b.Op("CUSTOM:Mine", {x}, {.name = "y", .type = DType::kFloat32, .shape = {1, 2}});
  const int z = b.Op("RELU", {y}, {.type = DType::kFloat32, .shape = {1, 2}});
  b.Output(b.Op("STABLEHLO_CASE", {z}, {.type = DType::kFloat32, .shape = {1, 2}}));
  const Imported imported = Imported1(b);
  ASSERT_EQ(imported.unsupported.size(), 2U);
  EXPECT_EQ(imported.unsupported[0].name, "CUSTOM:Mine");
  EXPECT_EQ(imported.unsupported[0].source_index, 0);
  EXPECT_EQ(imported.unsupported[0].outputs, std::vector<ir::TensorId>{ir::TensorId{1}});
  EXPECT_EQ(imported.unsupported[1].name, "STABLEHLO_CASE");
  EXPECT_EQ(imported.graph.ops.size(), 1U);
}

TEST(Import, ReadsFilesAtAnyAddress) {
  const std::vector<uint8_t> bytes = DynamicModel({-1, 4, 4, 1}).Build();
  std::vector<uint8_t> shifted(bytes.size() + 1);
  std::copy(bytes.begin(), bytes.end(), shifted.begin() + 1);
  EXPECT_TRUE(Import(std::span(shifted).subspan(1), {}).has_value());
}

}  // namespace
}  // namespace usmp::import
