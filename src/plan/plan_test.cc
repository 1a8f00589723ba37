#include "usmp/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "problems/make_problem.h"

namespace usmp {
namespace {

using testing::FromLifetimes;
using testing::FromPairs;
using testing::Id;
using testing::Pool;
using testing::Text;

TEST(Conflicts, OfLifetimesAreThoseThatShareAStep) {
  const PlanProblem problem = FromLifetimes({
      {.name_hint = "a", .size_bytes = 1, .lifetimes = {{0, 2}, {8, 10}}},
      {.name_hint = "b", .size_bytes = 1, .lifetimes = {{2, 8}}},
      {.name_hint = "c", .size_bytes = 1, .lifetimes = {{1, 3}}},
      {.name_hint = "same as c", .size_bytes = 1, .lifetimes = {{1, 3}}},
  });
  const Conflicts& conflicts = problem.conflicts;
  EXPECT_EQ(conflicts.buffer_count(), 4U);
  EXPECT_EQ(conflicts.ConflictsOf(Id(0)), (std::vector{Id(2), Id(3)}));
  EXPECT_EQ(conflicts.ConflictsOf(Id(1)), (std::vector{Id(2), Id(3)}));
  EXPECT_EQ(conflicts.ConflictsOf(Id(2)), (std::vector{Id(0), Id(1), Id(3)}));
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      const auto of_i = conflicts.ConflictsOf(Id(i));
      EXPECT_EQ(conflicts.AreInConflict(Id(i), Id(j)), std::ranges::count(of_i, Id(j)) == 1);
    }
  }
}

TEST(Conflicts, OfPairsAreSymmetricAndWithoutRepetition) {
  const std::pair<BufferId, BufferId> pairs[] = {{Id(2), Id(0)}, {Id(0), Id(2)}, {Id(1), Id(2)}};
  const Conflicts conflicts = Conflicts::FromPairs(3, pairs);
  EXPECT_FALSE(conflicts.is_implied_by_lifetimes());
  EXPECT_EQ(conflicts.ConflictsOf(Id(2)), (std::vector{Id(0), Id(1)}));
  EXPECT_TRUE(conflicts.AreInConflict(Id(0), Id(2)));
  EXPECT_FALSE(conflicts.AreInConflict(Id(0), Id(1)));
  EXPECT_FALSE(conflicts.AreInConflict(Id(0), Id(0)));
}

