// What the replay finds in plans that were made wrong on purpose is what a run of them shows.
#include "overlap/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "lower/extract_buffers.h"
#include "lower/lower.h"
#include "overlap/placed_program.h"
#include "overlap/random_graph.h"
#include "overlap/random_operator.h"
#include "stream/form_group.h"
#include "stream/schedule.h"

namespace usmp::testing {
namespace {

// Moves one buffer by a few elements, within the arena.
void MoveOne(Random& random, PlacedProgram& placed) {
  std::vector<size_t> movable;
  for (size_t i = 0; i < placed.allocations.size(); ++i) {
    if (placed.allocations[i]) movable.push_back(i);
  }
  const size_t i =
      movable[static_cast<size_t>(RandomInt(random, 0, static_cast<int>(movable.size()) - 1))];
  const lower::Buffer& buffer = placed.program.buffers[i];
  Bytes& offset = placed.allocations[i]->byte_offset;
  offset += RandomInt(random, -12, 12) * ElementBytes(buffer.element);
  offset = std::clamp<Bytes>(offset, 0, placed.arena_bytes - buffer.size_bytes());
}

class ReplayAgrees : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(All, ReplayAgrees, ::testing::Values(false, true),
                         [](const auto& row) { return row.param ? "float32" : "int8"; });

// Not the other way round: a byte may be overwritten by its own value, or make no difference.
TEST_P(ReplayAgrees, WhatItAcceptsComputesTheSame) {
  Random random(11);
  int accepted = 0, wrong = 0, refused = 0;
  for (int i = 0; i < 300; ++i) {
    const ir::Graph graph = MakeRandomGraph(random, RandomInt(random, 2, 9), GetParam());
    const auto program = lower::Lower(graph);
    ASSERT_TRUE(program);
    PlacedProgram placed = PlaceInOnePool(*program);
    const ByteVector input = RandomValues(random, graph[graph.inputs[0]]);
    const std::vector<ByteVector> expected = RunPlaced(placed, input);
    MoveOne(random, placed);
    const auto failure = Replay(placed.program, placed.allocations);
    const bool is_right = RunPlaced(placed, input) == expected;
    EXPECT_TRUE(is_right || failure) << "graph " << i;
    (failure ? refused : accepted) += 1;
    wrong += is_right ? 0 : 1;
  }
  EXPECT_GT(accepted, 50);
  EXPECT_GT(wrong, refused * 3 / 4);
}

// The longest runs of calls that can run row by row, whether or not that needs less.
lower::Program ByRows(Random& random, const lower::Program& program) {
  const stream::Uses uses = stream::CollectUses(program);
  lower::Program by_rows = program;
  by_rows.calls.clear();
  for (size_t begin = 0; begin < program.calls.size();) {
    size_t end = program.calls.size();
    std::optional<stream::Schedule> schedule;
    const Bytes run_room = RandomInt(random, 0, 64);
    while (end > begin + 1 &&
           !(schedule = stream::MakeSchedule(program, uses, begin, end, run_room))) {
      --end;
    }
    by_rows.calls.push_back(schedule ? stream::FormGroup(program, *schedule, begin, end, by_rows)
                                     : program.calls[begin]);
    begin = end;
  }
  return by_rows;
}

// The same with a row less in that ring.
lower::Program WithLowerRing(const lower::Program& program, size_t index, BufferId ring) {
  lower::Program changed = program;
  auto group = std::make_shared<lower::Group>(*program.calls[index].group);
  for (lower::Strip& strip : group->strips) {
    for (lower::Member& member : strip.members) {
      for (size_t i = 0; i < member.places.size(); ++i) {
        if (member.call.operands[i].buffer == ring) --member.places[i]->ring_rows;
      }
    }
  }
  changed.calls[index].group = group;
  return changed;
}

// The rings of more than one row that strips of the group make.
std::vector<BufferId> RingsOf(const lower::Group& group) {
  std::vector<BufferId> rings;
  for (size_t s = 0; s + 1 < group.strips.size(); ++s) {
    const lower::Member& last = group.strips[s].members.back();
    const auto made =
        std::ranges::find(last.call.operands, lower::Access::kWrite, &lower::Operand::access);
    const auto& place = last.places[static_cast<size_t>(made - last.call.operands.begin())];
    if (place->ring_rows > 1) rings.push_back(*made->buffer);
  }
  return rings;
}

TEST_P(ReplayAgrees, GroupsNeedEveryRow) {
  Random random(12);
  int rings = 0;
  for (int i = 0; i < 200; ++i) {
    const auto program = lower::Lower(MakeRandomGraph(random, RandomInt(random, 2, 9), GetParam()));
    ASSERT_TRUE(program);
    const PlacedProgram placed = PlaceInOnePool(ByRows(random, *program));
    ASSERT_EQ(Replay(placed.program, placed.allocations), std::nullopt) << "graph " << i;
    for (size_t c = 0; c < placed.program.calls.size(); ++c) {
      if (!placed.program.calls[c].group) continue;
      for (BufferId ring : RingsOf(*placed.program.calls[c].group)) {
        ++rings;
        EXPECT_TRUE(Replay(WithLowerRing(placed.program, c, ring), placed.allocations))
            << "graph " << i;
      }
    }
  }
  EXPECT_GT(rings, 50);
}

// Right at the distance that a group declares of an input, wrong a byte below.
TEST_P(ReplayAgrees, DistancesOfGroupsAreTight) {
  Random random(13);
  int distances = 0;
  for (int i = 0; i < 200; ++i) {
    const auto program = lower::Lower(MakeRandomGraph(random, RandomInt(random, 2, 9), GetParam()));
    ASSERT_TRUE(program);
    PlacedProgram placed = PlaceInOnePool(ByRows(random, *program));
    for (const lower::Call& call : placed.program.calls) {
      if (!call.group) continue;
      for (const lower::CallOverlap& overlap : call.overlaps) {
        if (program->inputs[0] != overlap.input || placed.program.calls.size() > 1) continue;
        PlacedProgram moved = placed;
        Bytes& input = moved.allocations[static_cast<size_t>(overlap.input)]->byte_offset;
        // Everything else stays out of the way of the two.
        moved.allocations[static_cast<size_t>(overlap.output)]->byte_offset =
            placed.arena_bytes + placed.program[overlap.input].size_bytes();
        input = moved.allocations[static_cast<size_t>(overlap.output)]->byte_offset +
                *overlap.forward_distance;
        EXPECT_EQ(Replay(moved.program, moved.allocations), std::nullopt) << "graph " << i;
        --input;
        EXPECT_TRUE(Replay(moved.program, moved.allocations)) << "graph " << i;
        ++distances;
      }
    }
  }
  EXPECT_GT(distances, 5);
}

}  // namespace
}  // namespace usmp::testing
