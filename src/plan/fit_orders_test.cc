#include "plan/fit_orders.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/occupied.h"
#include "plan/random.h"
#include "plan/score.h"
#include "problems/make_problem.h"

namespace usmp::plan {
namespace {

using testing::FromLifetimes;
using testing::Text;

constexpr uint32_t kRanks = 11;
constexpr Bytes kBytes = 200;

// A table of who takes which byte at which rank.
struct Plain {
  std::vector<std::vector<bool>> taken =
      std::vector<std::vector<bool>>(kRanks, std::vector<bool>(kBytes, false));

  bool IsFree(std::span<const RankRange> life, ByteRange bytes) const {
    for (const RankRange& range : life) {
      for (uint32_t rank = range.begin; rank < range.end; ++rank) {
        for (Bytes at = bytes.begin; at < bytes.end; ++at) {
          if (taken[rank][static_cast<size_t>(at)]) return false;
        }
      }
    }
    return true;
  }
};

TEST(Occupied, FindsTheLowestFreeBytes) {
  Random random(1);
  Occupied occupied(kRanks);
  for (int round = 0; round < 50; ++round) {
    occupied.Clear();
    Plain plain;
    for (int i = 0; i < 12; ++i) {
      const auto begin = static_cast<uint32_t>(random.Below(kRanks - 1));
      const auto end = static_cast<uint32_t>(begin + 1 + random.Below(kRanks - begin));
      std::vector<RankRange> life = {{begin, std::min(end, kRanks)}};
      if (life[0].end + 1 < kRanks && random.Below(3) == 0) life.push_back({kRanks - 1, kRanks});
      const auto size = static_cast<Bytes>(1 + random.Below(7));
      const Bytes alignment = Bytes{1} << random.Below(3);
      const auto after = static_cast<Bytes>(random.Below(20));
      const NoStart barrier[] = {{after, after + 5}};
      Bytes expected = 0;
      while (!plain.IsFree(life, {expected, expected + size}) ||
             (after < expected && expected < after + 5)) {
        expected += alignment;
      }
      ASSERT_EQ(occupied.LowestFree(life, size, alignment, barrier), expected);
      occupied.Take(life, {expected, expected + size});
      for (const RankRange& range : life) {
        for (uint32_t rank = range.begin; rank < range.end; ++rank) {
          for (Bytes at = expected; at < expected + size; ++at) {
            plain.taken[rank][static_cast<size_t>(at)] = true;
          }
        }
      }
    }
  }
}

// With all that the types allow; MakePlan verifies what comes out.
PlanProblem Mixed(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<BufferInfo> buffers;
  for (size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<int32_t>(random.Below(count));
    BufferInfo buffer{.size_bytes = static_cast<Bytes>(random.Below(500)),
                      .alignment = Bytes{1} << random.Below(5),
                      .pool_candidates = {PoolId(i % 3 == 0 ? 1 : 0), PoolId(i % 3 == 0 ? 0 : 1)}};
    buffer.lifetimes = {{begin, begin + 1 + static_cast<int32_t>(random.Below(30))}};
    if (random.Below(8) == 0) {
      const int32_t again = buffer.lifetimes[0].end + 3;
      buffer.lifetimes.push_back({again, again + 5});
    }
    buffers.push_back(std::move(buffer));
  }
  buffers[0].pinned = PoolAllocation{PoolId(1), 512};
  PlanProblem problem = FromLifetimes(
      buffers, {{.pool_name = "fast", .size_hint_bytes = 4096}, {.pool_name = "slow"}});
  for (size_t i = 0; i + 1 < count; ++i) {
    PlanProblem with = problem;
    with.overlaps.push_back({BufferId(i), BufferId(i + 1), -5});
    if (i < 200 && CheckProblem(with)) problem.overlaps = with.overlaps;
  }
  return problem;
}

TEST(FitOrders, IsNeverWorseWithMoreSteps) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const PlanProblem problem = Mixed(400, seed);
    Score before{.excess = INT64_MAX};
    for (int64_t steps : {1, 500, 2'000, 8'000}) {
      const Result<Plan> plan =
          MakePlan(problem, *FindAlgorithm("fit_orders"), {.seed = seed, .max_steps = steps});
      ASSERT_TRUE(plan) << Text(plan.error());
      Tally tally{.pool_sizes = {0, 0}};
      for (size_t i = 0; i < problem.buffers.size(); ++i) {
        tally.Add(problem, BufferId(i), plan->allocations[i]);
      }
      EXPECT_LE(tally.score, before) << steps;
      before = tally.score;
    }
  }
}

// Each output is as large as its input, which dies there: in place, one buffer is enough.
TEST(FitOrders, MakesUseOfOverlaps) {
  std::vector<BufferInfo> buffers;
  for (int32_t i = 0; i < 500; ++i) {
    buffers.push_back({.size_bytes = 64, .lifetimes = {{i, i + 2}}});
  }
  PlanProblem problem = FromLifetimes(buffers);
  for (size_t i = 0; i + 1 < buffers.size(); ++i) {
    problem.overlaps.push_back({BufferId(i), BufferId(i + 1), 0});
  }
  const Result<Plan> plan = MakePlan(problem, *FindAlgorithm("fit_orders"));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->pool_sizes[0], 64);
}

// All in conflict with all: 12 million pairs, of which none is looked at.
TEST(Auto, TakesNoTimeForThousandsAliveAtOnce) {
  std::vector<BufferInfo> buffers;
  Bytes total = 0;
  for (int32_t i = 0; i < 5000; ++i) {
    buffers.push_back({.size_bytes = 16 + i % 7, .lifetimes = {{0, 3}}});
    total += 16 + i % 7;
  }
  const Result<Plan> plan =
      MakePlan(FromLifetimes(buffers), *FindAlgorithm("auto"), {.max_steps = 10'000});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->pool_sizes[0], total);
  EXPECT_EQ(plan->proof, Proof::kMeetsLowerBound);
}

// Illegal plans too are found out without looking at every pair.
TEST(VerifyPlan, TakesNoTimeForChainsInPlace) {
  std::vector<BufferInfo> buffers;
  for (int32_t i = 0; i < 20'000; ++i) {
    buffers.push_back({.size_bytes = 64, .lifetimes = {{i, i + 2}}});
  }
  PlanProblem problem = FromLifetimes(buffers);
  for (size_t i = 0; i + 1 < buffers.size(); ++i) {
    problem.overlaps.push_back({BufferId(i), BufferId(i + 1), 0});
  }
  Plan plan{.allocations = std::vector<PoolAllocation>(buffers.size()), .pool_sizes = {64}};
  EXPECT_TRUE(VerifyPlan(problem, plan));
  plan.allocations[7'000].byte_offset = 1;  // legal above the buffer before it, not below the next
  plan.pool_sizes[0] = 65;
  const Result<void> verified = VerifyPlan(problem, plan);
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().diagnostics.size(), 1U) << Text(verified.error());
}

}  // namespace
}  // namespace usmp::plan
