#include "exec_algorithm.h"

#include <algorithm>
#include <vector>

#include "numbers.h"
#include "process.h"
#include "usmp/plan_io.h"

namespace usmp::tools {
namespace {

constexpr std::string_view kPrefix = "exec:";

// The end of what it wrote to standard error: the reason usually stands last.
std::string Complaint(const std::string& text) {
  constexpr size_t kMost = 2000;  // bytes
  const size_t end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return "; it wrote nothing to standard error";
  const size_t size = end + 1;
  return "; it wrote: " + text.substr(size - std::min(size, kMost), std::min(size, kMost));
}

Result<Plan> RunProgram(const std::string& name, const std::vector<std::string>& command,
                        int seconds, const PlanProblem& problem) {
  const std::string where = "algorithm '" + name + "'";
  const auto done = RunWithInput(command, ProblemToJson(problem), seconds);
  if (!done) return Fail(done.error());
  if (done->timed_out) {
    return Fail(ErrorCode::kInvalidInput, where,
                "was stopped after " + std::to_string(seconds) +
                    " seconds: allow more with --exec-seconds" + Complaint(done->complaint));
  }
  if (!done->failure.empty()) {
    return Fail(ErrorCode::kInvalidInput, where, done->failure + Complaint(done->complaint));
  }
  auto plan = ParsePlanJson(done->output, where + ", its plan", problem);
  if (!plan) return plan;
  plan->lower_bound_bytes = 0;
  plan->proof = Proof::kNone;
  plan->witness.clear();
  return plan;
}

}  // namespace

Result<Algorithm> SelectAlgorithm(const std::string& name, int seconds) {
  if (!name.starts_with(kPrefix)) return FindAlgorithm(name);
  std::vector<std::string> command = Split(std::string_view(name).substr(kPrefix.size()), ' ');
  std::erase(command, "");
  if (command.empty()) {
    return Fail(ErrorCode::kInvalidInput, "--algorithm " + name, "write exec:PROGRAM");
  }
  return Algorithm{.name = name,
                   .summary = "a program of the user",
                   .run = [name, command, seconds](const PlanProblem& problem, const PlanOptions&) {
                     return RunProgram(name, command, seconds, problem);
                   }};
}

}  // namespace usmp::tools
