#include "emit/module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "emit/calls.h"
#include "emit/offload.h"
#include "emit/signatures.h"
#include "emit/text.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr size_t kLongestLiteral = 4095;  // characters: what C11 promises

std::string_view One(Role role) { return role == Role::kInputs ? "input" : "output"; }

std::string Signature(const EmitInput& input, std::string_view type, std::string_view name,
                      std::string_view parameters) {
  return fmt::format("{} {}_{}({})", type, input.symbol, name, parameters);
}

std::string ModuleParameter(const EmitInput& input) {
  return "struct " + input.symbol + "_module* module";
}

std::string CountSignature(const EmitInput& input, Role role) {
  return Signature(input, "int32_t", fmt::format("get_num_{}", Name(role)), "void");
}
std::string IndexSignature(const EmitInput& input, Role role) {
  return Signature(input, "int32_t", fmt::format("get_{}_index", One(role)), "const char* name");
}
std::string GetSignature(const EmitInput& input, Role role) {
  return Signature(input, "void*", fmt::format("get_{}", One(role)),
                   ModuleParameter(input) + ", int32_t index");
}
std::string SetSignature(const EmitInput& input, Role role) {
  return Signature(input, "int32_t", fmt::format("set_{}", One(role)),
                   ModuleParameter(input) + ", int32_t index, " +
                       (role == Role::kInputs ? "const void* data" : "void* data"));
}
std::string RunSignatureOfModule(const EmitInput& input) {
  return Signature(input, "int32_t", "run", ModuleParameter(input));
}

std::string Address(const EmitInput& input, const PoolAllocation& at) {
  return MappedAddress(input, at, "module->workspace_pools.");
}

// "if (module->workspace_pools.sram == NULL) return NULL;" where the pool is the caller's.
void WritePoolCheck(const EmitInput& input, const PoolAllocation& at, std::string_view failure,
                    std::string& text) {
  const PoolInfo& pool = PoolOf(input, at);
  if (pool.is_internal) return;
  fmt::format_to(Out(text), "      if (module->workspace_pools.{} == NULL) return {};\n",
                 pool.pool_name, failure);
}

void WriteIndex(const EmitInput& input, Role role, std::string& text) {
  const std::vector<Interface>& tensors = TensorsOf(input, role);
  const Out out(text);
  fmt::format_to(out, "\n{} {{\n  if (name == NULL) return -1;\n", IndexSignature(input, role));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string literal = StringLiteral(tensors[i].name);
    const bool is_usable = !tensors[i].name.empty() && literal.size() <= kLongestLiteral &&
                           tensors[i].name.find('\0') == std::string::npos;
    if (is_usable) fmt::format_to(out, "  if (strcmp(name, {}) == 0) return {};\n", literal, i);
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].identifier == tensors[i].name) continue;
    fmt::format_to(out, "  if (strcmp(name, \"{}\") == 0) return {};\n", tensors[i].identifier, i);
  }
  text += "  return -1;\n}\n";
}

void WriteGet(const EmitInput& input, Role role, std::string& text) {
  const std::vector<Interface>& tensors = TensorsOf(input, role);
  const Out out(text);
  fmt::format_to(out, "\n{} {{\n  if (module == NULL) return NULL;\n  switch (index) {{\n",
                 GetSignature(input, role));
  for (size_t i = 0; i < tensors.size(); ++i) {
    fmt::format_to(out, "    case {}:\n", i);
    if (const auto at = MappedPlace(input, tensors[i])) {
      WritePoolCheck(input, *at, "NULL", text);
      fmt::format_to(out, "      return {};\n", Address(input, *at));
    } else if (tensors[i].rows > 0) {
      text += "      return NULL; /* it is handed over by rows */\n";
    } else {
      fmt::format_to(out, "      return (void*)module->{}.{};\n", Name(role),
                     tensors[i].identifier);
    }
  }
  text += "    default:\n      return NULL;\n  }\n}\n";
}

