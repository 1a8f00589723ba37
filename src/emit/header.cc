#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "emit/constant_pools.h"
#include "emit/files.h"
#include "emit/text.h"
#include "support/names.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

const lower::Buffer& BufferOf(const EmitInput& input, const Interface& tensor) {
  return input.program[tensor.buffer];
}

void WriteTensorMacros(const EmitInput& input, const Interface& tensor, std::string_view role,
                       std::string& text) {
  const lower::Buffer& buffer = BufferOf(input, tensor);
  const std::string macro = ToUpper(input.symbol + "_" + tensor.identifier);
  const Out out(text);
  fmt::format_to(out, "\n/* {} \"{}\": {}[{}] */\n", role, CommentText(tensor.name),
                 CType(buffer.element), fmt::join(tensor.shape, "]["));
  fmt::format_to(out, "#define {}_SIZE {}\n", macro, buffer.size_bytes());
  fmt::format_to(out, "#define {}_ALIGN {}\n", macro, ElementBytes(buffer.element));
  fmt::format_to(out, "#define {}_RANK {}\n", macro, tensor.shape.size());
  if (!tensor.shape.empty()) {
    fmt::format_to(out, "#define {}_SHAPE {{{}}}\n", macro, fmt::join(tensor.shape, ", "));
  }
  if (tensor.scales.size() == 1) {
    fmt::format_to(out, "#define {}_SCALE {}\n", macro, FloatLiteral(tensor.scales[0]));
    fmt::format_to(out, "#define {}_ZERO_POINT ({})\n", macro, tensor.zero_points[0]);
  }
}

void WriteStruct(const EmitInput& input, std::string_view role, std::string_view type,
                 const std::vector<Interface>& tensors, std::string& text) {
  const Out out(text);
  fmt::format_to(out, "struct {}_{} {{\n", input.symbol, role);
  for (const Interface& tensor : tensors) fmt::format_to(out, "  {}{};\n", type, tensor.identifier);
  if (tensors.empty()) fmt::format_to(out, "  {}_unused;  /* the model has none */\n", type);
  text += "};\n";
}

void WritePools(const EmitInput& input, std::string& text) {
  const Out out(text);
  if (HasExternalPools(input)) {
    fmt::format_to(out, "/*! \\brief The memory that the caller gives to {}_run. */\n",
                   input.symbol);
    fmt::format_to(out, "struct {}_workspace_pools {{\n", input.symbol);
    for (const PoolInfo& pool : input.pools) {
      if (pool.is_internal) continue;
      const bool is_constant = pool.kind == PoolKind::kConstant;
      fmt::format_to(out, "  {}void* {};\n", is_constant ? "const " : "", pool.pool_name);
    }
    text += "};\n\n";
  }
}

void WritePoolMacros(const EmitInput& input, std::string& text) {
  const std::string macro = ToUpper(input.symbol);
  Bytes workspace = 0;
  Bytes alignment = 1;
  for (size_t i = 0; i < input.pools.size(); ++i) {
    if (input.pools[i].kind != PoolKind::kWorkspace) continue;
    workspace += input.pool_sizes[i];
    alignment = std::max(alignment, input.pools[i].alignment);
  }
  const Out out(text);
  fmt::format_to(out, "/*! \\brief Bytes of working memory, all pools together. */\n");
  fmt::format_to(out, "#define {}_WORKSPACE_SIZE {}\n", macro, workspace);
  fmt::format_to(out, "#define {}_WORKSPACE_ALIGN {}\n", macro, alignment);
  for (size_t i = 0; i < input.pools.size(); ++i) {
    if (input.pools[i].is_internal || input.pools[i].kind != PoolKind::kWorkspace) continue;
    fmt::format_to(out, "#define {}_{}_WORKSPACE_POOL_SIZE {}\n", macro,
                   ToUpper(input.pools[i].pool_name), input.pool_sizes[i]);
  }
  fmt::format_to(out,
                 "/*! \\brief No plan for this schedule needs less working memory than this. */\n");
  fmt::format_to(out, "#define {}_PEAK_LOWER_BOUND {}\n", macro, input.lower_bound_bytes);
  if (input.max_stack_bytes > 0) {
    fmt::format_to(out, "/*! \\brief Stack of {}_run, the whole call tree (Cortex-M4, -O2). */\n",
                   input.symbol);
    fmt::format_to(out, "#define {}_MAX_STACK {}\n", macro, input.max_stack_bytes);
  }
}

