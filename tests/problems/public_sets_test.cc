// Public problem sets, which are not part of the project: USMP_PLAN_PROBLEMS_DIR names the folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "problems/make_problem.h"
#include "usmp/plan_io.h"

namespace usmp {
namespace {

namespace fs = std::filesystem;
using testing::Text;

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> CsvFiles(const fs::path& folder) {
  std::set<fs::path> sorted;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") sorted.insert(entry.path());
  }
  return {sorted.begin(), sorted.end()};
}

class PublicSets : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("USMP_PLAN_PROBLEMS_DIR");
    if (folder == nullptr) GTEST_SKIP() << "set USMP_PLAN_PROBLEMS_DIR to the folder of problems";
    folder_ = folder;
  }

  // Plans every file of a folder; returns how many there are, and how many plans meet the lower
  // bound.
  std::pair<int, int> PlanAll(const char* set, const char* algorithm, int64_t max_steps) {
    int files = 0;
    int at_bound = 0;
    for (const fs::path& path : CsvFiles(folder_ / set)) {
      const Result<PlanProblem> problem = ParseProblemCsv(ReadText(path), path.filename().string());
      EXPECT_TRUE(problem) << Text(problem.error());
      if (!problem) continue;
      const Result<Plan> plan =
          MakePlan(*problem, *FindAlgorithm(algorithm), {.max_steps = max_steps});
      EXPECT_TRUE(plan) << path << Text(plan.error());
      if (!plan) continue;
      EXPECT_GE(plan->pool_sizes[0], LiveSum(*problem)) << path;
      ++files;
      at_bound += plan->proof == Proof::kMeetsLowerBound;
    }
    std::cout << set << ": " << at_bound << " of " << files << " at the lower bound by "
              << algorithm << "\n";
    return {files, at_bound};
  }

  fs::path folder_{};
};

// The README of the sets: the best known plan of all of these is at the live sum.
TEST_F(PublicSets, AutoProvesTheSmallSetsOptimal) {
  for (const char* set : {"omnimalloc-small", "tflm", "vela", "armnn", "tvm-usmp", "real-models"}) {
    const auto [files, at_bound] = PlanAll(set, "auto", 100'000);
    EXPECT_GT(files, 0) << set;
    EXPECT_EQ(at_bound, files) << set;
  }
}

// Of the challenging ones, those that a search of a second solves: at the live sum, which is the
// capacity that they were made for (for C, less).
TEST_F(PublicSets, AutoSolvesMostOfTheChallengingOnes) {
  for (const char* name : {"A", "B", "C", "E", "I", "K"}) {
    const fs::path path = folder_ / "minimalloc" / (std::string(name) + ".1048576.csv");
    const Result<PlanProblem> problem = ParseProblemCsv(ReadText(path), name);
    ASSERT_TRUE(problem) << Text(problem.error());
    const Result<Plan> plan = MakePlan(*problem, *FindAlgorithm("auto"));
    ASSERT_TRUE(plan) << Text(plan.error());
    EXPECT_EQ(plan->pool_sizes[0], LiveSum(*problem)) << name;
  }
}

// All of them: legal plans by the algorithms that do not search.
TEST_F(PublicSets, GreedyIsLegalOnTheChallengingOnes) {
  for (const char* algorithm : {"greedy_by_size", "greedy_by_conflicts"}) {
    EXPECT_EQ(PlanAll("minimalloc", algorithm, 0).first, 12);
  }
  EXPECT_EQ(PlanAll("minimalloc", "hill_climb", 5'000).first, 12);
}

}  // namespace
}  // namespace usmp
