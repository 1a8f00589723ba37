#include "lower/lower.h"

#include <gtest/gtest.h>

namespace usmp::lower {
namespace {

using ir::DType;
using ir::TensorId;

// x -> RELU -> y, and what is left of an operator that was removed: a tensor that nobody uses.
ir::Graph ReluBesideATensor(DType beside) {
  ir::Graph graph;
  graph.tensors = {
      {.name = "x", .shape = {4}}, {.name = "y", .shape = {4}}, {.name = "left", .dtype = beside}};
  graph.ops.push_back(
      {.kind = ir::OpKind::kRelu, .inputs = {TensorId{0}}, .outputs = {TensorId{1}}});
  graph.inputs = {TensorId{0}};
  graph.outputs = {TensorId{1}};
  return graph;
}

TEST(Lower, TensorsThatNobodyUsesMayHaveAnyType) {
  const auto program = Lower(ReluBesideATensor(DType::kOther));
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->buffers.size(), 2U);
}

TEST(Lower, InputsAndOutputsOfUnknownTypeAreRefused) {
  ir::Graph graph = ReluBesideATensor(DType::kOther);
  graph.inputs.push_back(TensorId{2});
  graph.outputs.push_back(TensorId{2});
  const auto program = Lower(graph);
  ASSERT_FALSE(program.has_value());
  EXPECT_EQ(program.error().code, ErrorCode::kUnsupported);
  ASSERT_EQ(program.error().diagnostics.size(), 1U);
  EXPECT_NE(program.error().diagnostics[0].where.find("'left'"), std::string::npos);
}

}  // namespace
}  // namespace usmp::lower
