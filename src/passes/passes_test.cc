#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "import/importer.h"
#include "ir/print.h"
#include "passes/fold_padding.h"
#include "passes/pipeline.h"
#include "passes/quantized_io.h"
#include "support/tflite_builder.h"

namespace usmp::passes {
namespace {

using namespace usmp::testing;  // NOLINT: the builder's vocabulary
using ir::DType;

ir::Graph AfterPasses(const TfliteBuilder& b) {
  auto imported = import::Import(b.Build(), {});
  if (!imported) return {};
  auto graph = RunPasses(std::move(imported->graph), {});
  return graph ? *std::move(graph) : ir::Graph{};
}

std::vector<float> Floats(const ir::Tensor& tensor) {
  std::vector<float> values(tensor.data == nullptr ? 0 : tensor.data->size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), tensor.data->data(), tensor.data->size());
  return values;
}

// The output of a model that only dequantizes a constant.
std::vector<float> Dequantized(const TensorSpec& spec, std::vector<uint8_t> data) {
  TfliteBuilder b;
  const int c = b.Constant(spec, std::move(data));
  b.Output(b.Op("DEQUANTIZE", {c}, {.type = DType::kFloat32, .shape = spec.shape}));
  const ir::Graph graph = AfterPasses(b);
  if (graph.outputs.empty() || !graph.ops.empty()) return {};
  return Floats(graph[graph.outputs[0]]);
}

TEST(FoldConstants, Float16) {
  // One, the largest, -2, the smallest normal and subnormal number, minus zero and infinity.
  EXPECT_EQ(
      Dequantized({.type = DType::kFloat16, .shape = {7}},
                  ToBytes<uint16_t>({0x3C00, 0x7BFF, 0xC000, 0x0400, 0x0001, 0x8000, 0x7C00})),
      (std::vector<float>{1.0F, 65504.0F, -2.0F, 0x1p-14F, 0x1p-24F, -0.0F,
                          std::numeric_limits<float>::infinity()}));
}

TEST(FoldConstants, Integers) {
  EXPECT_EQ(Dequantized({.shape = {3}, .scales = {0.5F}, .zero_points = {-128}},
                        ToBytes<int8_t>({-128, 0, 127})),
            (std::vector<float>{0.0F, 64.0F, 127.5F}));
  EXPECT_EQ(
      Dequantized({.type = DType::kUInt8, .shape = {2}, .scales = {2.0F}, .zero_points = {255}},
                  {0, 255}),
      (std::vector<float>{-510.0F, 0.0F}));
  // Channels in the middle: [2,3,1] by dimension 1.
  EXPECT_EQ(Dequantized({.shape = {2, 3, 1}, .scales = {1, 10, 100}, .axis = 1},
                        ToBytes<int8_t>({1, 2, 3, 4, 5, 6})),
            (std::vector<float>{1, 20, 300, 4, 50, 600}));
}

TEST(FoldConstants, ThroughReshape) {
  TfliteBuilder b;
  const int x = b.Input({.type = DType::kFloat32, .shape = {1, 2}});
  const int c =
      b.Constant({.type = DType::kFloat16, .shape = {2}}, ToBytes<uint16_t>({0x3C00, 0xC000}));
  const int d = b.Op("DEQUANTIZE", {c}, {.type = DType::kFloat32, .shape = {2}});
  const int r = b.Op("RESHAPE", {d}, {.type = DType::kFloat32, .shape = {1, 2}});
  b.Output(b.Op("ADD", {x, r}, {.type = DType::kFloat32, .shape = {1, 2}}));
  const ir::Graph graph = AfterPasses(b);
  ASSERT_EQ(graph.ops.size(), 1U);
  EXPECT_EQ(Floats(graph[graph.ops[0].inputs[1]]), (std::vector<float>{1.0F, -2.0F}));
}

TEST(RemoveDeadOps, KeepsWhatTheOutputsNeed) {
  TfliteBuilder b;
  const int x = b.Input({.type = DType::kFloat32, .shape = {2}});
  const TensorSpec spec{.type = DType::kFloat32, .shape = {2}};
  const int unused = b.Op("TANH", {x}, spec);
  b.Op("RELU", {unused}, spec);
  b.Output(b.Op("RELU6", {x}, spec));
  const ir::Graph graph = AfterPasses(b);
  ASSERT_EQ(graph.ops.size(), 1U);
  EXPECT_EQ(graph.ops[0].kind, ir::OpKind::kRelu6);
}

// PAD %1 of %0, then a 3x3 convolution %2 of it, for a padding of `top` rows with `value`.
ir::Graph PaddedConvolution(int32_t top, std::optional<double> value) {
  ir::Graph graph;
  const auto add = [&](const std::vector<int32_t>& shape) {
    graph.tensors.push_back({.dtype = ir::DType::kInt8,
                             .shape = shape,
                             .quantization = {.scales = {1.0F}, .zero_points = {-5}}});
    return ir::TensorId(graph.tensors.size() - 1);
  };
  const ir::TensorId x = add({1, 6, 6, 1}), padded = add({1, 6 + top, 6, 1});
  const ir::TensorId y = add({1, 4 + top, 4, 1}), weights = add({1, 3, 3, 1});
  graph[weights].data = std::make_shared<std::vector<uint8_t>>(9);
  graph.ops.push_back({.kind = ir::OpKind::kPad,
                       .inputs = {x},
                       .outputs = {padded},
                       .attributes = ir::PadAttrs{
                           .before = {0, top, 0, 0}, .after = {0, 0, 0, 0}, .value = value}});
  graph.ops.push_back({.kind = ir::OpKind::kConv2d,
                       .inputs = {padded, weights, ir::kNoTensor},
                       .outputs = {y},
                       .attributes = ir::Conv2dAttrs{.window = {.kernel_h = 3, .kernel_w = 3}}});
  graph.inputs = {x};
  graph.outputs = {y};
  return graph;
}

TEST(FoldPadding, OnlyZeroAndLessThanAWindow) {
  struct Row {
    int32_t top;
    std::optional<double> value;
    bool folds;
  };
  for (const Row& row :
       {Row{2, {}, true}, Row{1, -5.0, true}, Row{1, 0.0, false}, Row{3, {}, false}}) {
    const auto graph = FoldPadding(PaddedConvolution(row.top, row.value));
    ASSERT_TRUE(graph.has_value());
    const ir::Op& conv = graph->ops[1];
    EXPECT_EQ(conv.inputs[0], row.folds ? graph->inputs[0] : ir::TensorId{1});
    EXPECT_EQ(std::get<ir::Conv2dAttrs>(conv.attributes).window.padding.top,
              row.folds ? row.top : 0);
  }
}

TEST(FoldPadding, AnotherReaderKeepsThePadding) {
  ir::Graph graph = PaddedConvolution(1, {});
  graph.outputs.push_back(ir::TensorId{1});
  const auto folded = FoldPadding(graph);
  ASSERT_TRUE(folded.has_value());
  EXPECT_EQ(folded->ops[1].inputs[0], ir::TensorId{1});
}

// QUANTIZE, RELU, DEQUANTIZE: only the RELU is left, under the names of the floats.
TEST(QuantizedIo, TakesAndGivesQuantizedTensors) {
  ir::Graph graph;
  const auto add = [&](const std::string& name, ir::DType dtype) {
    graph.tensors.push_back({.name = name, .dtype = dtype, .shape = {3}});
    return ir::TensorId(graph.tensors.size() - 1);
  };
  const ir::TensorId in = add("in", DType::kFloat32), q = add("q", DType::kInt8);
  const ir::TensorId r = add("r", DType::kInt8), out = add("out", DType::kFloat32);
  graph.ops = {{.kind = ir::OpKind::kQuantize, .inputs = {in}, .outputs = {q}},
               {.kind = ir::OpKind::kRelu, .inputs = {q}, .outputs = {r}},
               {.kind = ir::OpKind::kDequantize, .inputs = {r}, .outputs = {out}}};
  graph.inputs = {in};
  graph.outputs = {out};
  const auto quantized = QuantizedIo(std::move(graph));
  ASSERT_TRUE(quantized.has_value());
  EXPECT_EQ(quantized->inputs, std::vector{q});
  EXPECT_EQ(quantized->outputs, std::vector{r});
  EXPECT_EQ((*quantized)[q].name, "in");
  EXPECT_EQ((*quantized)[r].name, "out");
}

TEST(RunPasses, TellsOfEachPass) {
  TfliteBuilder b;
  const int x = b.Input({.type = DType::kFloat32, .shape = {2}});
  b.Output(b.Op("RELU", {x}, {.type = DType::kFloat32, .shape = {2}}));
  auto imported = import::Import(b.Build(), {});
  ASSERT_TRUE(imported.has_value());
  std::string names;
  const PipelineOptions options{.on_pass = [&](std::string_view name, const ir::Graph& graph) {
    names += std::string(name) + "\n" + ir::PrintGraph(graph);
  }};
  ASSERT_TRUE(RunPasses(std::move(imported->graph), options).has_value());
  const std::string graph =
      "graph '' (%0: float32[2])\n"
      "  %1: float32[2] = RELU(%0: float32[2])\n"
      "  return %1: float32[2]\n";
  EXPECT_EQ(names,
            "fold_constants\n" + graph + "fold_padding\n" + graph + "remove_dead_ops\n" + graph);
}

}  // namespace
}  // namespace usmp::passes
