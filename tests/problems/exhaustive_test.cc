// Every small problem through every algorithm: legal, and never below what brute force finds.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "problems/brute_force.h"
#include "problems/make_problem.h"
#include "usmp/plan.h"

namespace usmp {
namespace {

using testing::FromLifetimes;
using testing::FromPairs;
using testing::Id;
using testing::LeastPeak;
using testing::Pool;
using testing::Text;

constexpr PlanOptions kOptions = {.max_steps =
                                      60};  // the problems are tiny and there are thousands
constexpr Bytes kHorizon = 16;              // above the sum of all sizes, aligned

class EveryAlgorithm : public ::testing::TestWithParam<Algorithm> {};

struct Tally {
  int problems = 0;
  int optimal = 0;
  int misfits = 0;
};

// Brute force is the same for every algorithm: the results of a test, in the order of its problems.
std::optional<Bytes> RememberedLeastPeak(const PlanProblem& problem, size_t index) {
  static std::map<std::string, std::vector<std::optional<Bytes>>> results;
  const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::vector<std::optional<Bytes>>& list = results[name.substr(0, name.find('/'))];
  if (index == list.size()) list.push_back(LeastPeak(problem, kHorizon));
  return list[index];
}

// A greedy algorithm may fail to fit what fits; what it returns is legal and no better than the
// best.
void Check(const PlanProblem& problem, const Algorithm& algorithm, const std::string& what,
           Tally& tally) {
  const std::optional<Bytes> least =
      RememberedLeastPeak(problem, static_cast<size_t>(tally.problems + tally.misfits));
  const Result<Plan> plan = MakePlan(problem, algorithm, kOptions);
  if (!plan) {
    ++tally.misfits;
    ASSERT_EQ(plan.error().code, ErrorCode::kDoesNotFit) << what << Text(plan.error());
    return;
  }
  ASSERT_TRUE(least) << what;
  const Bytes peak = WorkspaceBytes(problem, *plan);
  ASSERT_GE(peak, *least) << what;
  ASSERT_LE(plan->lower_bound_bytes, *least) << what << plan->witness;
  ASSERT_EQ(plan->proof != Proof::kNone, peak == plan->lower_bound_bytes) << what;
  ++tally.problems;
  tally.optimal += peak == *least;
}

// All graphs over `count` buffers as bits, and all values of `digits` in a mixed radix.
std::vector<std::pair<size_t, size_t>> PairsOf(size_t count, unsigned graph) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j, graph >>= 1) {
      if ((graph & 1U) != 0) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

unsigned Power(unsigned base, size_t exponent) {
  unsigned out = 1;
  for (size_t i = 0; i < exponent; ++i) out *= base;
  return out;
}

TEST_P(EveryAlgorithm, AllGraphsBySizesOfFourBuffers) {
  Tally tally;
  for (size_t count = 1; count <= 4; ++count) {
    const size_t edges = count * (count - 1) / 2;
    for (unsigned graph = 0; graph < (1U << edges); ++graph) {
      for (unsigned sizes = 0; sizes < Power(3, count); ++sizes) {
        std::vector<BufferInfo> buffers(count);
        for (size_t i = 0; i < count; ++i) {
          buffers[i].size_bytes = 1 + sizes / Power(3, i) % 3;
        }
        const PlanProblem problem = FromPairs(buffers, PairsOf(count, graph));
        Check(problem, GetParam(), "sizes " + std::to_string(sizes), tally);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(tally.problems, 5421);  // 3 + 2*9 + 8*27 + 64*81
  // Four buffers leave little room to be wrong: first fit by size misses few.
  EXPECT_GE(tally.optimal, tally.problems * 9 / 10) << tally.optimal << " of " << tally.problems;
}

// Sizes 1..3 and alignments 1, 2, 4 of three buffers in all conflict graphs.
TEST_P(EveryAlgorithm, AllAlignmentsOfThreeBuffers) {
  Tally tally;
  for (unsigned graph = 0; graph < 8; ++graph) {
    for (unsigned code = 0; code < Power(9, 3); ++code) {
      std::vector<BufferInfo> buffers(3);
      for (size_t i = 0; i < 3; ++i) {
        const unsigned digit = code / Power(9, i) % 9;
        buffers[i].size_bytes = 1 + digit % 3;
        buffers[i].alignment = Bytes{1} << (digit / 3);
      }
      Check(FromPairs(buffers, PairsOf(3, graph)), GetParam(), "code " + std::to_string(code),
            tally);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(tally.problems, 8 * 729);
}

// A bounded pool with a fallback: 0..4 bytes in the first; the second is large, or bounded too.
TEST_P(EveryAlgorithm, TwoPoolsWithThreeBuffers) {
  Tally tally;
  for (Bytes second : {Bytes{3}, kHorizon}) {
    for (unsigned code = 0; code < 5 * 8 * 27 * 2; ++code) {
      std::vector<BufferInfo> buffers(3);
      const unsigned sizes = code / 40 % 27;
      const unsigned reversed = code / (40 * 27);  // the first buffer prefers the second pool
      for (size_t i = 0; i < 3; ++i) {
        buffers[i].size_bytes = 1 + sizes / Power(3, i) % 3;
        const bool is_reversed = i == 0 && reversed != 0;
        buffers[i].pool_candidates = {Pool(is_reversed), Pool(!is_reversed)};
      }
      const PlanProblem problem = FromPairs(buffers, PairsOf(3, code / 5 % 8),
                                            {{.pool_name = "first", .size_hint_bytes = code % 5},
                                             {.pool_name = "second", .size_hint_bytes = second}});
      Check(problem, GetParam(), "code " + std::to_string(code), tally);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tally.problems, 2'500);
  EXPECT_GT(tally.misfits, 100);
}

// A chain in -> out -> next, where each pair meets in one step and may overlap by every distance,
// in one direction or both, beside a buffer that lives throughout.
TEST_P(EveryAlgorithm, OverlapsOfAllDistances) {
  Tally tally;
  constexpr int kNone = 4;
  for (unsigned sizes = 0; sizes < 27; ++sizes) {
    for (int forward = -3; forward <= kNone; ++forward) {
      for (int reverse = -3; reverse <= kNone; ++reverse) {
        std::vector<BufferInfo> buffers(4);
        for (size_t i = 0; i < 3; ++i) {
          const auto begin = static_cast<int32_t>(i);
          buffers[i].size_bytes = 1 + sizes / Power(3, i) % 3;
          buffers[i].lifetimes = {{begin, begin + 2}};
        }
        buffers[3].size_bytes = 1;
        buffers[3].lifetimes = {{0, 4}};
        PlanProblem problem = FromLifetimes(buffers);
        auto add = [&](size_t lower, size_t upper, int distance) {
          if (distance > problem.buffers[lower].size_bytes) return;
          problem.overlaps.push_back({Id(lower), Id(upper), distance});
        };
        add(1, 0, forward);
        add(0, 1, reverse);
        add(2, 1, (forward + reverse) % 4);
        Check(problem, GetParam(), "sizes " + std::to_string(sizes), tally);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(tally.problems, 27 * 64);
}

INSTANTIATE_TEST_SUITE_P(Plan, EveryAlgorithm,
                         ::testing::ValuesIn(Algorithms().begin(), Algorithms().end()),
                         [](const auto& row) { return row.param.name; });

// Up to nine buffers with lifetimes, now and then alignments and overlaps: the bound is below the
// optimum.
TEST(LowerBound, IsBelowTheOptimumOfRandomProblems) {
  uint32_t state = 1;
  auto below = [&state](uint32_t count) {
    state = state * 1664525U + 1013904223U;
    return static_cast<int32_t>((state >> 16) % count);
  };
  int met = 0;
  constexpr int kProblems = 400;
  for (int round = 0; round < kProblems; ++round) {
    std::vector<BufferInfo> buffers(static_cast<size_t>(4 + below(round % 8 == 0 ? 6 : 3)));
    for (BufferInfo& buffer : buffers) {
      const int32_t begin = below(6);
      buffer.size_bytes = 1 + below(3);
      buffer.lifetimes = {{begin, begin + 1 + below(3)}};
      if (round % 3 == 0) buffer.alignment = Bytes{1} << below(3);
    }
    PlanProblem problem = FromLifetimes(buffers);
    for (size_t i = 0; round % 2 == 0 && i + 1 < buffers.size(); ++i) {
      PlanProblem with = problem;
      with.overlaps.push_back({Id(i), Id(i + 1), below(4) - 1});
      if (CheckProblem(with)) problem = with;
    }
    const Result<Plan> plan = MakePlan(problem, *FindAlgorithm("auto"), {.max_steps = 2000});
    ASSERT_TRUE(plan) << Text(plan.error());
    // No plan needs to go beyond the one just found.
    const std::optional<Bytes> least = LeastPeak(problem, WorkspaceBytes(problem, *plan));
    ASSERT_TRUE(least);
    ASSERT_LE(LowerBound(problem), *least) << "round " << round;
    met += LowerBound(problem) == *least;
  }
  EXPECT_GE(met, kProblems * 9 / 10);
}

}  // namespace
}  // namespace usmp
