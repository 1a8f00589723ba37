// `usmp plan`, `usmp verify` and `usmp algorithms`: the planner without a model.
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "exec_algorithm.h"
#include "io.h"
#include "numbers.h"
#include "usmp/plan_io.h"
#include "usmp/pool_cost.h"
#include "usmp/report.h"

namespace usmp::tools {
namespace {

constexpr size_t kWorthAWord = 2000;  // buffers: planning may take more than a second

// By the suffix; without one of the two, by how the text begins.
bool IsJson(const std::string& path, const std::string& text) {
  if (path.ends_with(".json")) return true;
  if (path.ends_with(".csv")) return false;
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

Result<Bytes> ParseCapacity(const std::string& text) {
  if (const std::optional<Bytes> bytes = ParseBytes(text)) return *bytes;
  return Fail(ErrorCode::kInvalidInput, "--capacity " + text,
              "must be a number of bytes, or of KiB or MiB with K or M after it: 65536, 64K");
}

Result<PlanProblem> ReadProblem(const std::string& path, const std::string& text,
                                std::optional<Bytes> capacity) {
  if (!IsJson(path, text)) return ParseProblemCsv(text, path, capacity);
  auto problem = ParseProblemJson(text, path);
  if (!problem || !capacity) return problem;
  if (problem->pools.size() != 1) {
    return Fail(
        ErrorCode::kInvalidInput, "--capacity",
        "bounds the one pool of a problem, but this one has several: set \"size\" of each in " +
            path);
  }
  problem->pools[0].size_hint_bytes = capacity;
  if (auto checked = CheckProblem(*problem); !checked) return Fail(checked.error());
  return problem;
}

Report ToReport(const PlanProblem& problem, const Plan& plan) {
  Report report{.lower_bound_bytes = plan.lower_bound_bytes,
                .proof = plan.proof,
                .witness = plan.witness,
                .plan_steps = plan.steps};
  for (size_t i = 0; i < problem.pools.size(); ++i) {
    const PoolInfo& pool = problem.pools[i];
    report.pools.push_back({.name = pool.pool_name,
                            .kind = pool.kind,
                            .bytes = plan.pool_sizes[i],
                            .size_hint_bytes = pool.size_hint_bytes,
                            .alignment = pool.alignment});
    if (pool.kind == PoolKind::kWorkspace) report.workspace_bytes += plan.pool_sizes[i];
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const BufferInfo& buffer = problem.buffers[i];
    report.buffers.push_back({.name = buffer.name_hint,
                              .kind = buffer.kind,
                              .bytes = buffer.size_bytes,
                              .alignment = buffer.alignment,
                              .allocation = plan.allocations[i],
                              .lifetimes = buffer.lifetimes});
  }
  return report;
}

// One line for people, on stderr: stdout is the plan.
void PrintSummary(const PlanProblem& problem, const Plan& plan) {
  for (size_t i = 0; i < problem.pools.size(); ++i) {
    std::fprintf(stderr, "pool '%s': %lld bytes\n", problem.pools[i].pool_name.c_str(),
                 static_cast<long long>(plan.pool_sizes[i]));
  }
  std::fprintf(stderr, "lower bound %lld bytes (%s): %s\n",
               static_cast<long long>(plan.lower_bound_bytes), plan.witness.c_str(),
               plan.proof == Proof::kNone ? "not reached; a smaller plan may exist"
                                          : "reached, no smaller plan exists");
}

}  // namespace

int RunPlan(const PlanCommand& command) {
  std::optional<Bytes> capacity;
  if (!command.capacity.empty()) {
    const Result<Bytes> parsed = ParseCapacity(command.capacity);
    if (!parsed) return PrintError(parsed.error());
    capacity = *parsed;
  }
  const auto algorithm = SelectAlgorithm(command.algorithm, command.exec_seconds);
  if (!algorithm) return PrintError(algorithm.error());
  const auto text = ReadFile(command.problem);
  if (!text) return PrintError(text.error());
  const auto problem = ReadProblem(command.problem, *text, capacity);
  if (!problem) return PrintError(problem.error());
  if (problem->buffers.size() > kWorthAWord && isatty(STDERR_FILENO) != 0) {
    std::fprintf(stderr, "planning %zu buffers with %s ...\n", problem->buffers.size(),
                 algorithm->name.c_str());
  }
  const auto plan = MakePlanByCost(*problem, *algorithm, command.options);
  if (!plan) return PrintError(plan.error());
  const std::string out =
      IsJson(command.problem, *text) ? PlanToJson(*problem, *plan) : PlanToCsv(*problem, *plan);
  if (!command.output.empty()) {
    if (auto written = WriteFile(command.output, out); !written) return PrintError(written.error());
  } else {
    std::fwrite(out.data(), 1, out.size(), stdout);
  }
  std::FILE* stream = command.output.empty() ? stderr : stdout;
  if (command.map) {
    std::fputs(MemoryMap(ToReport(*problem, *plan), PictureColumns(stream)).c_str(), stream);
  } else {
    PrintSummary(*problem, *plan);
  }
  if (!command.explain) return 0;
  const auto explained = ExplainPlan(*problem, *plan);
  if (!explained) return PrintError(explained.error());
  std::fputs(explained->c_str(), stream);
  return 0;
}

int RunVerify(const VerifyCommand& command) {
  const auto problem_text = ReadFile(command.problem);
  if (!problem_text) return PrintError(problem_text.error());
  const auto plan_text = ReadFile(command.plan);
  if (!plan_text) return PrintError(plan_text.error());
  const auto problem = ReadProblem(command.problem, *problem_text, {});
  if (!problem) return PrintError(problem.error());
  const auto plan = IsJson(command.plan, *plan_text)
                        ? ParsePlanJson(*plan_text, command.plan, *problem)
                        : ParsePlanCsv(*plan_text, command.plan, *problem);
  if (!plan) return PrintError(plan.error());
  if (auto verified = VerifyPlan(*problem, *plan); !verified) return PrintError(verified.error());
  std::printf("legal: %zu buffers\n", problem->buffers.size());
  for (size_t i = 0; i < problem->pools.size(); ++i) {
    std::printf("pool '%s': %lld bytes\n", problem->pools[i].pool_name.c_str(),
                static_cast<long long>(plan->pool_sizes[i]));
  }
  std::printf("lower bound: %lld bytes\n", static_cast<long long>(LowerBound(*problem)));
  return 0;
}

int RunAlgorithms(bool as_json) {
  auto rows = nlohmann::ordered_json::array();
  for (const Algorithm& algorithm : Algorithms()) {
    rows.push_back({{"name", algorithm.name}, {"summary", algorithm.summary}});
    if (as_json) continue;
    std::printf("%-20s %s\n", algorithm.name.c_str(), algorithm.summary.c_str());
  }
  if (as_json) std::printf("%s\n", rows.dump(2).c_str());
  return 0;
}

}  // namespace usmp::tools
