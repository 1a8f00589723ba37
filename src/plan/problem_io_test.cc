#include <gtest/gtest.h>

#include "problems/make_problem.h"
#include "usmp/plan_io.h"

namespace usmp {
namespace {

using testing::Id;
using testing::Pool;
using testing::Text;

constexpr char kEverything[] = R"({"format": 1,
  "pools": [
    {"name":"sram","size":65536,"alignment":32,"kind":"workspace","performance":{"clock_frequency_hz":1000,"read_bandwidth_bytes_per_cycle":4.5,"write_bandwidth_bytes_per_cycle":2.0,"read_latency_cycles":3,"write_latency_cycles":4,"burst_bytes":8}},
    {"name":"dram","alignment":16,"kind":"workspace"},
    {"name":"flash","alignment":16,"kind":"constant"}
  ],
  "buffers": [
    {"id":"a","size":100,"alignment":4,"kind":"input","lifetimes":[[0,2],[4,5]],"pools":["dram","sram"],"pin":{"pool":"sram","offset":64},"bytes_read":7,"bytes_written":9},
    {"id":"b","size":50,"alignment":1,"kind":"scratch","lifetimes":[[1,3]],"pools":["sram","dram"]},
    {"id":"c","size":5,"alignment":1,"kind":"constant","lifetimes":[[0,5]],"pools":["flash"]}
  ],
  "overlaps": [
    {"lower":"b","upper":"a","distance":-12}
  ]
}
)";

TEST(ProblemJson, ReadsAndWritesEveryKey) {
  const auto problem = ParseProblemJson(kEverything, "x.json");
  ASSERT_TRUE(problem) << Text(problem.error());
  EXPECT_EQ(problem->pools[0].size_hint_bytes, 65536);
  EXPECT_EQ(problem->pools[0].alignment, 32);
  EXPECT_EQ(problem->pools[0].performance.read_bandwidth_bytes_per_cycle, 4.5);
  EXPECT_EQ(problem->pools[2].kind, PoolKind::kConstant);
  const BufferInfo& a = problem->buffers[0];
  EXPECT_EQ(a.name_hint, "a");
  EXPECT_EQ(a.kind, BufferKind::kInput);
  EXPECT_EQ(a.lifetimes, (std::vector<Lifetime>{{0, 2}, {4, 5}}));
  EXPECT_EQ(a.pool_candidates, (std::vector{Pool(1), Pool(0)}));
  EXPECT_EQ(a.pinned, (PoolAllocation{Pool(0), 64}));
  EXPECT_EQ(a.bytes_read, 7);
  EXPECT_EQ(problem->overlaps[0].distance_bytes, -12);
  EXPECT_EQ(ProblemToJson(*problem), kEverything);
}

TEST(ProblemJson, FillsInWhatIsAbsent) {
  const auto problem = ParseProblemJson(
      R"({"pools": [{"name": "p", "size": null}, {"name": "q", "alignment": 8}],
          "buffers": [{"id": "a", "size": 2, "alignment": 64}, {"id": "b", "size": 3}],
          "conflicts": [["a", "b"]]})",
      "x.json");
  ASSERT_TRUE(problem) << Text(problem.error());
  EXPECT_FALSE(problem->pools[0].size_hint_bytes);
  EXPECT_EQ(problem->pools[0].alignment, 64);  // what its buffers need
  EXPECT_EQ(problem->pools[1].alignment, 8);   // stated
  EXPECT_EQ(problem->buffers[1].pool_candidates, (std::vector{Pool(0), Pool(1)}));
  EXPECT_EQ(problem->buffers[1].alignment, 1);
  EXPECT_TRUE(problem->conflicts.AreInConflict(Id(0), Id(1)));
}

