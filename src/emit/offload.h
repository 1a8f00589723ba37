// Calls of the application's own functions.
#ifndef USMP_EMIT_OFFLOAD_H_
#define USMP_EMIT_OFFLOAD_H_

#include <string>

#include "emit/emit.h"

namespace usmp::emit {

bool HasOffloads(const EmitInput& input);

// For the header: the prototype of each function, once.
void WriteOffloadDeclarations(const EmitInput& input, std::string& text);

// What call `index` tells its function of the operator, as a constant.
void WriteOperator(const EmitInput& input, size_t index, std::string& text);

// The call, in an inner function that returns 0 or -1.
void WriteOffloadedCall(const EmitInput& input, size_t index, std::string& text);

}  // namespace usmp::emit

#endif  // USMP_EMIT_OFFLOAD_H_
