#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/calls.h"
#include "emit/files.h"
#include "emit/text.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

size_t Index(BufferId id) { return static_cast<size_t>(id); }

void WritePools(const EmitInput& input, std::string& text) {
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    if (pool.kind != PoolKind::kWorkspace || !pool.is_internal || input.pool_sizes[i] == 0)
      continue;
    const Out out(text);
    text +=
        "\n/* The working memory: every tensor between operators and every operator's scratch. "
        "*/\n";
    if (!pool.section.empty())
      fmt::format_to(out, "__attribute__((section(\"{}\")))\n", pool.section);
    fmt::format_to(out, "static _Alignas({}) uint8_t {}[{}];\n", pool.alignment,
                   PoolSymbol(input, pool), input.pool_sizes[i]);
  }
}

// Pointers that the inner function gets: the caller's tensors, then the caller's pools.
struct Parameter {
  std::string type{}, name{}, argument{};
};
std::vector<Parameter> InnerParameters(const EmitInput& input) {
  std::vector<Parameter> parameters;
  if (!HasIoInWorkspace(input)) {
    for (const Interface& tensor : input.inputs) {
      parameters.push_back(
          {"const void*", ParameterName(tensor.identifier), "inputs->" + tensor.identifier});
    }
    for (const Interface& tensor : input.outputs) {
      parameters.push_back(
          {"void*", ParameterName(tensor.identifier), "outputs->" + tensor.identifier});
    }
  }
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    if (pool.is_internal || input.pool_sizes[i] == 0) continue;
    const bool is_constant = pool.kind == PoolKind::kConstant;
    const std::string type =
        is_constant ? "const struct " + PoolSymbol(input, pool) + "*" : "uint8_t*";
    parameters.push_back(
        {type, PoolBase(input, pool), "(" + type + ")workspace_pools->" + pool.pool_name});
  }
  return parameters;
}

void WriteInner(const EmitInput& input, const std::vector<Parameter>& parameters,
                std::string& text) {
  std::vector<std::string> declared;
  for (const Parameter& p : parameters) declared.push_back(p.type + " " + p.name);
  if (declared.empty()) declared.push_back("void");
  fmt::format_to(Out(text), "\nstatic void {}___tvm_main__({}) {{\n", input.symbol,
                 Join(declared, ", "));
  for (const Parameter& p : parameters) fmt::format_to(Out(text), "  (void){};\n", p.name);
  // Inputs in the workspace are already there.
  if (!input.poison_after.empty() && !HasIoInWorkspace(input)) {
    for (size_t i = 0; i < input.pools.size(); ++i) {
      if (input.pools[i].kind != PoolKind::kWorkspace || input.pool_sizes[i] == 0) continue;
      fmt::format_to(Out(text), "  memset({}, 0xA5, {});\n", PoolBase(input, input.pools[i]),
                     input.pool_sizes[i]);
    }
  }
  for (size_t i = 0; i < input.program.calls.size(); ++i) WriteCall(input, i, text);
  text += "}\n";
}

void WriteCheck(std::string_view pointer, Bytes alignment, std::string_view null_code,
                std::string& text) {
  fmt::format_to(Out(text), "  if ({} == NULL) return {};\n", pointer, null_code);
  if (alignment == 1) return;
  fmt::format_to(Out(text), "  if (((uintptr_t){} & {}u) != 0) return 0x803;\n", pointer,
                 alignment - 1);
}

void WriteRun(const EmitInput& input, const std::vector<Parameter>& parameters, std::string& text) {
  const Out out(text);
  fmt::format_to(out, "\n{} {{\n", RunSignature(input));
  std::vector<std::string> structs;
  if (!HasIoInWorkspace(input)) structs = {"inputs", "outputs"};
  if (HasExternalPools(input)) structs.push_back("workspace_pools");
  for (const std::string& name : structs) {
    fmt::format_to(out, "  if ({} == NULL) return 0x503;\n", name);
  }
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    if (!pool.is_internal && input.pool_sizes[i] > 0) {
      WriteCheck("workspace_pools->" + pool.pool_name, pool.alignment, "0x503", text);
    }
  }
  const auto check = [&](const Interface& tensor, std::string_view role) {
    WriteCheck(fmt::format("{}->{}", role, tensor.identifier),
               ElementBytes(input.program[tensor.buffer].element), "0x803", text);
  };
  if (!HasIoInWorkspace(input)) {
    for (const Interface& tensor : input.inputs) check(tensor, "inputs");
    for (const Interface& tensor : input.outputs) check(tensor, "outputs");
  }
  std::vector<std::string> arguments;
  for (const Parameter& p : parameters) arguments.push_back(p.argument);
  fmt::format_to(out, "  {}___tvm_main__({});\n  return 0;\n}}\n", input.symbol,
                 Join(arguments, ", "));
}

void WriteMap(const EmitInput& input, std::string_view role, const std::vector<Interface>& tensors,
              std::string& text) {
  const Out out(text);
  fmt::format_to(out, "\n{} {{\n", MapSignature(input, role));
  fmt::format_to(out, "  struct {}_{} mapped;\n", input.symbol, role);
  for (const Interface& tensor : tensors) {
    const PoolAllocation& at = *input.allocations[Index(tensor.buffer)];
    const PoolInfo& pool = PoolOf(input, at);
    const std::string base =
        pool.is_internal ? PoolSymbol(input, pool) : "(uint8_t*)workspace_pools->" + pool.pool_name;
    fmt::format_to(out, "  mapped.{} = {} + {};\n", tensor.identifier, base, at.byte_offset);
  }
  if (tensors.empty()) text += "  mapped._unused = NULL;\n";
  text += "  return mapped;\n}\n";
}

}  // namespace

bool HasIoInWorkspace(const EmitInput& input) {
  const auto is_planned = [&](const Interface& tensor) {
    return input.allocations[Index(tensor.buffer)].has_value();
  };
  return std::ranges::any_of(input.inputs, is_planned) ||
         std::ranges::any_of(input.outputs, is_planned);
}

std::string PoolSymbol(const EmitInput& input, const PoolInfo& pool) {
  return input.symbol + "_" + pool.pool_name;
}

bool HasExternalPools(const EmitInput& input) {
  return std::ranges::any_of(input.pools, [](const PoolInfo& pool) { return !pool.is_internal; });
}

std::string WriteSource(const EmitInput& input) {
  std::string text =
      Banner("The model \"" + CommentText(input.program.name) + "\".", input.version);
  const Out out(text);
  fmt::format_to(out, "#include \"{}.h\"\n\n#include <stddef.h>\n#include <string.h>\n\n",
                 input.symbol);
  const bool has_constants = std::ranges::any_of(input.program.buffers, [](const lower::Buffer& b) {
    return b.kind == BufferKind::kConstant;
  });
  if (has_constants) fmt::format_to(out, "#include \"{}_constants.h\"\n", input.symbol);
  for (std::string_view kernel : KernelsOf(input.program)) {
    fmt::format_to(out, "#include \"usmp/kernels/{}.h\"\n", kernel);
  }
  WritePools(input, text);
  for (size_t i = 0; i < input.program.calls.size(); ++i) {
    WriteParams(input, i, text);
  }
  const std::vector<Parameter> parameters = InnerParameters(input);
  WriteInner(input, parameters, text);
  WriteRun(input, parameters, text);
  if (HasIoInWorkspace(input)) {
    WriteMap(input, "inputs", input.inputs, text);
    WriteMap(input, "outputs", input.outputs, text);
  }
  return text;
}

}  // namespace usmp::emit
