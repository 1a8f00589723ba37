// The user's functions and devices: are they well described, and which does a model need?
#ifndef USMP_COMPILE_OFFLOAD_H_
#define USMP_COMPILE_OFFLOAD_H_

#include <span>
#include <string>
#include <vector>

#include "lower/program.h"
#include "usmp/compile.h"

namespace usmp::compile {

Result<void> CheckOffloads(const CompileOptions& options);
// Every device must have a name of its own, and an offload of one of the models as its user.
Result<void> CheckDevices(std::span<const ModelSource> models);

// As the importer wants them.
std::vector<std::string> OperatorsOf(std::span<const Offload> offloads);

// Those of `devices` that calls of the program use, in their order.
std::vector<std::string> DevicesOf(const lower::Program& program,
                                   const std::vector<std::string>& devices);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_OFFLOAD_H_
