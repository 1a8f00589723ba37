// usmp.toml: the options of the command line in a file.
#ifndef USMP_TOOLS_CONFIG_H_
#define USMP_TOOLS_CONFIG_H_

#include <string>
#include <vector>

#include "usmp/result.h"

namespace usmp::tools {

// The file as words of a command line. A key is an option's long name, without the dashes:
//
//     models = "exclusive"                      --models exclusive
//     map = true                                --map
//     constant-pool = ["flash:size=1M,..."]     --constant-pool flash:size=1M,...
//
//     [[workspace-pool]]                        --workspace-pool dtcm:size=64K,internal=true
//     name = "dtcm"
//     size = "64K"
//     internal = true
//
//     [[model]]                                 models/kws.tflite --name kws
//     file = "models/kws.tflite"                --io kws=workspace
//     name = "kws"                              --io-tensor kws.input:0=workspace:dtcm
//     io = "workspace"
//     io-tensor = ["input:0=workspace:dtcm"]
//
// Files of models and of pools are relative to the folder of `path`. Everything that is not
// understood is listed.
Result<std::vector<std::string>> ReadConfig(const std::string& path);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_CONFIG_H_
