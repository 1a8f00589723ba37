#include "emit/row_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/calls.h"

namespace usmp::emit {

std::string RowFunction(const Interface& tensor, Role role) {
  return tensor.identifier + (role == Role::kInputs ? "_get_row" : "_put_row");
}

std::string DeclareRowFunction(Role role, std::string_view name) {
  return role == Role::kInputs
             ? fmt::format("const void* (*{})(void* context, int32_t row)", name)
             : fmt::format("int32_t (*{})(void* context, int32_t row, const void* data)", name);
}

std::string RowContext(const Interface& tensor) { return tensor.identifier + "_context"; }

Bytes RowBytes(const EmitInput& input, const Interface& tensor) {
  return input.program[tensor.buffer].size_bytes() / tensor.rows;
}

void WriteRowTransfer(const EmitInput& input, const lower::Call& call, std::string_view pointer,
                      const std::string& indent, std::string& text) {
  const bool is_get = call.operands[0].access == lower::Access::kWrite;
  const Role role = is_get ? Role::kInputs : Role::kOutputs;
  const Interface& tensor =
      *std::ranges::find(TensorsOf(input, role), *call.transfer, &Interface::buffer);
  const std::string function = ParameterName(RowFunction(tensor, role));
  const std::string context = ParameterName(RowContext(tensor));
  const auto out = std::back_inserter(text);
  if (is_get) {
    fmt::format_to(out,
                   "{0}const void* const row = {1}({2}, y);\n"
                   "{0}if (row == NULL) return 0x803;\n"
                   "{0}memcpy({3}, row, {4});\n",
                   indent, function, context, pointer, RowBytes(input, tensor));
  } else {
    fmt::format_to(out,
                   "{0}const int32_t status = {1}({2}, y, {3});\n"
                   "{0}if (status != 0) return status;\n",
                   indent, function, context, pointer);
  }
}

}  // namespace usmp::emit
