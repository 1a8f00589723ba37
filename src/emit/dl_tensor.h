// Descriptors of inputs and outputs, struct usmp_dl_tensor of runtime/usmp_dl_tensor.h, and what
// else speaks of a tensor in its terms.
#ifndef USMP_EMIT_DL_TENSOR_H_
#define USMP_EMIT_DL_TENSOR_H_

#include <string>
#include <vector>

#include "emit/emit.h"
#include "emit/signatures.h"

namespace usmp::emit {

std::string DataTypeText(lower::ElementType element);  // "{USMP_DL_INT, 8, 1}"

// The array of a tensor's dimensions, and its definition; a scalar has none: "NULL", nothing.
std::string ShapeText(const EmitInput& input, const Interface& tensor);
void WriteShape(const EmitInput& input, const Interface& tensor, std::string& text);

// Those that are somewhere as a whole.
std::vector<Interface> DescribedTensors(const EmitInput& input, Role role);

// What dl_tensors asks for: declarations for the header, definitions for the source. Nothing for
// kNone. The definitions need the shapes of the described tensors.
void WriteDescriptorDeclarations(const EmitInput& input, std::string& text);
void WriteDescriptors(const EmitInput& input, std::string& text);

}  // namespace usmp::emit

#endif  // USMP_EMIT_DL_TENSOR_H_
