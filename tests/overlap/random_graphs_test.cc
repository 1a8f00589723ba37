// Random graphs, planned and run in one arena, against the same calls on buffers that are apart:
// overlaps, scan directions and orders together.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "lower/extract_buffers.h"
#include "lower/lower.h"
#include "lower/order.h"
#include "overlap/placed_program.h"
#include "overlap/random_graph.h"
#include "overlap/random_operator.h"
#include "overlap/replay.h"

namespace usmp::testing {
namespace {

std::vector<ByteVector> RunApart(lower::Program& program, const ByteVector& input) {
  std::vector<ByteVector> buffers;
  std::vector<void*> addresses;
  for (const lower::Buffer& buffer : program.buffers) {
    buffers.push_back(buffer.kind == BufferKind::kConstant
                          ? buffer.data
                          : ByteVector(static_cast<size_t>(buffer.size_bytes()), 0xA5));
  }
  for (ByteVector& buffer : buffers) addresses.push_back(buffer.data());
  return RunAt(program, addresses, input);
}

bool HasReverse(const lower::Program& program) {
  return std::ranges::any_of(program.calls, [](const lower::Call& call) {
    return std::ranges::any_of(call.params, [](const lower::Param& param) {
      return param.name == "reverse" && param.value == lower::ParamValue(int64_t{1});
    });
  });
}

void CheckGraphs(bool is_float) {
  Random random(7);
  Bytes planned_bytes = 0, live_bytes = 0;
  int reversed = 0;
  for (int i = 0; i < 120; ++i) {
    const ir::Graph graph = MakeRandomGraph(random, RandomInt(random, 2, 12), is_float);
    auto program = lower::Lower(graph);
    ASSERT_TRUE(program) << program.error().diagnostics[0].message;
    const ByteVector input = RandomValues(random, graph[graph.inputs[0]]);
    const std::vector<ByteVector> expected = RunApart(*program, input);
    const PlacedProgram placed = PlaceInOnePool(*program);
    ASSERT_EQ(RunPlaced(placed, input), expected) << "graph " << i;
    ASSERT_EQ(Replay(placed.program, placed.allocations), std::nullopt) << "graph " << i;
    const lower::Order order = lower::FindOrder(*program, {.io = lower::AllIo(*program)});
    const PlacedProgram reordered = PlaceInOnePool(lower::Reordered(*program, order.calls));
    ASSERT_EQ(RunPlaced(reordered, input), expected) << "graph " << i << ", reordered";
    ASSERT_EQ(Replay(reordered.program, reordered.allocations), std::nullopt) << "graph " << i;
    planned_bytes += placed.arena_bytes;
    live_bytes +=
        lower::FindOrder(*program, {.io = lower::AllIo(*program), .overlap = false}).peak_bytes;
    reversed += HasReverse(placed.program) ? 1 : 0;
  }
  // Not a test of the planner, but of this one: overlaps are there, in both directions.
  EXPECT_LT(planned_bytes, live_bytes * 9 / 10);
  EXPECT_GT(reversed, 5);
}

TEST(RandomGraphs, ComputeTheSameInTheirPlanInt8) { CheckGraphs(/*is_float=*/false); }
TEST(RandomGraphs, ComputeTheSameInTheirPlanFloat32) { CheckGraphs(/*is_float=*/true); }

}  // namespace
}  // namespace usmp::testing