// One defect each; the text must name it.
TEST(CheckProblem, NamesEveryDefect) {
  struct Case {
    const char* expected;
    PlanProblem problem;
  };
  const BufferInfo ok = {.name_hint = "x", .size_bytes = 8, .lifetimes = {{0, 2}}};
  auto with = [&ok](auto change) {
    BufferInfo buffer = ok;
    change(buffer);
    return FromLifetimes({ok, buffer}, {{.pool_name = "ram", .size_hint_bytes = 100}});
  };
  const Case cases[] = {
      {"size -1 is negative", with([](BufferInfo& b) { b.size_bytes = -1; })},
      {"alignment 3 is not a power of two", with([](BufferInfo& b) { b.alignment = 3; })},
      {"alignment 0 is not a power of two", with([](BufferInfo& b) { b.alignment = 0; })},
      {"is only aligned to 16: raise", with([](BufferInfo& b) { b.alignment = 32; })},
      {"names pool number 7", with([](BufferInfo& b) { b.pool_candidates = {Pool(7)}; })},
      {"names pool 'ram' twice", with([](BufferInfo& b) {
         b.pool_candidates = {Pool(0), Pool(0)};
       })},
      {"lifetime [2, 2) holds no step", with([](BufferInfo& b) {
         b.lifetimes = {{2, 2}};
       })},
      {"not ascending and disjoint", with([](BufferInfo& b) {
         b.lifetimes = {{0, 3}, {2, 4}};
       })},
      {"has no lifetime", with([](BufferInfo& b) { b.lifetimes = {}; })},
      {"more than 2^60 bytes", with([](BufferInfo& b) { b.size_bytes = INT64_MAX; })},
      {"not a multiple of its alignment", with([](BufferInfo& b) {
         b.alignment = 4, b.pinned = PoolAllocation{Pool(0), 2};
       })},
      {"has only 100 bytes", with([](BufferInfo& b) {
         b.pinned = PoolAllocation{Pool(0), 93};
       })},
      {"pool that does not exist", with([](BufferInfo& b) {
         b.pinned = PoolAllocation{Pool(9), 0};
       })},
      {"is written at run time",
       FromLifetimes({ok}, {{.pool_name = "flash", .kind = PoolKind::kConstant}})},
      {"used twice", FromLifetimes({ok}, {{.pool_name = "a"}, {.pool_name = "a"}})},
  };
  for (const Case& c : cases) {
    const Result<void> checked = CheckProblem(c.problem);
    ASSERT_FALSE(checked) << c.expected;
    EXPECT_EQ(checked.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(Text(checked.error()).find(c.expected), std::string::npos)
        << c.expected << "\n--- is not in ---\n"
        << Text(checked.error());
  }
  EXPECT_TRUE(CheckProblem(with([](BufferInfo&) {})));
}

TEST(CheckProblem, NamesPinsThatCollide) {
  const PlanProblem problem = FromLifetimes({
      {.name_hint = "P", .size_bytes = 4, .lifetimes = {{0, 2}}, .pinned = {{Pool(0), 0}}},
      {.name_hint = "Q", .size_bytes = 4, .lifetimes = {{1, 3}}, .pinned = {{Pool(0), 2}}},
  });
  const Result<void> checked = CheckProblem(problem);
  ASSERT_FALSE(checked);
  EXPECT_NE(
      Text(checked.error()).find("buffers 'P' and 'Q': are pinned where they share bytes 2..4"),
      std::string::npos)
      << Text(checked.error());
}

TEST(CheckProblem, OverlapsAreBetweenBuffersThatMeetOnce) {
  PlanProblem problem = FromLifetimes({
      {.name_hint = "in", .size_bytes = 8, .lifetimes = {{0, 2}}},
      {.name_hint = "out", .size_bytes = 8, .lifetimes = {{1, 3}}},
      {.name_hint = "long", .size_bytes = 8, .lifetimes = {{0, 9}}},
  });
  problem.overlaps = {{.lower = Id(1), .upper = Id(0), .distance_bytes = 2}};
  EXPECT_TRUE(CheckProblem(problem));
  struct Case {
    Overlap overlap;
    const char* expected;
  };
  const Case cases[] = {
      {{Id(1), Id(0), 3}, "is given twice"},
      {{Id(0), Id(2), 3}, "alive together in 2 steps"},
      {{Id(0), Id(1), 9}, "distance 9 is larger than the lower buffer"},
      {{Id(0), Id(0), 1}, "two different buffers"},
      {{Id(0), Id(5), 1}, "two different buffers"},
  };
  for (const Case& c : cases) {
    PlanProblem bad = problem;
    bad.overlaps.push_back(c.overlap);
    const Result<void> checked = CheckProblem(bad);
    ASSERT_FALSE(checked) << c.expected;
    EXPECT_NE(Text(checked.error()).find(c.expected), std::string::npos) << Text(checked.error());
  }
}

PlanProblem ThreeAlive() {
  return FromLifetimes(
      {
          {.name_hint = "a", .size_bytes = 10, .lifetimes = {{0, 2}}},
          {.name_hint = "b", .size_bytes = 10, .lifetimes = {{1, 3}}},
          {.name_hint = "c", .size_bytes = 10, .alignment = 4, .lifetimes = {{1, 4}}},
      },
      {{.pool_name = "ram", .size_hint_bytes = 40}, {.pool_name = "other"}});
}

TEST(VerifyPlan, AcceptsALegalPlan) {
  const Plan plan = {.allocations = {{Pool(0), 0}, {Pool(0), 22}, {Pool(0), 12}},
                     .pool_sizes = {32, 0}};
  const Result<void> verified = VerifyPlan(ThreeAlive(), plan);
  EXPECT_TRUE(verified) << Text(verified.error());
}

TEST(VerifyPlan, ListsEveryViolation) {
  struct Case {
    const char* expected;
    Plan plan;
  };
  const Case cases[] = {
      {"'a' and 'b': share bytes 5..10 of pool 'ram' although both are alive at step 1",
       {.allocations = {{Pool(0), 0}, {Pool(0), 5}, {Pool(1), 0}}, .pool_sizes = {15, 10}}},
      {"'a' and 'b': share bytes 0..10",
       {.allocations = {{Pool(0), 0}, {Pool(0), 0}, {Pool(0), 0}}, .pool_sizes = {10, 0}}},
      {"'a' and 'c': share bytes 0..10",
       {.allocations = {{Pool(0), 0}, {Pool(0), 0}, {Pool(0), 0}}, .pool_sizes = {10, 0}}},
      {"'b' and 'c': share bytes 0..10",
       {.allocations = {{Pool(0), 0}, {Pool(0), 0}, {Pool(0), 0}}, .pool_sizes = {10, 0}}},
      {"offset 10 is not a multiple of its alignment 4",
       {.allocations = {{Pool(0), 0}, {Pool(0), 20}, {Pool(0), 10}}, .pool_sizes = {30, 0}}},
      {"ends at byte 42 of pool 'ram', which has only 40: 2 too many",
       {.allocations = {{Pool(0), 0}, {Pool(0), 32}, {Pool(0), 12}}, .pool_sizes = {42, 0}}},
      {"offset -4 is outside",
       {.allocations = {{Pool(0), 0}, {Pool(0), 10}, {Pool(0), -4}}, .pool_sizes = {20, 0}}},
      {"is in pool number 2",
       {.allocations = {{Pool(0), 0}, {Pool(0), 10}, {Pool(2), 0}}, .pool_sizes = {20, 0}}},
      {"the plan states 31 bytes, but its buffers use 30",
       {.allocations = {{Pool(0), 0}, {Pool(0), 10}, {Pool(0), 20}}, .pool_sizes = {31, 0}}},
      {"claims a lower bound of 31 bytes, but needs only 30",
       {.allocations = {{Pool(0), 0}, {Pool(0), 10}, {Pool(0), 20}},
        .pool_sizes = {30, 0},
        .lower_bound_bytes = 31}},
      {"claims to meet the lower bound of 30 bytes, but needs 32",
       {.allocations = {{Pool(0), 0}, {Pool(0), 22}, {Pool(0), 12}},
        .pool_sizes = {32, 0},
        .lower_bound_bytes = 32,
        .proof = Proof::kMeetsLowerBound}},
      {"places 1 buffers, but the problem has 3", {.allocations = {{Pool(0), 0}}}},
  };
  for (const Case& c : cases) {
    const Result<void> verified = VerifyPlan(ThreeAlive(), c.plan);
    ASSERT_FALSE(verified) << c.expected;
    EXPECT_NE(Text(verified.error()).find(c.expected), std::string::npos)
        << c.expected << "\n--- is not in ---\n"
        << Text(verified.error());
  }
}

TEST(VerifyPlan, HonorsOverlapsInOneDirectionOnly) {
  PlanProblem problem = FromLifetimes({
      {.name_hint = "in", .size_bytes = 64, .lifetimes = {{0, 2}}},
      {.name_hint = "out", .size_bytes = 64, .lifetimes = {{1, 3}}},
  });
  problem.overlaps = {{.lower = Id(1), .upper = Id(0), .distance_bytes = 48}};
  struct Case {
    Bytes in, out;
    bool is_legal;
  };
  const Case cases[] = {{48, 0, true},  {47, 0, false}, {49, 0, true}, {64, 0, true},
                        {0, 48, false}, {0, 64, true},  {0, 0, false}};
  for (const Case& c : cases) {
    const Plan plan = {.allocations = {{Pool(0), c.in}, {Pool(0), c.out}},
                       .pool_sizes = {std::max(c.in, c.out) + 64}};
    EXPECT_EQ(VerifyPlan(problem, plan).has_value(), c.is_legal) << c.in << " " << c.out;
  }
}

TEST(MakePlan, ProvesWhatItCan) {
  const Result<Plan> plan = MakePlan(ThreeAlive(), *FindAlgorithm("greedy_by_size"));
  ASSERT_TRUE(plan) << Text(plan.error());
  EXPECT_EQ(plan->lower_bound_bytes, 30);
  EXPECT_EQ(plan->witness, "live at step 1: a, b, c");
  EXPECT_EQ(plan->proof == Proof::kMeetsLowerBound, plan->pool_sizes[0] == 30);
}

TEST(MakePlan, DoesNotTrustAnAlgorithm) {
  const Algorithm liar = {
      "liar", "", [](const PlanProblem& problem, const PlanOptions&) {
        return Result<Plan>(Plan{.allocations = {problem.buffers.size(), PoolAllocation{}}});
      }};
  const Result<Plan> plan = MakePlan(ThreeAlive(), liar);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().diagnostics.size(), 3U) << Text(plan.error());
  EXPECT_NE(Text(plan.error()).find("algorithm 'liar', buffers 'a' and 'b'"), std::string::npos);
}