TEST(ProblemJson, NamesEveryMistakeWithItsPath) {
  struct Case {
    const char* text;
    const char* expected;
  };
  const Case cases[] = {
      {"", "x.json: is not JSON: parse error at line 1"},
      {"{\"pools\": [", "x.json: is not JSON"},
      {"[]", "x.json: must be an object"},
      {"{}", "x.json: has no 'pools'"},
      {"{\"format\": 2, \"pools\": [], \"buffers\": []}", "format: is 2, but this version"},
      {R"({"pools": [{"nam": "p"}], "buffers": []})", "pools[0]: has an unknown key 'nam'"},
      {R"({"pools": [{"name": "p", "size": 1e30}], "buffers": []})",
       "pools[0].size: must be a whole number"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a", "size": 99999999999999999999}]})",
       "buffers[0].size: must be a whole number"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a"}]})", "buffers[0]: has no 'size'"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": 3, "size": 1}]})",
       "buffers[0].id: must be a text"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a", "size": 1, "pools": ["q"]}]})",
       "buffers[0].pools[0]: there is no pool 'q'"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a", "size": 1, "lifetimes": [[3]]}]})",
       "buffers[0].lifetimes[0]: must be [begin, end]"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a", "size": 1, "kind": "cat"}]})",
       "must be one of intermediate, scratch"},
      {R"({"pools": [{"name": "p"}],
           "buffers": [{"id": "a", "size": 1, "lifetimes": [[0, 1]]},
                       {"id": "a", "size": 1, "lifetimes": [[0, 1]]}]})",
       "buffers[1].id: 'a' is the id of another buffer too"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a", "size": 1}],
           "conflicts": [["a", "b"]]})",
       "conflicts[0]: there is no buffer 'b'"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a", "size": 1}],
           "conflicts": [["a", "a"]]})",
       "names the same buffer twice"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a", "size": -1, "lifetimes": [[0, 1]]}]})",
       "x.json: buffer 'a': size -1 is negative"},
      {R"({"pools": [{"name": "p"}], "buffers": [{"id": "a", "size": 1, "lifetimes": [[0, 2]]}],
           "overlaps": [{"lower": "a", "distance": 1}]})",
       "overlaps[0].upper: must be a text"},
  };
  for (const Case& c : cases) {
    const auto problem = ParseProblemJson(c.text, "x.json");
    ASSERT_FALSE(problem) << c.text;
    EXPECT_EQ(problem.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(Text(problem.error()).find(c.expected), std::string::npos)
        << c.expected << "\nis not in\n"
        << Text(problem.error());
  }
}

TEST(PlanJson, RoundTrip) {
  const auto problem = ParseProblemJson(kEverything, "x.json");
  ASSERT_TRUE(problem);
  const auto plan = MakePlan(*problem, *FindAlgorithm("auto"));
  ASSERT_TRUE(plan) << Text(plan.error());
  const std::string text = PlanToJson(*problem, *plan);
  const auto again = ParsePlanJson(text, "plan.json", *problem);
  ASSERT_TRUE(again) << Text(again.error());
  EXPECT_EQ(again->allocations, plan->allocations);
  EXPECT_EQ(again->pool_sizes, plan->pool_sizes);
  EXPECT_EQ(again->proof, plan->proof);
  EXPECT_EQ(PlanToJson(*problem, *again), text);
}

TEST(PlanJson, EveryBufferIsPlacedOnce) {
  const auto problem = ParseProblemCsv("id,lower,upper,size\na,0,1,4\nb,0,1,4\n", "x.csv");
  ASSERT_TRUE(problem);
  const auto plan = ParsePlanJson(
      R"({"allocations": [{"id": "a", "offset": 0}, {"id": "a", "offset": 0},
                          {"id": "z", "offset": 0}]})",
      "plan.json", *problem);
  ASSERT_FALSE(plan);
  const std::string text = Text(plan.error());
  for (const char* part :
       {"allocations[1]: places buffer 'a' a second time",
        "allocations[2]: the problem has no buffer 'z'", "allocations: has none for buffer 'b'"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
  }
}

TEST(ProblemCsv, ColumnsInAnyOrderAndMiniMallocsSpellings) {
  const auto problem = ParseProblemCsv(
      "\xEF\xBB\xBFsize,id,end,start,alignment,gaps\r\n"
      "64,x,9,0,16,2-4 6-7\r\n\r\n"
      "32,\"y, \"\"z\"\"\",4,2,,\r\n",
      "x.csv", 100);
  ASSERT_TRUE(problem) << Text(problem.error());
  EXPECT_EQ(problem->pools[0].size_hint_bytes, 100);
  const BufferInfo& x = problem->buffers[0];
  EXPECT_EQ(x.size_bytes, 64);
  EXPECT_EQ(x.alignment, 16);
  EXPECT_EQ(x.lifetimes, (std::vector<Lifetime>{{0, 2}, {4, 6}, {7, 10}}));  // end is inclusive
  EXPECT_EQ(problem->buffers[1].name_hint, "y, \"z\"");
  EXPECT_EQ(problem->buffers[1].lifetimes, (std::vector<Lifetime>{{2, 5}}));
}

TEST(ProblemCsv, PinsAndPools) {
  const auto problem = ParseProblemCsv(
      "id,lower,upper,size,pool,offset\na,0,2,10,fast|slow,\nb,0,2,10,slow,20\n", "x.csv");
  ASSERT_TRUE(problem) << Text(problem.error());
  ASSERT_EQ(problem->pools.size(), 2U);
  EXPECT_EQ(problem->pools[1].pool_name, "slow");
  EXPECT_EQ(problem->buffers[0].pool_candidates, (std::vector{Pool(0), Pool(1)}));
  EXPECT_FALSE(problem->buffers[0].pinned);
  EXPECT_EQ(problem->buffers[1].pinned, (PoolAllocation{Pool(1), 20}));
}

