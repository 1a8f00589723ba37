#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

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
      if (!pool.is_internal) fmt::format_to(out, "  void* {};\n", pool.pool_name);
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
    if (input.pools[i].is_internal) continue;
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

constexpr std::string_view kRunComment =
    "/*! \\brief One inference.\n"
    "    Returns 0; 0x503 where a pointer is NULL that must not be: a struct or a pool;\n"
    "    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed; "
    "they must\n"
    "    not overlap outputs. {} */\n";

}  // namespace

std::string RunSignature(const EmitInput& input) {
  std::string text;
  const Out out(text);
  fmt::format_to(out, "int32_t {0}_run(struct {0}_inputs* inputs, struct {0}_outputs* outputs",
                 input.symbol);
  if (HasExternalPools(input)) {
    fmt::format_to(out, ",\n    struct {}_workspace_pools* workspace_pools", input.symbol);
  }
  text += ")";
  return text;
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
  WriteStruct(input, "inputs", "const void* ", input.inputs, text);
  WriteStruct(input, "outputs", "void* ", input.outputs, text);
  text += "\n";
  WritePools(input, text);
  fmt::format_to(out, kRunComment,
                 HasExternalPools(input) ? "Re-entrant for each set of pools."
                                         : "Not re-entrant: the working memory is shared.");
  text += RunSignature(input) + ";\n\n";
  WritePoolMacros(input, text);
  text += "\n#ifdef __cplusplus\n}\n#endif\n\n";
  fmt::format_to(out, "#endif  /* {} */\n", guard);
  return text;
}

}  // namespace usmp::emit
