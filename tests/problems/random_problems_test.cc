// Random problems of up to nine buffers: `auto` is as good as brute force, and proves it.
// USMP_RANDOM_PROBLEMS sets how many of each kind; the nightly run takes very many.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "problems/brute_force.h"
#include "problems/make_problem.h"
#include "usmp/plan.h"
#include "usmp/plan_io.h"

namespace usmp {
namespace {

using testing::FromLifetimes;
using testing::FromPairs;
using testing::Id;
using testing::Pool;
using testing::Text;

constexpr int kProblems = 500;

// A plain generator of our own, so that a failure comes back everywhere.
class Dice {
 public:
  explicit Dice(uint32_t seed) : state_(seed * 2654435761U + 1) {}
  int32_t Below(uint32_t count) {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<int32_t>((state_ >> 12) % count);
  }

 private:
  uint32_t state_;
};

struct Kind {
  const char* name = "";
  uint32_t most_buffers = 0;
  bool holes = false, pairs = false, alignments = false;
  bool overlaps = false, pins = false, bounded = false;
};

constexpr Kind kKinds[] = {
    {.name = "Plain", .most_buffers = 9},
    {.name = "Aligned", .most_buffers = 7, .alignments = true},
    {.name = "Pinned", .most_buffers = 8, .pins = true},
    {.name = "Holes", .most_buffers = 8, .holes = true},
    {.name = "Pairs", .most_buffers = 8, .pairs = true},
    {.name = "PairsAlignedPinned",
     .most_buffers = 6,
     .pairs = true,
     .alignments = true,
     .pins = true},
    {.name = "Overlaps", .most_buffers = 8, .overlaps = true},
    {.name = "OverlapsAligned", .most_buffers = 6, .alignments = true, .overlaps = true},
    {.name = "OverlapsPinned", .most_buffers = 7, .overlaps = true, .pins = true},
    {.name = "Everything",
     .most_buffers = 6,
     .holes = true,
     .alignments = true,
     .overlaps = true,
     .pins = true,
     .bounded = true},
};

BufferInfo MakeBuffer(const Kind& kind, Dice& dice) {
  BufferInfo buffer{.size_bytes = 1 + dice.Below(3)};
  int32_t begin = dice.Below(6);
  buffer.lifetimes = {{begin, begin + 1 + dice.Below(3)}};
  if (kind.holes && dice.Below(3) == 0) {
    begin = buffer.lifetimes[0].end + 1 + dice.Below(2);
    buffer.lifetimes.push_back({begin, begin + 1 + dice.Below(2)});
  }
  if (kind.alignments) buffer.alignment = Bytes{1} << dice.Below(3);
  return buffer;
}

std::vector<std::pair<size_t, size_t>> RandomPairs(size_t count, Dice& dice) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) {
      if (dice.Below(2) == 0) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

// Changes that would make the problem impossible or malformed are not made.
void Try(PlanProblem& problem, const PlanProblem& changed) {
  if (CheckProblem(changed)) problem = changed;
}

PlanProblem MakeProblem(const Kind& kind, uint32_t seed) {
  Dice dice(seed);
  // Brute force takes long for the largest: only now and then.
  const uint32_t most = seed % 16 == 0 ? kind.most_buffers : std::min(kind.most_buffers, 6U);
  std::vector<BufferInfo> buffers(static_cast<size_t>(2 + dice.Below(most - 1)));
  for (BufferInfo& buffer : buffers) buffer = MakeBuffer(kind, dice);
  PlanProblem problem =
      kind.pairs ? FromPairs(buffers, RandomPairs(buffers.size(), dice)) : FromLifetimes(buffers);
  for (size_t i = 0; kind.overlaps && i < buffers.size(); ++i) {
    for (size_t j = 0; j < buffers.size(); ++j) {
      if (i == j || dice.Below(3) == 0) continue;
      PlanProblem with = problem;
      with.overlaps.push_back({Id(i), Id(j), dice.Below(6) - 3});
      Try(problem, with);
    }
  }
  for (size_t i = 0; kind.pins && i < buffers.size(); ++i) {
    if (dice.Below(5) > 0) continue;
    PlanProblem with = problem;
    with.buffers[i].pinned = {Pool(0), dice.Below(3) * buffers[i].alignment};
    Try(problem, with);
  }
  if (kind.bounded) {
    PlanProblem with = problem;
    with.pools[0].size_hint_bytes = 3 + dice.Below(8);
    Try(problem, with);
  }
  return problem;
}

class RandomProblems : public ::testing::TestWithParam<Kind> {};

TEST_P(RandomProblems, AutoIsAsGoodAsBruteForce) {
  const char* count = std::getenv("USMP_RANDOM_PROBLEMS");
  const int problems = count == nullptr ? kProblems : std::atoi(count);
  int planned = 0;
  for (int i = 0; i < problems; ++i) {
    const PlanProblem problem = MakeProblem(GetParam(), static_cast<uint32_t>(i));
    const Result<Plan> plan = MakePlan(problem, *FindAlgorithm("auto"));
    constexpr Bytes kHorizon = 64;  // all sizes, alignments and pins together
    if (!plan) {
      ASSERT_EQ(plan.error().code, ErrorCode::kDoesNotFit) << Text(plan.error());
      ASSERT_FALSE(testing::LeastPeak(problem, kHorizon)) << ProblemToJson(problem);
      continue;
    }
    ++planned;
    const Bytes peak = WorkspaceBytes(problem, *plan);
    PlanProblem smaller = problem;
    smaller.pools[0].size_hint_bytes = peak - 1;
    ASSERT_FALSE(testing::LeastPeak(smaller, peak - 1)) << ProblemToJson(problem);
    ASSERT_EQ(plan->lower_bound_bytes, peak) << ProblemToJson(problem);
    ASSERT_NE(plan->proof, Proof::kNone) << ProblemToJson(problem);
  }
  EXPECT_GE(planned, problems / 2);
}

INSTANTIATE_TEST_SUITE_P(Plan, RandomProblems, ::testing::ValuesIn(kKinds),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace usmp