void WriteMapPrototypes(const EmitInput& input, std::string& text) {
  if (!HasIoInWorkspace(input)) return;
  text +=
      "/*! \\brief Where the inputs and outputs are in the workspace. Inputs are to be written "
      "before "
      "every\n    run, which overwrites them; outputs are valid until the next run. */\n";
  text += MapSignature(input, "inputs") + ";\n" + MapSignature(input, "outputs") + ";\n\n";
}

void WriteRunPrototype(const EmitInput& input, std::string& text) {
  const bool pools = HasExternalPools(input);
  text += "/*! \\brief One inference. Returns 0";
  if (!HasIoInWorkspace(input)) {
    text +=
        ";\n    0x503 where a pointer is NULL that must not be: a struct or a pool;\n"
        "    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not "
        "changed;\n    they must not overlap outputs";
  } else if (pools) {
    text += "; 0x503 where a pool is NULL; 0x803 where one is not aligned";
  }
  text += pools ? ".\n    Re-entrant for each set of pools. */\n"
                : ".\n    Not re-entrant: the working memory is shared. */\n";
  text += RunSignature(input) + ";\n\n";
}

std::string PoolsParameter(const EmitInput& input) {
  return "struct " + input.symbol + "_workspace_pools* workspace_pools";
}

}  // namespace

std::string RunSignature(const EmitInput& input) {
  std::vector<std::string> parameters;
  if (!HasIoInWorkspace(input)) {
    parameters.push_back("struct " + input.symbol + "_inputs* inputs");
    parameters.push_back("struct " + input.symbol + "_outputs* outputs");
  }
  if (HasExternalPools(input)) parameters.push_back(PoolsParameter(input));
  if (parameters.empty()) parameters.push_back("void");
  return "int32_t " + input.symbol + "_run(" + Join(parameters, ",\n    ") + ")";
}

std::string MapSignature(const EmitInput& input, std::string_view role) {
  return fmt::format("struct {0}_{1} {0}_map_{1}({2})", input.symbol, role,
                     HasExternalPools(input) ? PoolsParameter(input) : "void");
}

std::string WriteHeader(const EmitInput& input) {
  const std::string guard = ToUpper(input.symbol) + "_H_";
  std::string text = Banner(
      "The interface of the model \"" + CommentText(input.program.name) + "\".", input.version);
  const Out out(text);
  fmt::format_to(out, "#ifndef {0}\n#define {0}\n\n#include <stdint.h>\n\n", guard);
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const Interface& tensor : input.inputs) WriteTensorMacros(input, tensor, "input", text);
  for (const Interface& tensor : input.outputs) WriteTensorMacros(input, tensor, "output", text);
  text += "\n";
  WriteStruct(input, "inputs", HasIoInWorkspace(input) ? "void* " : "const void* ", input.inputs,
              text);
  WriteStruct(input, "outputs", "void* ", input.outputs, text);
  text += "\n";
  WritePools(input, text);
  WriteMapPrototypes(input, text);
  WriteRunPrototype(input, text);
  WritePoolMacros(input, text);
  WriteConstantPoolMacros(input, text);
  text += "\n#ifdef __cplusplus\n}\n#endif\n\n";
  fmt::format_to(out, "#endif  /* {} */\n", guard);
  return text;
}

}  // namespace usmp::emit
