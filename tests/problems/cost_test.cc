// Placement by cost against all placements: which pools hold which sets of buffers is found by
// trying every arrangement, and the time is computed here.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "plan/random.h"
#include "problems/brute_force.h"
#include "problems/make_problem.h"
#include "usmp/pool_cost.h"

namespace usmp::testing {
namespace {

PoolInfo Memory(const std::string& name, double bandwidth, int64_t latency, int64_t clock,
                std::optional<Bytes> size = {}) {
  return {.pool_name = name,
          .size_hint_bytes = size,
          .alignment = 1,
          .performance = {.clock_frequency_hz = clock,
                          .read_bandwidth_bytes_per_cycle = bandwidth,
                          .write_bandwidth_bytes_per_cycle = bandwidth,
                          .read_latency_cycles = latency,
                          .write_latency_cycles = latency}};
}

BufferInfo Buffer(const std::string& name, Bytes size, Lifetime life, Bytes read, Bytes written) {
  return {.name_hint = name,
          .size_bytes = size,
          .lifetimes = {life},
          .bytes_read = read,
          .bytes_written = written};
}

PlanProblem RandomProblem(plan::Random& random) {
  const auto below = [&](uint64_t n) { return static_cast<int64_t>(random.Next() % n); };
  std::vector<PoolInfo> pools;
  const int64_t pool_count = 2 + below(2);
  for (int64_t i = 0; i < pool_count; ++i) {
    pools.push_back(Memory("p" + std::to_string(i), static_cast<double>(1 + below(4)), below(3),
                           1'000'000 * (1 + below(3)), 2 + below(7)));
  }
  if (below(2) == 0) pools.back().size_hint_bytes.reset();
  std::vector<BufferInfo> buffers;
  for (int64_t i = 0; i < 6; ++i) {
    const auto begin = static_cast<int32_t>(below(5));
    const auto end = static_cast<int32_t>(begin + 1 + below(3));
    buffers.push_back(
        Buffer("b" + std::to_string(i), 1 + below(4), {begin, end}, below(50), below(50)));
  }
  return FromLifetimes(std::move(buffers), std::move(pools));
}

// As the header has it, with bursts of 4 bytes.
double TimeIn(const PoolInfo& pool, const BufferInfo& buffer) {
  const PoolPerformance& p = pool.performance;
  double cycles = 0;
  for (Bytes bytes : {buffer.bytes_read, buffer.bytes_written}) {
    cycles +=
        static_cast<double>(bytes) / *p.read_bandwidth_bytes_per_cycle +
        std::ceil(static_cast<double>(bytes) / 4) * static_cast<double>(*p.read_latency_cycles);
  }
  return cycles / static_cast<double>(*p.clock_frequency_hz) * 1e9;
}

class AllPlacements {
 public:
  explicit AllPlacements(const PlanProblem& problem) : problem_(problem) {}

  std::optional<double> LeastTime() {
    Try(0, std::vector<uint32_t>(problem_.pools.size()), 0);
    return least_;
  }

 private:
  bool Holds(size_t pool, uint32_t set) {
    const auto [known, is_new] = holds_.try_emplace({pool, set});
    if (!is_new) return known->second;
    std::vector<BufferInfo> members;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      members.push_back(problem_.buffers[i]);
      members.back().pool_candidates.clear();
    }
    PoolInfo info = problem_.pools[pool];
    const Bytes bound = info.size_hint_bytes.value_or(64);
    info.size_hint_bytes = bound;
    return known->second =
               members.empty() || LeastPeak(FromLifetimes(std::move(members), {info}), bound);
  }

  void Try(size_t buffer, std::vector<uint32_t> sets, double time) {
    if (buffer == problem_.buffers.size()) {
      if (!least_ || time < *least_) least_ = time;
      return;
    }
    for (size_t pool = 0; pool < sets.size(); ++pool) {
      std::vector<uint32_t> next = sets;
      next[pool] |= 1U << buffer;
      if (!Holds(pool, next[pool])) continue;
      Try(buffer + 1, next, time + TimeIn(problem_.pools[pool], problem_.buffers[buffer]));
    }
  }

