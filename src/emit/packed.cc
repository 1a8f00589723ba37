#include "emit/packed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "emit/dl_tensor.h"
#include "emit/offload.h"
#include "emit/signatures.h"
#include "support/names.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string Signature(const EmitInput& input) {
  return fmt::format(
      "int32_t {}_run(void* args, int* type_codes, int num_args, void* out_value,\n"
      "    int* out_type_code, void* resource_handle)",
      input.symbol);
}

std::string Describe(const EmitInput& input, const RunMember& member) {
  if (!member.tensor) return fmt::format("{}: pointer", member.name);
  return fmt::format("{}: DLTensor, {}[{}]", member.name,
                     CType(input.program[member.tensor->buffer].element),
                     fmt::join(member.tensor->shape, "]["));
}

void WriteExpected(const EmitInput& input, const std::vector<RunMember>& members,
                   std::string& text) {
  const Out out(text);
  fmt::format_to(out, "\nstatic const struct usmp_argument {}_arguments[{}] = {{\n", input.symbol,
                 members.size());
  for (const RunMember& member : members) {
    if (member.tensor) {
      fmt::format_to(out, "    {{{}, {}, {}}}, /* {} */\n", ShapeText(input, *member.tensor),
                     member.tensor->shape.size(),
                     DataTypeText(input.program[member.tensor->buffer].element), member.name);
    } else {
      fmt::format_to(out, "    {{NULL, -1, {{0, 0, 0}}}}, /* {} */\n", member.name);
    }
  }
  text += "};\n";
}

// One struct of `run` from the values.
void WriteStruct(const RunArgument& argument, const std::vector<RunMember>& members,
                 std::string& text) {
  const Out out(text);
  fmt::format_to(out, "  {} {};\n", argument.type, argument.name);
  bool is_empty = true;
  for (size_t i = 0; i < members.size(); ++i) {
    const RunMember& member = members[i];
    if (member.argument != argument.name) continue;
    is_empty = false;
    const std::string value = member.tensor ? fmt::format("usmp_tensor_data(values[{}])", i)
                                            : fmt::format("values[{}].v_handle", i);
    fmt::format_to(out, "  {}.{} = {};\n", member.argument, member.name, value);
  }
  if (is_empty) fmt::format_to(out, "  {}._unused = NULL;\n", argument.name);
}

}  // namespace

void WritePackedDeclaration(const EmitInput& input, std::string& text) {
  const std::vector<RunMember> members = RunMembers(input);
  const Out out(text);
  fmt::format_to(out, "/*! \\brief Arguments of {}_run. */\n#define {}_NUM_ARGS {}\n\n",
                 input.symbol, ToUpper(input.symbol), members.size());
  text +=
      "/*! \\brief One inference. `args` is an array of values (union usmp_value, or TVMValue), "
      "`type_codes`\n    says what each is";
  text += members.empty() ? "; there are none.\n" : ":\n";
  for (size_t i = 0; i < members.size(); ++i) {
    fmt::format_to(out, "      {} {}\n", i, Describe(input, members[i]));
  }
  text +=
      "    The other arguments are not looked at. Returns 0;\n"
      "    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;\n"
      "    0x801 where a type code or the type of a tensor's elements is another;\n"
      "    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, "
      "or a\n    tensor or pool is not aligned";
  if (HasOffloads(input)) text += ";\n    -1 where a function of the application fails";
  text += ".\n    Inputs are not changed; they must not overlap outputs. */\n" + Signature(input) +
          ";\n\n";
}

void WritePacked(const EmitInput& input, std::string& text) {
  const std::vector<RunMember> members = RunMembers(input);
  const Out out(text);
  if (!members.empty()) WriteExpected(input, members, text);
  fmt::format_to(out,
                 "\n{} {{\n  const union usmp_value* values = args;\n  int32_t code = 0;\n"
                 "  (void)out_value;\n  (void)out_type_code;\n  (void)resource_handle;\n",
                 Signature(input));
  fmt::format_to(out, "  code = usmp_check_arguments({}, {}, values, type_codes, num_args);\n",
                 members.empty() ? "NULL" : input.symbol + "_arguments", members.size());
  text += "  if (code != 0) return code;\n";
  std::vector<std::string> pointers;
  for (const RunArgument& argument : RunArguments(input)) {
    WriteStruct(argument, members, text);
    pointers.push_back("&" + argument.name);
  }
  fmt::format_to(out, "  return {}({});\n}}\n", RunName(input), fmt::join(pointers, ", "));
}

}  // namespace usmp::emit
