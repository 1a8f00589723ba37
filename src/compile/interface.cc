#include "compile/interface.h"

#include <span>

#include "support/names.h"

namespace usmp::compile {
namespace {

constexpr size_t kLongestName = 200;  // characters: beyond it C compilers give up on columns

std::vector<std::string> NameAll(const ir::Graph& graph, std::span<const ir::TensorId> tensors,
                                 const std::string& role, Names& names) {
  std::vector<std::string> all;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string& name = graph[tensors[i]].name;
    const std::string unnamed = tensors.size() == 1 ? role : role + std::to_string(i);
    const std::string wanted = name.empty() ? unnamed : SanitizeName(name);
    all.push_back(names.Claim(wanted.substr(0, kLongestName)));
  }
  return all;
}

std::vector<emit::Interface> DescribeAll(const ir::Graph& graph,
                                         std::span<const ir::TensorId> tensors,
                                         std::span<const BufferId> buffers,
                                         std::span<const std::string> identifiers) {
  std::vector<emit::Interface> all;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ir::Tensor& tensor = graph[tensors[i]];
    all.push_back({.identifier = identifiers[i],
                   .name = tensor.name,
                   .buffer = buffers[i],
                   .shape = tensor.shape,
                   .scales = tensor.quantization.scales,
                   .zero_points = tensor.quantization.zero_points});
  }
  return all;
}

}  // namespace

Result<std::string> SymbolOf(const std::string& prefix, const std::string& model_name) {
  if (prefix.empty() || SanitizeName(prefix) != prefix) {
    return Fail(ErrorCode::kInvalidInput, "prefix '" + prefix + "'",
                "it starts every name of the generated C, so it must be a C identifier");
  }
  if (model_name.empty()) {
    return Fail(ErrorCode::kInvalidInput, "model name", "it must not be empty");
  }
  std::string name = ToLower(model_name);
  for (char& c : name) {
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z')) c = '_';
  }
  return prefix + "_" + name;
}

InterfaceNames NameInterfaces(const ir::Graph& graph) {
  Names names;
  names.Reserve(
      "WORKSPACE");  // ..._WORKSPACE_SIZE and ..._WORKSPACE_ALIGN are the header's own macros
  InterfaceNames all;
  all.inputs = NameAll(graph, graph.inputs, "input", names);
  all.outputs = NameAll(graph, graph.outputs, "output", names);
  return all;
}

Interfaces NameInterfaces(const ir::Graph& graph, const lower::Program& program) {
  const InterfaceNames names = NameInterfaces(graph);
  return {.inputs = DescribeAll(graph, graph.inputs, program.inputs, names.inputs),
          .outputs = DescribeAll(graph, graph.outputs, program.outputs, names.outputs)};
}

}  // namespace usmp::compile
