#include "lower/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "lower/extract_buffers.h"

namespace usmp::lower {
namespace {

using Random = std::mt19937;

int RandomInt(Random& random, int low, int high) {  // both included
  return low + static_cast<int>(random() % (static_cast<uint32_t>(high - low) + 1U));
}

// Calls that each read one or two earlier buffers and write a new one; what nobody reads is an
// output.
Program RandomProgram(Random& random, int calls) {
  Program program;
  std::vector<bool> is_read;
  const auto add_buffer = [&](BufferKind kind) {
    program.buffers.push_back({.kind = kind, .count = RandomInt(random, 1, 9)});
    is_read.push_back(false);
    return BufferId(program.buffers.size() - 1);
  };
  program.inputs.push_back(add_buffer(BufferKind::kInput));
  for (int i = 0; i < calls; ++i) {
    Call call{.kernel = "copy"};
    for (int reads = RandomInt(random, 1, 2); reads > 0; --reads) {
      const int from = RandomInt(random, 0, static_cast<int>(program.buffers.size()) - 1);
      is_read[static_cast<size_t>(from)] = true;
      call.operands.push_back({BufferId(static_cast<uint32_t>(from)), Access::kRead});
    }
    call.operands.push_back({add_buffer(BufferKind::kIntermediate), Access::kWrite});
    program.calls.push_back(call);
  }
  for (size_t i = 1; i < program.buffers.size(); ++i) {
    if (is_read[i]) continue;
    program.buffers[i].kind = BufferKind::kOutput;
    program.outputs.push_back(BufferId(static_cast<uint32_t>(i)));
  }
  return program;
}

bool IsLegal(const Program& program, const std::vector<size_t>& order) {
  std::vector<bool> written(program.buffers.size(), false);
  written[0] = true;
  for (size_t call : order) {
    for (const Operand& operand : program.calls[call].operands) {
      const auto buffer = static_cast<size_t>(*operand.buffer);
      if (operand.access == Access::kRead && !written[buffer]) return false;
      if (operand.access == Access::kWrite) written[buffer] = true;
    }
  }
  return true;
}

Bytes LiveSumOf(const Program& program) {
  const std::vector<PoolInfo> pools{{.pool_name = "ram"}};
  return LiveSum(ExtractBuffers(program, pools, {.io = AllIo(program), .overlap = false}).problem);
}

Bytes LeastOfAllOrders(const Program& program) {
  std::vector<size_t> order(program.calls.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Bytes least = LiveSumOf(program);
  do {
    if (IsLegal(program, order)) least = std::min(least, LiveSumOf(Reordered(program, order)));
  } while (std::ranges::next_permutation(order).found);
  return least;
}

TEST(Order, IsTheBestOfAll) {
  Random random(1);
  for (int i = 0; i < 30; ++i) {
    const Program program = RandomProgram(random, 2 + i % 5);
    const Order order = FindOrder(program, {.io = AllIo(program), .overlap = false});
    EXPECT_TRUE(order.is_exact);
    EXPECT_TRUE(IsLegal(program, order.calls));
    EXPECT_EQ(order.peak_bytes, LeastOfAllOrders(program));
    EXPECT_EQ(LiveSumOf(Reordered(program, order.calls)), order.peak_bytes);
  }
}

TEST(Order, StaysLegalAndNoWorseWithLittleEffort) {
  Random random(2);
  for (int i = 0; i < 5; ++i) {
    const Program program = RandomProgram(random, 30);
    const Order order =
        FindOrder(program, {.io = AllIo(program), .overlap = false, .max_states = 100});
    EXPECT_TRUE(IsLegal(program, order.calls));
    EXPECT_LE(order.peak_bytes, LiveSumOf(program));
    EXPECT_EQ(LiveSumOf(Reordered(program, order.calls)), order.peak_bytes);
  }
}

//   input 4 -> a 20 -> b 2 -.
//         \--> c 20 -> d 2 --> sum 2       a b c d needs 26, a c b d 46
TEST(Order, FinishesABranchBeforeTheNext) {
  Program program;
  for (int64_t count : {4, 20, 2, 20, 2, 2}) program.buffers.push_back({.count = count});
  program.buffers[0].kind = BufferKind::kInput;
  program.buffers[5].kind = BufferKind::kOutput;
  program.inputs = {BufferId{0}};
  program.outputs = {BufferId{5}};
  const auto add = [&](std::vector<uint32_t> reads, uint32_t write) {
    Call call;
    for (uint32_t read : reads) call.operands.push_back({BufferId(read), Access::kRead});
    call.operands.push_back({BufferId(write), Access::kWrite});
    program.calls.push_back(call);
  };
  add({0}, 1);
  add({0}, 3);
  add({1}, 2);
  add({3}, 4);
  add({2, 4}, 5);
  const Order order = FindOrder(program, {.io = AllIo(program), .overlap = false});
  EXPECT_EQ(order.peak_bytes, 26);
  EXPECT_TRUE(order.is_exact);
}

// The output of the second call may lie where its dying input is.
TEST(Order, CountsWhatAnOverlapNeeds) {
  Program program;
  for (int64_t count : {10, 10, 10}) program.buffers.push_back({.count = count});
  program.buffers[0].kind = BufferKind::kInput;
  program.buffers[2].kind = BufferKind::kOutput;
  program.inputs = {BufferId{0}};
  program.outputs = {BufferId{2}};
  for (uint32_t i = 0; i < 2; ++i) {
    const BufferId input{i}, output{i + 1};
    program.calls.push_back({.operands = {{input, Access::kRead}, {output, Access::kWrite}},
                             .overlaps = {{input, output, 3, {}}}});
  }
  EXPECT_EQ(FindOrder(program, {.io = AllIo(program)}).peak_bytes, 13);
  EXPECT_EQ(FindOrder(program, {.io = AllIo(program), .overlap = false}).peak_bytes, 20);
}

}  // namespace
}  // namespace usmp::lower