  const PlanProblem& problem_;
  std::map<std::pair<size_t, uint32_t>, bool> holds_{};
  std::optional<double> least_{};
};

TEST(PlacementByCost, IsWithinOnePercentOfTheOptimum) {
  plan::Random random(20240611);
  int solvable = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const PlanProblem problem = RandomProblem(random);
    const std::optional<double> least = AllPlacements(problem).LeastTime();
    const auto plan = MakePlanByCost(problem, *FindAlgorithm("auto"));
    ASSERT_EQ(plan.has_value(), least.has_value()) << (plan ? "" : Text(plan.error()));
    if (!plan) continue;
    ++solvable;
    EXPECT_LE(*MemoryTime(problem, *plan), *least * 1.01);
    EXPECT_GE(*MemoryTime(problem, *plan), *least * (1 - 1e-9));
  }
  EXPECT_GT(solvable, 20);
}

// 4 bytes read a cycle at 2 MHz: 100 bytes are 25 cycles, and 25 bursts wait 3 cycles each.
TEST(PlacementByCost, TimeByHand) {
  const PoolInfo pool = Memory("ram", 4, 3, 2'000'000);
  EXPECT_DOUBLE_EQ(*MemoryTime(Buffer("a", 10, {0, 1}, 100, 0), pool), 50'000);
  PoolInfo in_bursts = pool;
  in_bursts.performance.burst_bytes = 64;  // two bursts
  EXPECT_DOUBLE_EQ(*MemoryTime(Buffer("a", 10, {0, 1}, 100, 0), in_bursts), 15'500);
  PoolInfo unknown = pool;
  unknown.performance.clock_frequency_hz.reset();
  EXPECT_FALSE(MemoryTime(Buffer("a", 10, {0, 1}, 100, 0), unknown));
}

// The hot buffer gets the fast memory although the cold one is the larger and comes first.
TEST(PlacementByCost, HotBuffersGetTheFastMemory) {
  const PlanProblem problem =
      FromLifetimes({Buffer("cold", 90, {0, 2}, 90, 90), Buffer("hot", 60, {0, 2}, 6000, 60)},
                    {Memory("fast", 4, 0, 1'000'000, 100), Memory("slow", 1, 5, 1'000'000)});
  const auto plan = MakePlanByCost(problem, *FindAlgorithm("auto"));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->allocations[0].pool, Pool(1));
  EXPECT_EQ(plan->allocations[1].pool, Pool(0));
}

// They are taken out before the algorithm is asked.
TEST(PlacementByCost, ConstantsOfOnePoolAreNoChoice) {
  PlanProblem problem =
      FromLifetimes({Buffer("weights", 50, {0, 2}, 50, 0), Buffer("hot", 60, {0, 2}, 6000, 60)},
                    {Memory("slow", 1, 5, 1'000'000),
                     Memory("fast", 4, 0, 1'000'000, 100),
                     {.pool_name = "flash", .kind = PoolKind::kConstant}});
  problem.buffers[0].kind = BufferKind::kConstant;
  problem.buffers[0].pool_candidates = {Pool(2)};
  problem.buffers[1].pool_candidates = {Pool(0), Pool(1)};
  const auto plan = MakePlanByCost(problem, *FindAlgorithm("auto"));
  ASSERT_TRUE(plan) << Text(plan.error());
  EXPECT_EQ(plan->allocations[0].pool, Pool(2));
  EXPECT_EQ(plan->allocations[1].pool, Pool(1));
}

TEST(PlacementByCost, WithoutFiguresTheOrderOfPreferenceDecides) {
  PlanProblem problem =
      FromLifetimes({Buffer("a", 90, {0, 2}, 90, 90), Buffer("b", 60, {0, 2}, 6000, 60)},
                    {Memory("first", 1, 9, 1'000'000), Memory("second", 4, 0, 1'000'000)});
  problem.pools[1].performance = {};
  const auto plan = MakePlanByCost(problem, *FindAlgorithm("auto"));
  ASSERT_TRUE(plan);
  for (const PoolAllocation& at : plan->allocations) EXPECT_EQ(at.pool, Pool(0));
}

TEST(PlacementByCost, PinnedBuffersStayAndTakeRoom) {
  PlanProblem problem =
      FromLifetimes({Buffer("pinned", 60, {0, 2}, 1, 1), Buffer("hot", 60, {0, 2}, 6000, 60)},
                    {Memory("fast", 4, 0, 1'000'000, 100), Memory("slow", 1, 5, 1'000'000)});
  problem.buffers[0].pinned = PoolAllocation{Pool(0), 0};
  const auto plan = MakePlanByCost(problem, *FindAlgorithm("auto"));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->allocations[1].pool, Pool(1));
}

}  // namespace
}  // namespace usmp::testing
