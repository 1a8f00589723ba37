// InterfaceApi::kPacked: `run` takes an array of values with a type code for each. A layer over the
// function with structs.
#ifndef USMP_EMIT_PACKED_H_
#define USMP_EMIT_PACKED_H_

#include <string>

#include "emit/emit.h"

namespace usmp::emit {

void WritePackedDeclaration(const EmitInput& input, std::string& text);  // for the header
void WritePacked(const EmitInput& input, std::string& text);             // for the source

}  // namespace usmp::emit

#endif  // USMP_EMIT_PACKED_H_
