// Which options belong to which model of the command line.
#ifndef USMP_TOOLS_MODELS_H_
#define USMP_TOOLS_MODELS_H_

#include <string>
#include <vector>

#include "usmp/compile.h"

namespace usmp::tools {

struct ModelOptions;

struct OneModel {
  std::string path{}, name{};
  IoPlacement io = IoPlacement::kCaller;
  std::vector<std::string> io_tensors{}, constants{}, shapes{}, offloads{};
};

// With several models, every --io-tensor, --constant, --shape and --offload starts with the model's
// name and a point: "kws.input:0=workspace". --io is for all models, or "kws=workspace" for one.
Result<std::vector<OneModel>> ModelsOf(const ModelOptions& options);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_MODELS_H_
