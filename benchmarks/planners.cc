// The planner's algorithms on a folder of problems: how near to the lower bound, how fast.
// `usmp_bench_planners --help` says how to use it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "measure.h"
#include "support/files.h"
#include "synthetic.h"
#include "table.h"
#include "usmp/plan.h"
#include "usmp/plan_io.h"

namespace usmp::benchmarks {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<std::string> paths{};
  std::vector<std::string> algorithms{};
  std::vector<std::string> only{};
  std::vector<size_t> synthetic{};
  size_t max_buffers = 3000;
  int repeats = 5;
  int64_t max_steps = PlanOptions{}.max_steps;
  uint64_t seed = 0;
  bool details = false;
  std::string tsv{};
};

struct Attempt {
  std::string problem{}, algorithm{};
  size_t buffers = 0;
  Bytes bound = 0, peak = 0;
  Proof proof = Proof::kNone;
  int64_t steps = 0;
  double milliseconds = 0;

  double OverBound() const {
    return bound == 0 ? 1.0 : static_cast<double>(peak) / static_cast<double>(bound);
  }
};

std::vector<fs::path> ProblemsOf(const Arguments& arguments) {
  std::vector<fs::path> problems;
  const auto add = [&](const fs::path& path) {
    const std::string extension = path.extension().string();
    const bool wanted =
        arguments.only.empty() || std::ranges::any_of(arguments.only, [&](const std::string& part) {
          return path.string().find(part) != std::string::npos;
        });
    if (wanted && (extension == ".csv" || extension == ".json")) problems.push_back(path);
  };
  for (const fs::path path : arguments.paths) {
    if (!fs::is_directory(path)) {
      add(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) add(entry.path());
  }
  std::sort(problems.begin(), problems.end());
  return problems;
}

Result<PlanProblem> ReadProblem(const fs::path& path) {
  const std::string text = testing::ReadText(path);
  const std::string name = path.filename().string();
  return path.extension() == ".csv" ? ParseProblemCsv(text, name) : ParseProblemJson(text, name);
}

// Empty, with a line on standard error, where the algorithm finds no plan.
std::optional<Attempt> Try(const PlanProblem& problem, const std::string& name,
                           const Algorithm& algorithm, const Arguments& arguments) {
  const PlanOptions options = {.seed = arguments.seed, .max_steps = arguments.max_steps};
  std::vector<double> samples;
  while (true) {
    const double start = ThreadMicroseconds();
    const auto plan = MakePlan(problem, algorithm, options);
    samples.push_back((ThreadMicroseconds() - start) / 1000);
    if (!plan) {
      const Diagnostic& why = plan.error().diagnostics.front();
      std::fprintf(stderr, "%s, %s: %s: %s\n", name.c_str(), algorithm.name.c_str(),
                   why.where.c_str(), why.message.c_str());
      return std::nullopt;
    }
    if (samples.size() < static_cast<size_t>(arguments.repeats)) continue;
    return Attempt{.problem = name,
                   .algorithm = algorithm.name,
                   .buffers = problem.buffers.size(),
                   .bound = plan->lower_bound_bytes,
                   .peak = WorkspaceBytes(problem, *plan),
                   .proof = plan->proof,
                   .steps = plan->steps,
                   .milliseconds = TimingOf(std::move(samples)).median};
  }
}

std::string NameOf(const fs::path& path) {
  return (path.parent_path().filename() / path.stem()).string();
}

const char* NameOf(Proof proof) {
  switch (proof) {
    case Proof::kMeetsLowerBound:
      return "bound";
    case Proof::kExhausted:
      return "search";
    case Proof::kNone:
      break;
  }
  return "-";
}

void TryAlgorithms(const PlanProblem& problem, const std::string& name, const Arguments& arguments,
                   std::vector<Attempt>& attempts) {
  for (const Algorithm& algorithm : Algorithms()) {
    if (!arguments.algorithms.empty() &&
        std::ranges::count(arguments.algorithms, algorithm.name) == 0) {
      continue;
    }
    auto attempt = Try(problem, name, algorithm, arguments);
    if (attempt) attempts.push_back(*std::move(attempt));
  }
}

std::vector<Attempt> TryAll(const Arguments& arguments) {
  std::vector<Attempt> attempts;
  for (const fs::path& path : ProblemsOf(arguments)) {
    const auto problem = ReadProblem(path);
    if (!problem) {
      const Diagnostic& why = problem.error().diagnostics.front();
      std::fprintf(stderr, "%s: %s\n", why.where.c_str(), why.message.c_str());
      continue;
    }
    if (problem->buffers.size() > arguments.max_buffers) continue;
    TryAlgorithms(*problem, NameOf(path), arguments, attempts);
  }
  for (size_t buffers : arguments.synthetic) {
    for (const auto& [name, make] : SyntheticProblems()) {
      TryAlgorithms(make(buffers, arguments.seed), fmt::format("{} {}", name, buffers), arguments,
                    attempts);
    }
  }
  return attempts;
}

Table Details(const std::vector<Attempt>& attempts) {
  Table table{.columns = {"problem", "algorithm", "buffers", "bound", "peak", "peak / bound",
                          "proof", "steps", "ms"}};
  for (const Attempt& a : attempts) {
    table.rows.push_back({a.problem, a.algorithm, std::to_string(a.buffers),
                          std::to_string(a.bound), std::to_string(a.peak),
                          fmt::format("{:.4f}", a.OverBound()), NameOf(a.proof),
                          std::to_string(a.steps), Figure(a.milliseconds)});
  }
  return table;
}

// One line for each algorithm, over the problems that it solves.
Table Summary(const std::vector<Attempt>& attempts) {
  std::map<std::string, std::vector<Attempt>> by_algorithm;
  for (const Attempt& a : attempts) by_algorithm[a.algorithm].push_back(a);
  Table table{.columns = {"algorithm", "plans", "proved", "proved %", "mean peak / bound",
                          "largest", "median ms", "largest ms", "sum s"}};
  for (const auto& [algorithm, all] : by_algorithm) {
    const auto proved =
        std::ranges::count_if(all, [](const Attempt& a) { return a.proof != Proof::kNone; });
    std::vector<double> ratios, times;
    double sum = 0;
    for (const Attempt& a : all) {
      ratios.push_back(a.OverBound());
      times.push_back(a.milliseconds);
      sum += a.milliseconds;
    }
    table.rows.push_back(
        {algorithm, std::to_string(all.size()), std::to_string(proved),
         Figure(100.0 * static_cast<double>(proved) / static_cast<double>(all.size())),
         fmt::format("{:.4f}", GeometricMean(ratios)),
         fmt::format("{:.4f}", *std::ranges::max_element(ratios)), Figure(TimingOf(times).median),
         Figure(*std::ranges::max_element(times)), Figure(sum / 1000)});
  }
  return table;
}

}  // namespace

