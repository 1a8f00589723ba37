#ifndef USMP_EMIT_POISON_H_
#define USMP_EMIT_POISON_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "emit/emit.h"

namespace usmp::emit {

// Appends statements of the inner function that overwrite all that the program's buffers have in
// the workspace and that does not hold anything before the first call: all but inputs and state.
void WritePoisonBefore(const EmitInput& input, std::string& text);

// Appends statements that overwrite the runs of pixels that members of a strip have left behind.
void WriteDeadRuns(const EmitInput& input, const lower::Strip& strip, std::string_view indent,
                   std::string& text);

// Appends statements, for where strip `index` of a group of several has just made a row, that
// overwrite the rows in the rings it reads that no strip will read again.
void WriteDeadRows(const EmitInput& input, const lower::Group& group, size_t index,
                   std::string_view indent, std::string& text);

}  // namespace usmp::emit

#endif  // USMP_EMIT_POISON_H_
