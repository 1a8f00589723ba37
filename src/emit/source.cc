#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/calls.h"
#include "emit/devices.h"
#include "emit/dl_tensor.h"
#include "emit/files.h"
#include "emit/module.h"
#include "emit/offload.h"
#include "emit/packed.h"
#include "emit/poison.h"
#include "emit/row_transfer.h"
#include "emit/signatures.h"
#include "emit/text.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

size_t Index(BufferId id) { return static_cast<size_t>(id); }

void WritePools(const EmitInput& input, std::string& text) {
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    const bool is_ours = pool.is_internal && !IsShared(input, pool);
    if (pool.kind != PoolKind::kWorkspace || !is_ours || input.pool_sizes[i] == 0) continue;
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

// What the inner function gets: the caller's tensors and functions, then the caller's pools, then
// devices.
struct Parameter {
  std::string declaration{}, name{}, argument{};
};

Parameter Pointer(const std::string& type, const std::string& name, std::string argument) {
  return {type + " " + name, name, std::move(argument)};
}

std::vector<Parameter> InnerParameters(const EmitInput& input) {
  std::vector<Parameter> parameters;
  for (Role role : kRoles) {
    const std::string members = std::string(Name(role)) + "->";
    for (const Interface& tensor : ArgumentTensors(input, role)) {
      if (tensor.rows == 0) {
        parameters.push_back(Pointer(role == Role::kInputs ? "const void*" : "void*",
                                     ParameterName(tensor.identifier),
                                     members + tensor.identifier));
        continue;
      }
      const std::string function = ParameterName(RowFunction(tensor, role));
      parameters.push_back(
          {DeclareRowFunction(role, function), function, members + RowFunction(tensor, role)});
      parameters.push_back(
          Pointer("void*", ParameterName(RowContext(tensor)), members + RowContext(tensor)));
    }
  }
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    if (pool.is_internal || input.pool_sizes[i] == 0) continue;
    const bool is_constant = pool.kind == PoolKind::kConstant;
    const std::string type =
        is_constant ? "const struct " + PoolSymbol(input, pool) + "*" : "uint8_t*";
    parameters.push_back(
        Pointer(type, PoolBase(input, pool), "(" + type + ")workspace_pools->" + pool.pool_name));
  }
  for (const std::string& device : input.devices) {
    parameters.push_back(Pointer("void*", DeviceParameter(device), "devices->" + device));
  }
  return parameters;
}

void WriteInner(const EmitInput& input, const std::vector<Parameter>& parameters,
                std::string& text) {
  std::vector<std::string> declared;
  for (const Parameter& p : parameters) declared.push_back(p.declaration);
  if (declared.empty()) declared.push_back("void");
  const bool can_fail = CanFail(input.program);
  fmt::format_to(Out(text), "\nstatic {} {}___tvm_main__({}) {{\n", can_fail ? "int32_t" : "void",
                 input.symbol, Join(declared, ", "));
  for (const Parameter& p : parameters) fmt::format_to(Out(text), "  (void){};\n", p.name);
  if (!input.poison_after.empty()) WritePoisonBefore(input, text);
  for (size_t i = 0; i < input.program.calls.size(); ++i) WriteCall(input, i, text);
  text += can_fail ? "  return 0;\n}\n" : "}\n";
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
  for (const RunArgument& argument : RunArguments(input)) {
    fmt::format_to(out, "  if ({} == NULL) return 0x503;\n", argument.name);
  }
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    if (!pool.is_internal && input.pool_sizes[i] > 0) {
      WriteCheck("workspace_pools->" + pool.pool_name, pool.alignment, "0x503", text);
    }
  }
  for (Role role : kRoles) {
    for (const Interface& tensor : CallersTensors(input, role)) {
      WriteCheck(fmt::format("{}->{}", Name(role), tensor.identifier),
                 ElementBytes(input.program[tensor.buffer].element), "0x803", text);
    }
    for (const Interface& tensor : TensorsByRows(input, role)) {
      WriteCheck(fmt::format("{}->{}", Name(role), RowFunction(tensor, role)), 1, "0x803", text);
    }
  }
  std::vector<std::string> arguments;
  for (const Parameter& p : parameters) arguments.push_back(p.argument);
  const std::string call = fmt::format("{}___tvm_main__({})", input.symbol, Join(arguments, ", "));
  if (!input.devices.empty()) {
    WriteActivated(input, call, text);
  } else if (CanFail(input.program)) {
    fmt::format_to(out, "  return {};\n", call);
  } else {
    fmt::format_to(out, "  {};\n  return 0;\n", call);
  }
  text += "}\n";
}

