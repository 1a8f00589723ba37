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
  std::vector<std::string> model_paths{};
  std::vector<std::string> names{};  // of the first models; of the others, the files' stems
  std::string prefix = "tvmgen";
  std::vector<std::string> io{}, io_tensors{};
  std::string models = "exclusive";  // or "concurrent"
  std::vector<std::string> workspace_pools{}, constant_pools{}, constants{}, shapes{};
  std::string pools{};  // a file or a board; empty: none
  TvmcPools tvmc_workspace{}, tvmc_constant{};
  std::string algorithm = "auto";
  int exec_seconds = 60;  // how long an algorithm that is a program may take
  std::string interface = "c", dl_tensors = "none";
  std::vector<std::string> offloads{}, devices{};
  bool quantized_io = false;
  std::string overlap = "on", reorder = "on";
  std::string stream = "auto";  // or "off", or a number of bytes
  std::string dump_after{};
  bool time_passes = false;
  bool map = false;
  PlanOptions plan{};
};

// Reads the files and compiles them together. Prints what was assumed to stderr.
Result<CompiledModel> CompileFiles(const ModelOptions& options, DebugMode debug = DebugMode::kNone);

// Writes all files or none: what was newly written is removed when one fails.
Result<void> WriteFiles(const CompiledModel& model, const std::string& folder);

// The arguments of --shape, "NAME=1,96,96,3", as CompileOptions::shapes.
Result<std::map<std::string, std::vector<int32_t>>> ParseShapes(
    const std::vector<std::string>& specs);

// "input_1=workspace:sram:precious" as the placement of a tensor.
Result<IoTensor> ParseIoTensor(const std::string& spec);

// "CUSTOM:MyOp=my_op_fn,scratch=4096,target=npu" as an offload.
Result<Offload> ParseOffload(const std::string& spec);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_MODEL_OPTIONS_H_
