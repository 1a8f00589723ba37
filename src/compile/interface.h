// The names of the generated C: of the model, and of its inputs and outputs.
#ifndef USMP_COMPILE_INTERFACE_H_
#define USMP_COMPILE_INTERFACE_H_

#include <string>
#include <vector>

#include "emit/emit.h"
#include "ir/graph.h"
#include "lower/program.h"
#include "usmp/compile.h"

namespace usmp::compile {

// "tvmgen_kws": prefix and model name in lower case, every other byte than [a-z0-9] an underscore.
Result<std::string> SymbolOf(const std::string& prefix, const std::string& model_name);

// The struct members. They are the tensors' names, sanitized. Unnamed tensors are input / input0,
// input1, ... and likewise output. Clashes get suffixes, in the model's order, inputs first.
struct InterfaceNames {
  std::vector<std::string> inputs{}, outputs{};
};
InterfaceNames NameInterfaces(const ir::Graph& graph);

struct Interfaces {
  std::vector<emit::Interface> inputs{}, outputs{};
};
Interfaces NameInterfaces(const ir::Graph& graph, const lower::Program& program);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_INTERFACE_H_