void WriteMap(const EmitInput& input, Role role, std::string& text) {
  if (!HasMap(input, role)) return;
  const std::vector<Interface> tensors = MappedTensors(input, role);
  const Out out(text);
  fmt::format_to(out, "\n{} {{\n", MapSignature(input, role));
  const bool needs_pools = std::ranges::any_of(tensors, [&](const Interface& tensor) {
    return !PoolOf(input, *input.allocations[Index(tensor.buffer)]).is_internal;
  });
  if (HasExternalPools(input) && !needs_pools) text += "  (void)workspace_pools;\n";
  fmt::format_to(out, "  {} mapped;\n", MappedType(input, role));
  for (const Interface& tensor : tensors) {
    const PoolAllocation& at = *input.allocations[Index(tensor.buffer)];
    fmt::format_to(out, "  mapped.{} = {};\n", tensor.identifier, MappedAddress(input, at));
  }
  if (tensors.empty()) text += "  mapped._unused = NULL;\n";
  text += "  return mapped;\n}\n";
}

// What the header of another interface has.
void WriteStructsOfRun(const EmitInput& input, std::string& text) {
  text += "\n";
  for (Role role : kRoles) WriteCallersStruct(input, role, text);
  if (!HasMapWithPools(input)) WritePoolsStruct(input, text);
  WriteDeviceStruct(input, text);
}

// Of the tensors that something speaks of in DLPack's terms.
void WriteShapes(const EmitInput& input, std::string& text) {
  const bool has_descriptors = input.dl_tensors != DlTensors::kNone;
  if (!has_descriptors && input.api != InterfaceApi::kPacked) return;
  text += "\n";
  for (Role role : kRoles) {
    const std::vector<Interface> tensors =
        has_descriptors ? DescribedTensors(input, role) : CallersTensors(input, role);
    for (const Interface& tensor : tensors) WriteShape(input, tensor, text);
  }
}

// The array of usmp_pools.c that the pool is; empty: none.
std::string SharedArrayOf(const EmitInput& input, const PoolInfo& pool) {
  if (input.shared_arrays.empty()) return {};
  return input.shared_arrays[static_cast<size_t>(&pool - input.pools.data())];
}

}  // namespace

bool IsShared(const EmitInput& input, const PoolInfo& pool) {
  return !SharedArrayOf(input, pool).empty();
}

std::string PoolSymbol(const EmitInput& input, const PoolInfo& pool) {
  std::string shared = SharedArrayOf(input, pool);
  return shared.empty() ? input.symbol + "_" + pool.pool_name : shared;
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
  if (!input.shared_arrays.empty()) text += "#include \"usmp_pools.h\"\n";
  if (has_constants) fmt::format_to(out, "#include \"{}_constants.h\"\n", input.symbol);
  for (std::string_view kernel : KernelsOf(input.program)) {
    fmt::format_to(out, "#include \"usmp/kernels/{}.h\"\n", kernel);
  }
  for (std::string_view header : HeadersOf(input)) {
    fmt::format_to(out, "#include \"usmp/{}\"\n", header);
  }
  WritePools(input, text);
  for (size_t i = 0; i < input.program.calls.size(); ++i) {
    WriteParams(input, i, text);
  }
  if (input.api == InterfaceApi::kPacked) WriteStructsOfRun(input, text);
  const std::vector<Parameter> parameters = InnerParameters(input);
  WriteInner(input, parameters, text);
  WriteRun(input, parameters, text);
  for (Role role : kRoles) WriteMap(input, role, text);
  WriteShapes(input, text);
  WriteDescriptors(input, text);
  if (input.api == InterfaceApi::kPacked) WritePacked(input, text);
  if (input.api == InterfaceApi::kModule) WriteModule(input, text);
  return text;
}

}  // namespace usmp::emit
