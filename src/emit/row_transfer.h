// Functions of the caller that hand over the rows of inputs and outputs.
#ifndef USMP_EMIT_ROW_TRANSFER_H_
#define USMP_EMIT_ROW_TRANSFER_H_

#include <string>
#include <string_view>

#include "emit/emit.h"
#include "emit/signatures.h"

namespace usmp::emit {

// "input_1_get_row": the function that the inputs struct has for an input by rows, or the outputs
// struct for an output, and what its pointer is declared as under a name.
std::string RowFunction(const Interface& tensor, Role role);
std::string DeclareRowFunction(Role role, std::string_view name);
// "input_1_context": the function's first argument.
std::string RowContext(const Interface& tensor);

Bytes RowBytes(const EmitInput& input, const Interface& tensor);

// Appends the statements that hand over row y, which lies at `pointer`.
void WriteRowTransfer(const EmitInput& input, const lower::Call& call, std::string_view pointer,
                      const std::string& indent, std::string& text);

}  // namespace usmp::emit

#endif  // USMP_EMIT_ROW_TRANSFER_H_