// Constants of a pool of their own are stacked before any algorithm sees the problem.
TEST(MakePlan, KeepsConstantsFromTheAlgorithm) {
  PlanProblem problem;
  problem.pools = {{.pool_name = "ram"}, {.pool_name = "flash", .kind = PoolKind::kConstant}};
  const auto add = [&problem](Bytes size, Bytes alignment, PoolId pool, Lifetime life) {
    problem.buffers.push_back(
        {.name_hint = "b",
         .size_bytes = size,
         .alignment = alignment,
         .kind = pool == PoolId(1) ? BufferKind::kConstant : BufferKind::kIntermediate,
         .pool_candidates = {pool},
         .lifetimes = {life}});
  };
  add(100, 1, PoolId(0), {0, 2});
  for (int i = 0; i < 500; ++i) add(5, i % 2 == 0 ? 4 : 1, PoolId(1), {0, 3});
  add(60, 1, PoolId(0), {1, 3});
  problem.conflicts = Conflicts::FromLifetimes(problem.buffers);
  size_t seen = 0;
  const Algorithm counting = {"counting", "", [&seen](const PlanProblem& rest, const PlanOptions&) {
                                seen = rest.buffers.size();
                                return FindAlgorithm("greedy_by_size")->run(rest, {});
                              }};
  const Result<Plan> plan = MakePlan(problem, counting);
  ASSERT_TRUE(plan) << Text(plan.error());
  EXPECT_EQ(seen, 2U);
  EXPECT_EQ(plan->pool_sizes[0], 160);
  // 250 times two words, of which the last has 5 bytes, then 250 times 5 bytes.
  EXPECT_EQ(plan->pool_sizes[1], 250 * 8 - 3 + 250 * 5);

  problem.pools[1].size_hint_bytes = 500 * 5 - 1;  // what cannot fit is the algorithm's to explain
  EXPECT_FALSE(MakePlan(problem, *FindAlgorithm("greedy_by_size")));
}

TEST(FindAlgorithm, ListsTheNamesOfAll) {
  for (const Algorithm& algorithm : Algorithms()) EXPECT_TRUE(FindAlgorithm(algorithm.name));
  const Result<Algorithm> found = FindAlgorithm("gready");
  ASSERT_FALSE(found);
  EXPECT_NE(
      Text(found.error()).find("auto, greedy_by_size, greedy_by_conflicts, fit_orders, hill_climb"),
      std::string::npos);
}

}  // namespace
}  // namespace usmp
