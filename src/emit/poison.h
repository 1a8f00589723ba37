#ifndef USMP_EMIT_POISON_H_
#define USMP_EMIT_POISON_H_

#include <string>

#include "emit/emit.h"

namespace usmp::emit {

// Appends statements of the inner function that overwrite all that the program's buffers have in
// the workspace and that does not hold anything before the first call: all but inputs and state.
void WritePoisonBefore(const EmitInput& input, std::string& text);

}  // namespace usmp::emit

#endif  // USMP_EMIT_POISON_H_
