// Calls that run row by row, as one block of the inner function.
#ifndef USMP_EMIT_GROUP_H_
#define USMP_EMIT_GROUP_H_

#include <cstddef>
#include <string>

#include "emit/emit.h"

namespace usmp::emit {

// Appends the parameter structs of the members and the table of what waits for what.
void WriteGroupParams(const EmitInput& input, size_t index, std::string& text);

// Appends the block that runs the group of call `index`.
void WriteGroup(const EmitInput& input, size_t index, std::string& text);

}  // namespace usmp::emit

#endif  // USMP_EMIT_GROUP_H_
