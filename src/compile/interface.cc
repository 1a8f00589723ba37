#include "compile/interface.h"

#include <span>

#include "support/names.h"

namespace usmp::compile {
namespace {

std::vector<emit::Interface> NameAll(const ir::Graph& graph, std::span<const ir::TensorId> tensors,
                                     std::span<const BufferId> buffers, const std::string& role,
                                     Names& names) {
  std::vector<emit::Interface> all;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ir::Tensor& tensor = graph[tensors[i]];
    const std::string unnamed = tensors.size() == 1 ? role : role + std::to_string(i);
    all.push_back(
        {.identifier = names.Claim(tensor.name.empty() ? unnamed : SanitizeName(tensor.name)),
         .name = tensor.name,
         .buffer = buffers[i],
         .shape = tensor.shape,
         .scales = tensor.quantization.scales,
         .zero_points = tensor.quantization.zero_points});
  }
  return all;
}

}  // namespace

Result<std::string> SymbolOf(const CompileOptions& options) {
  if (options.prefix.empty() || SanitizeName(options.prefix) != options.prefix) {
    return Fail(ErrorCode::kInvalidInput, "prefix '" + options.prefix + "'",
                "it starts every name of the generated C, so it must be a C identifier");
  }
  if (options.model_name.empty()) {
    return Fail(ErrorCode::kInvalidInput, "model name", "it must not be empty");
  }
  std::string name = ToLower(options.model_name);
  for (char& c : name) {
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z')) c = '_';
  }
  return options.prefix + "_" + name;
}

Interfaces NameInterfaces(const ir::Graph& graph, const lower::Program& program) {
  Names names;
  names.Reserve(
      "WORKSPACE");  // ..._WORKSPACE_SIZE and ..._WORKSPACE_ALIGN are the header's own macros
  Interfaces interfaces;
  interfaces.inputs = NameAll(graph, graph.inputs, program.inputs, "input", names);
  interfaces.outputs = NameAll(graph, graph.outputs, program.outputs, "output", names);
  return interfaces;
}

}  // namespace usmp::compile
