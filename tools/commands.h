// The subcommands of `usmp`: what each is told, and what it does. Each prints its errors and
// returns its exit code. cli.cc reads the command line.
#ifndef USMP_TOOLS_COMMANDS_H_
#define USMP_TOOLS_COMMANDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model_options.h"
#include "usmp/plan.h"

namespace usmp::tools {

struct CompileCommand {
  ModelOptions model{};
  std::string folder = "usmp_out";
  std::string report{}, archive{};  // files; empty: none
};
int RunCompile(const CompileCommand& command);

struct RunCommand {
  ModelOptions model{};
  std::vector<std::string> inputs{};  // files; empty: pseudo-random
  std::string output_folder{}, keep_folder{}, dump_folder{};
  uint32_t input_seed = 12345;
  int runs = 20;
};
int RunRun(const RunCommand& command);

struct InspectCommand {
  std::string model_path{};
  std::vector<std::string> shapes{};
  bool json = false;
};
int RunInspect(const InspectCommand& command);

struct PlanCommand {
  std::string problem{};  // a file
  std::string output{};   // a file; empty: stdout
  std::string algorithm = "auto";
  int exec_seconds = 60;
  std::string capacity{};
  PlanOptions options{};
  bool map = false;
  bool explain = false;
};
int RunPlan(const PlanCommand& command);

struct VerifyCommand {
  std::string problem{}, plan{};  // files
};
int RunVerify(const VerifyCommand& command);

struct PoolsCommand {
  std::string board{};  // to show; empty: list them all
};
int RunPools(const PoolsCommand& command);

int RunAlgorithms(bool as_json);
int RunOps(bool as_json);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_COMMANDS_H_