TEST(ProblemCsv, NamesEveryMistakeWithItsLine) {
  struct Case {
    const char* text;
    const char* expected;
  };
  const Case cases[] = {
      {"", "x.csv: is empty"},
      {"id,lower,upper\n", "x.csv: has no column 'size'"},
      {"id,lower,upper,size,color\n", "x.csv:1: the header has an unknown column 'color'"},
      {"id,lower,upper,size,id\n", "x.csv:1: the header has a second column for 'id'"},
      {"id,lower,upper,size\na,0,1\n", "x.csv:2: has 3 cells, but the header has 4"},
      {"id,lower,upper,size\na,0,1,x\n", "x.csv:2: size is 'x'"},
      {"id,lower,upper,size\na,0,1,9223372036854775808\n",
       "x.csv:2: size is '9223372036854775808'"},
      {"id,lower,upper,size\na,0,4294967296,1\n", "x.csv:2: upper is '4294967296'"},
      {"id,lower,end,size\na,0,2147483647,1\n", "x.csv:2: end is the last step there is"},
      {"id,lower,upper,size\n\na,0,1,1\na,0,1,1\n", "x.csv:4: 'a' is the id of another buffer too"},
      {"id,lower,upper,size\na,1,1,1\n", "x.csv:2: lifetime [1, 1) of 'a' holds no step"},
      {"id,lower,upper,size,gaps\na,0,9,1,3\n", "x.csv:2: gap '3' must be begin-end"},
      {"id,lower,upper,size,gaps\na,0,9,1,0-9\n", "x.csv:2: the gaps leave nothing"},
      {"id,lower,upper,size\na,0,1,-5\n", "x.csv: buffer 'a': size -5 is negative"},
  };
  for (const Case& c : cases) {
    const auto problem = ParseProblemCsv(c.text, "x.csv");
    ASSERT_FALSE(problem) << c.text;
    EXPECT_EQ(problem.error().code, ErrorCode::kInvalidInput) << c.text;
    EXPECT_NE(Text(problem.error()).find(c.expected), std::string::npos)
        << c.expected << "\nis not in\n"
        << Text(problem.error());
  }
}

TEST(ProblemCsv, WindowedGapsAreUnsupportedWithTheReason) {
  const auto problem = ParseProblemCsv("id,lower,upper,size,gaps\na,0,10,2,0-5@0:1\n", "x.csv");
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(Text(problem.error()).find("x.csv:2: gap '0-5@0:1' leaves a window"), std::string::npos)
      << Text(problem.error());
}

TEST(PlanCsv, IsTheProblemWithOffsets) {
  const auto problem = ParseProblemCsv("id,lower,upper,size\na,0,2,100\nb,1,3,80\n", "x.csv");
  ASSERT_TRUE(problem);
  const Plan plan = {.allocations = {{Pool(0), 0}, {Pool(0), 100}}, .pool_sizes = {180}};
  const std::string text = PlanToCsv(*problem, plan);
  EXPECT_EQ(text, "id,lower,upper,size,offset\na,0,2,100,0\nb,1,3,80,100\n");
  const auto again = ParsePlanCsv(text, "plan.csv", *problem);
  ASSERT_TRUE(again) << Text(again.error());
  EXPECT_EQ(again->allocations, plan.allocations);
  EXPECT_EQ(again->pool_sizes, plan.pool_sizes);
}

TEST(PlanCsv, NeedsOffsetsOfAllBuffers) {
  const auto problem = ParseProblemCsv("id,lower,upper,size\na,0,2,100\nb,1,3,80\n", "x.csv");
  ASSERT_TRUE(problem);
  const auto no_offsets = ParsePlanCsv("id,lower,upper,size\na,0,2,100\n", "p.csv", *problem);
  ASSERT_FALSE(no_offsets);
  EXPECT_NE(Text(no_offsets.error()).find("has no column 'offset'"), std::string::npos);
  const auto no_b = ParsePlanCsv("id,offset\na,0\nc,1\n", "p.csv", *problem);
  ASSERT_FALSE(no_b);
  EXPECT_NE(Text(no_b.error()).find("p.csv: has no line for buffer 'b'"), std::string::npos);
  EXPECT_NE(Text(no_b.error()).find("p.csv:3: the problem has no buffer 'c'"), std::string::npos);
}

}  // namespace
}  // namespace usmp
