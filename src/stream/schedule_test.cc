// Ring heights and distances of small schedules, worked out by hand.
#include "stream/schedule.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace usmp::stream {
namespace {

using lower::Access;
using lower::Call;
using lower::Program;
using lower::RowInput;
using lower::RowKind;

struct Window {
  int32_t kernel = 3, stride = 1, pad = 1, dilation = 1;
  std::optional<int32_t> pad_bottom{};  // absent: as `pad`, which is the top's
};

// One pixel of ten bytes to a row, so that rows are all there is.
class Chain {
 public:
  static constexpr Bytes kRow = 10;

  explicit Chain(int32_t height) { input_ = Add(height, BufferKind::kInput); }

  BufferId input() const { return input_; }

  BufferId Windowed(BufferId x, const Window& w) {
    const int32_t in = Height(x);
    const int32_t span = (w.kernel - 1) * w.dilation + 1;
    const int32_t padded = in + w.pad + w.pad_bottom.value_or(w.pad);
    const int32_t height = (padded - span) / w.stride + 1;
    return Make({x}, height, RowKind::kWindow,
                {.operand = 0,
                 .height = in,
                 .kernel_h = w.kernel,
                 .stride_h = w.stride,
                 .dilation_h = w.dilation,
                 .pad_top = w.pad});
  }

  BufferId Sum(BufferId a, BufferId b) {
    return Make({a, b}, Height(a), RowKind::kPointwise, {.height = Height(a)});
  }

  Schedule Finish() const {
    const Uses uses = CollectUses(program_);
    const auto schedule = MakeSchedule(program_, uses, 0, program_.calls.size(), 0);
    EXPECT_TRUE(schedule);
    return schedule.value_or(Schedule{});
  }

  const Program& program() const { return program_; }

 private:
  int32_t Height(BufferId id) const { return static_cast<int32_t>(program_[id].count / kRow); }

  BufferId Add(int32_t height, BufferKind kind) {
    program_.buffers.push_back({.kind = kind, .count = height * kRow});
    return BufferId{static_cast<uint32_t>(program_.buffers.size() - 1)};
  }

  BufferId Make(const std::vector<BufferId>& inputs, int32_t height, RowKind kind, RowInput input) {
    const BufferId output = Add(height, BufferKind::kIntermediate);
    Call call{.rows = lower::RowAccess{.kind = kind, .height = height}};
    for (BufferId id : inputs) {
      input.operand = call.operands.size();
      call.rows->inputs.push_back(input);
      call.operands.push_back({id, Access::kRead});
    }
    call.operands.push_back({output, Access::kWrite});
    program_.calls.push_back(std::move(call));
    return output;
  }

  Program program_{};
  BufferId input_{};
};

std::vector<int32_t> Rings(const Schedule& schedule) {
  std::vector<int32_t> rings;
  for (size_t i = 0; i + 1 < schedule.strips.size(); ++i) {
    rings.push_back(schedule.strips[i].ring_rows);
  }
  return rings;
}

using Heights = std::vector<int32_t>;

TEST(Schedule, ARingHoldsTheRowsOfOneWindow) {
  struct Row {
    Window window;
    int32_t ring;
  };
  for (const Row& row : {Row{{.kernel = 3}, 3}, Row{{.kernel = 5, .pad = 2}, 5},
                         Row{{.kernel = 3, .pad = 2, .dilation = 2}, 5},
                         Row{{.kernel = 3, .stride = 2, .pad = 0}, 3},
                         Row{{.kernel = 1, .stride = 3, .pad = 0}, 1}}) {
    Chain chain(16);
    chain.Windowed(chain.Windowed(chain.input(), {}), row.window);
    EXPECT_EQ(Rings(chain.Finish()), Heights{row.ring});
  }
}

// Row r of the sum needs row r + 1 of the first convolution, which needs rows r to r + 2 of x.
TEST(Schedule, ASkipWaitsForTheOtherBranch) {
  Chain chain(16);
  const BufferId x = chain.Windowed(chain.input(), {});
  const BufferId a = chain.Windowed(x, {});
  chain.Sum(chain.Windowed(a, {}), x);
  EXPECT_EQ(Rings(chain.Finish()), (Heights{3, 3}));
}

// Row r of the sum needs row 2 r of x; row r + 1 of the first convolution needs row 2 r + 4.
TEST(Schedule, AStridedShortcutKeepsFiveRows) {
  Chain chain(16);
  const BufferId x = chain.Windowed(chain.input(), {});
  const BufferId a = chain.Windowed(x, {.stride = 2, .pad = 0, .pad_bottom = 1});
  const BufferId b = chain.Windowed(a, {});
  chain.Sum(b, chain.Windowed(x, {.kernel = 1, .stride = 2, .pad = 0}));
  EXPECT_EQ(Rings(chain.Finish()), (Heights{5, 3}));
}

// When row r is written, the first convolution has made rows 0 to r + 1, and its row r + 2 reads
// from row r + 1 on: the output may lie exactly over the input.
TEST(Schedule, TwoConvolutionsRunInPlace) {
  Chain chain(16);
  chain.Windowed(chain.Windowed(chain.input(), {}), {});
  const Schedule schedule = chain.Finish();
  ASSERT_EQ(schedule.inputs.size(), 1U);
  EXPECT_EQ(schedule.inputs[0].forward_distance, 0);
}

// Row r of the output is row r - 1 of the middle one, whose next row reads from row r - 1 of the
// input on: two rows too far.
TEST(Schedule, PaddingPushesTheOutputAway) {
  Chain chain(16);
  chain.Windowed(chain.Windowed(chain.input(), {.kernel = 1, .pad = 1}), {.kernel = 1, .pad = 1});
  const Schedule schedule = chain.Finish();
  ASSERT_EQ(schedule.inputs.size(), 1U);
  EXPECT_EQ(schedule.inputs[0].forward_distance, 2 * Chain::kRow);
}

TEST(Schedule, ResultsUsedOutsideAreNotForRings) {
  Chain chain(16);
  const BufferId a = chain.Windowed(chain.input(), {});
  const BufferId b = chain.Windowed(a, {});
  chain.Sum(a, b);
  const Uses uses = CollectUses(chain.program());
  EXPECT_FALSE(MakeSchedule(chain.program(), uses, 0, 2, 0));  // the sum still reads a
  EXPECT_TRUE(MakeSchedule(chain.program(), uses, 0, 3, 0));
}

}  // namespace
}  // namespace usmp::stream
