#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "import/importer.h"
#include "ir/print.h"
#include "passes/pipeline.h"
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
  EXPECT_EQ(names, "fold_constants\n" + graph + "remove_dead_ops\n" + graph);
}

}  // namespace
}  // namespace usmp::passes
