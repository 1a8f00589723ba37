// The options that `compile` and `run` share, and what both do with them. cli.cc fills them.
#ifndef USMP_TOOLS_MODEL_OPTIONS_H_
#define USMP_TOOLS_MODEL_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tvmc_options.h"
#include "usmp/compile.h"

namespace usmp::tools {

struct ModelOptions {
  std::string model_path{};
  std::string name{};  // empty: the file's stem
  std::string prefix = "tvmgen";
  std::string io = "caller";  // or "workspace"
  std::vector<std::string> workspace_pools{}, constant_pools{}, constants{}, shapes{};
  std::string pools{};  // a file or a board; empty: none
  TvmcPools tvmc_workspace{}, tvmc_constant{};
  std::string algorithm = "auto";
  int exec_seconds = 60;  // how long an algorithm that is a program may take
  std::string overlap = "on";
  std::string dump_after{};
  bool time_passes = false;
  bool map = false;
  PlanOptions plan{};
};

// Reads the file and compiles it. Prints what was assumed to stderr.
Result<CompiledModel> CompileFile(const ModelOptions& options, DebugMode debug = DebugMode::kNone);

// "tvmgen_kws": what every generated name starts with, read off the header's file name.
std::string SymbolOf(const CompiledModel& model);

// Writes all files or none: what was newly written is removed when one fails.
Result<void> WriteFiles(const CompiledModel& model, const std::string& folder);

// The arguments of --shape, "NAME=1,96,96,3", as CompileOptions::shapes.
Result<std::map<std::string, std::vector<int32_t>>> ParseShapes(
    const std::vector<std::string>& specs);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_MODEL_OPTIONS_H_
