// InterfaceApi::kModule: an object that knows its tensors by index and name. A layer over the
// function with structs.
#ifndef USMP_EMIT_MODULE_H_
#define USMP_EMIT_MODULE_H_

#include <string>

#include "emit/emit.h"

namespace usmp::emit {

void WriteModuleDeclarations(const EmitInput& input, std::string& text);  // for the header
void WriteModule(const EmitInput& input, std::string& text);              // for the source

}  // namespace usmp::emit

#endif  // USMP_EMIT_MODULE_H_