int Main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{
      "Runs every algorithm of the planner on every problem; times are medians of "
      "processor time, plans are verified and that is timed too."};
  app.add_option("problems", arguments.paths, ".csv and .json files, and folders of them");
  app.add_option("--synthetic", arguments.synthetic,
                 "problems of so many buffers: a chain, a transformer, a random one");
  app.add_option("--seed", arguments.seed, "of searches and of synthetic problems");
  app.add_option("--algorithm", arguments.algorithms, "these alone");
  app.add_option("--only", arguments.only, "problems whose paths contain one of these");
  app.add_option("--max-buffers", arguments.max_buffers, "leaves out larger problems")
      ->capture_default_str();
  app.add_option("--max-steps", arguments.max_steps, "the budget of searches")
      ->capture_default_str();
  app.add_option("--repeats", arguments.repeats, "samples of each time")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--details", arguments.details, "a line for each problem and algorithm as well");
  app.add_option("--tsv", arguments.tsv, "write those lines here, as tab-separated values");
  CLI11_PARSE(app, argc, argv);
  const std::vector<Attempt> attempts = TryAll(arguments);
  if (arguments.details) std::printf("%s\n", ToText(Details(attempts)).c_str());
  std::printf("%s", ToText(Summary(attempts)).c_str());
  if (!arguments.tsv.empty()) testing::WriteFile(arguments.tsv, ToTsv(Details(attempts)));
  return attempts.empty() ? 1 : 0;
}

}  // namespace usmp::benchmarks

int main(int argc, char** argv) { return usmp::benchmarks::Main(argc, argv); }
