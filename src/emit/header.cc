#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "emit/constant_pools.h"
#include "emit/devices.h"
#include "emit/dl_tensor.h"
#include "emit/files.h"
#include "emit/module.h"
#include "emit/offload.h"
#include "emit/packed.h"
#include "emit/row_transfer.h"
#include "emit/signatures.h"
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
  if (tensor.rows > 0) {
    fmt::format_to(out, "#define {}_ROWS {}\n", macro, tensor.rows);
    fmt::format_to(out, "#define {}_ROW_SIZE {}\n", macro, RowBytes(input, tensor));
  }
  if (tensor.scales.size() == 1) {
    fmt::format_to(out, "#define {}_SCALE {}\n", macro, FloatLiteral(tensor.scales[0]));
    fmt::format_to(out, "#define {}_ZERO_POINT ({})\n", macro, tensor.zero_points[0]);
  }
}

void WriteStruct(std::string_view name, Role role, std::string_view type,
                 const std::vector<Interface>& tensors, std::string& text) {
  const Out out(text);
  fmt::format_to(out, "{} {{\n", name);
  for (const Interface& tensor : tensors) {
    if (tensor.rows == 0) {
      fmt::format_to(out, "  {}{};\n", type, tensor.identifier);
    } else {
      fmt::format_to(out, "  {};\n  void* {};\n",
                     DeclareRowFunction(role, RowFunction(tensor, role)), RowContext(tensor));
    }
  }
  if (tensors.empty()) fmt::format_to(out, "  {}_unused;  /* the model has none */\n", type);
  text += "};\n";
}

// The caller's inputs are not changed; what map functions return is to be written.
void WriteStructs(const EmitInput& input, Role role, std::string& text) {
  if (input.api != InterfaceApi::kPacked) WriteCallersStruct(input, role, text);
  if (HasMap(input, role)) {
    WriteStruct(MappedType(input, role), role, "void* ", MappedTensors(input, role), text);
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
  if (HasMap(input, Role::kInputs)) {
    std::string precious;
    for (const Interface& tensor : MappedTensors(input, Role::kInputs)) {
      if (tensor.is_precious) precious += (precious.empty() ? "" : ", ") + tensor.identifier;
    }
    text +=
        "/*! \\brief Where inputs are in the workspace. They are to be written before every run, "
        "which\n    overwrites them";
    if (!precious.empty()) text += ", all but " + precious;
    text += ". */\n" + MapSignature(input, Role::kInputs) + ";\n\n";
  }
  if (HasMap(input, Role::kOutputs)) {
    text +=
        "/*! \\brief Where outputs are in the workspace. They are valid until the next run. */\n" +
        MapSignature(input, Role::kOutputs) + ";\n\n";
  }
}

void WriteRowsComment(const EmitInput& input, std::string& text) {
  if (!TensorsByRows(input, Role::kInputs).empty()) {
    text +=
        "    Each ..._get_row is asked for every row once, first to last. The row that it returns "
        "has to\n    stay until it is asked again; NULL ends the run, which returns 0x803.\n";
  }
  if (!TensorsByRows(input, Role::kOutputs).empty()) {
    text +=
        "    Each ..._put_row gets every row once, first to last. What it returns, if not 0, ends "
        "the run,\n    which returns it.\n";
  }
}

void WriteRunPrototype(const EmitInput& input, std::string& text) {
  const bool pools = HasExternalPools(input);
  const bool tensors = RunTakes(input, Role::kInputs) || RunTakes(input, Role::kOutputs);
  if (input.api == InterfaceApi::kPacked) return WritePackedDeclaration(input, text);
  if (input.api == InterfaceApi::kModule) return WriteModuleDeclarations(input, text);
  text += "/*! \\brief One inference. Returns 0";
  if (tensors) {
    text +=
        ";\n    0x503 where a pointer is NULL that must not be: a struct or a pool;\n"
        "    0x803 where a tensor is NULL, or a tensor or pool is not aligned. ";
    text += HasMap(input, Role::kInputs) ? "The caller's inputs are\n    not changed; they"
                                         : "Inputs are not changed;\n    they";
    text += " must not overlap outputs";
  } else if (pools) {
    text += "; 0x503 where a pool is NULL; 0x803 where one is not aligned";
  }
  if (HasOffloads(input)) text += ";\n    -1 where a function of the application fails";
  text += ".\n";
  WriteRowsComment(input, text);
  text += pools ? "    Re-entrant for each set of pools. */\n"
                : "    Not re-entrant: the working memory is shared. */\n";
  text += RunSignature(input) + ";\n\n";
}

}  // namespace

void WriteCallersStruct(const EmitInput& input, Role role, std::string& text) {
  if (!RunTakes(input, role)) return;
  WriteStruct(fmt::format("struct {}_{}", input.symbol, Name(role)), role,
              role == Role::kInputs ? "const void* " : "void* ", ArgumentTensors(input, role),
              text);
}

void WritePoolsStruct(const EmitInput& input, std::string& text) {
  if (!HasExternalPools(input)) return;
  const Out out(text);
  fmt::format_to(out,
                 "/*! \\brief The memory that the caller gives to {0}_run. */\n"
                 "struct {0}_workspace_pools {{\n",
                 input.symbol);
  for (const PoolInfo& pool : input.pools) {
    if (pool.is_internal) continue;
    const bool is_constant = pool.kind == PoolKind::kConstant;
    fmt::format_to(out, "  {}void* {};\n", is_constant ? "const " : "", pool.pool_name);
  }
  text += "};\n\n";
}

std::string WriteHeader(const EmitInput& input) {
  const std::string guard = ToUpper(input.symbol) + "_H_";
  std::string text = Banner(
      "The interface of the model \"" + CommentText(input.program.name) + "\".", input.version);
  const Out out(text);
  fmt::format_to(out, "#ifndef {0}\n#define {0}\n\n#include <stdint.h>\n\n", guard);
  if (NeedsDlTensor(input)) text += "#include \"usmp/usmp_dl_tensor.h\"\n\n";
  if (HasOffloads(input)) text += "#include \"usmp/usmp_offload.h\"\n\n";
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const Interface& tensor : input.inputs) WriteTensorMacros(input, tensor, "input", text);
  for (const Interface& tensor : input.outputs) WriteTensorMacros(input, tensor, "output", text);
  text += "\n";
  for (Role role : kRoles) WriteStructs(input, role, text);
  text += "\n";
  const bool has_structs = input.api != InterfaceApi::kPacked;
  if (has_structs || HasMapWithPools(input)) WritePoolsStruct(input, text);
  if (has_structs) WriteDeviceStruct(input, text);
  WriteDeviceDeclarations(input, text);
  WriteOffloadDeclarations(input, text);
  WriteMapPrototypes(input, text);
  WriteDescriptorDeclarations(input, text);
  WriteRunPrototype(input, text);
  WritePoolMacros(input, text);
  WriteConstantPoolMacros(input, text);
  text += "\n#ifdef __cplusplus\n}\n#endif\n\n";
  fmt::format_to(out, "#endif  /* {} */\n", guard);
  return text;
}

}  // namespace usmp::emit