void WriteSet(const EmitInput& input, Role role, std::string& text) {
  const std::vector<Interface>& tensors = TensorsOf(input, role);
  const Out out(text);
  fmt::format_to(out,
                 "\n{} {{\n  if (module == NULL) return 0x503;\n  if (data == NULL) return 0x803;\n"
                 "  switch (index) {{\n",
                 SetSignature(input, role));
  for (size_t i = 0; i < tensors.size(); ++i) {
    fmt::format_to(out, "    case {}:\n", i);
    const auto at = MappedPlace(input, tensors[i]);
    if (tensors[i].rows > 0) {
      text += "      return 0x803; /* it is handed over by rows */\n";
    } else if (!at) {
      fmt::format_to(out, "      module->{}.{} = data;\n      return 0;\n", Name(role),
                     tensors[i].identifier);
    } else if (role == Role::kOutputs) {
      text += "      return 0x803; /* it is in the workspace */\n";
    } else {
      WritePoolCheck(input, *at, "0x503", text);
      fmt::format_to(out, "      memmove({}, data, {});\n      return 0;\n", Address(input, *at),
                     input.program[tensors[i].buffer].size_bytes());
    }
  }
  text += "    default:\n      return 0x702;\n  }\n}\n";
}

// Members that the application fills itself.
std::string OwnMembers(const EmitInput& input) {
  std::vector<std::string> names;
  for (Role role : kRoles) {
    if (!TensorsByRows(input, role).empty()) {
      names.push_back("the functions of " + std::string(Name(role)));
    }
  }
  if (HasExternalPools(input)) names.emplace_back("workspace_pools");
  if (!input.devices.empty()) names.emplace_back("devices");
  return names.empty() ? "" : ", but for " + Join(names, " and ") + ", which you fill";
}

void WriteModuleStruct(const EmitInput& input, std::string& text) {
  const Out out(text);
  fmt::format_to(out,
                 "/*! \\brief The model with what it works on. All zero to begin with{}. */\n"
                 "struct {}_module {{\n",
                 OwnMembers(input), input.symbol);
  const std::vector<RunArgument> members = RunArguments(input);
  for (const RunArgument& member : members) {
    fmt::format_to(out, "  {} {};\n", member.type, member.name);
  }
  if (members.empty()) text += "  void* _unused;  /* everything is in the model's own memory */\n";
  text += "};\n\n";
}

}  // namespace

void WriteModuleDeclarations(const EmitInput& input, std::string& text) {
  WriteModuleStruct(input, text);
  for (Role role : kRoles) text += CountSignature(input, role) + ";\n";
  text += "/*! \\brief By the name in the model, or by the identifier. -1: there is none. */\n";
  for (Role role : kRoles) text += IndexSignature(input, role) + ";\n";
  text +=
      "/*! \\brief The input's bytes: the caller's are remembered, and must be there until the run "
      "has ended;\n    others are copied into the workspace. Returns 0; 0x503 where the module or "
      "a "
      "pool is NULL,\n    0x702 where there is no such input, 0x803 where `data` is NULL. */\n" +
      SetSignature(input, Role::kInputs) +
      ";\n/*! \\brief Where an output that the caller owns is to go. The same codes; 0x803 also "
      "where "
      "it is in\n    the workspace. */\n" +
      SetSignature(input, Role::kOutputs) +
      ";\n/*! \\brief Where the bytes are: in the workspace, or where the last set put them; what "
      "`set` was given\n    as const is not to be written. NULL: nowhere yet, or there is none. "
      "Outputs in the workspace\n    are valid until the next run. */\n";
  for (Role role : kRoles) text += GetSignature(input, role) + ";\n";
  text +=
      "/*! \\brief One inference. Returns 0; 0x503 where the module or a pool is NULL;\n    0x803 "
      "where a tensor was not set, or a tensor or pool is not aligned";
  if (HasOffloads(input)) text += ";\n    -1 where a function of the application fails";
  text += HasExternalPools(input) ? ".\n    Re-entrant for each set of pools. */\n"
                                  : ".\n    Not re-entrant: the working memory is shared. */\n";
  text += RunSignatureOfModule(input) + ";\n\n";
}

void WriteModule(const EmitInput& input, std::string& text) {
  const Out out(text);
  for (Role role : kRoles) {
    fmt::format_to(out, "\n{} {{ return {}; }}\n", CountSignature(input, role),
                   TensorsOf(input, role).size());
    WriteIndex(input, role, text);
    WriteSet(input, role, text);
    WriteGet(input, role, text);
  }
  std::vector<std::string> pointers;
  for (const RunArgument& argument : RunArguments(input)) {
    pointers.push_back("&module->" + argument.name);
  }
  fmt::format_to(out, "\n{} {{\n  if (module == NULL) return 0x503;\n  return {}({});\n}}\n",
                 RunSignatureOfModule(input), RunName(input), fmt::join(pointers, ", "));
}

}  // namespace usmp::emit
