// Operators that the user's own functions compute.
#ifndef USMP_IMPORT_TFLITE_OFFLOAD_H_
#define USMP_IMPORT_TFLITE_OFFLOAD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "import/tflite/reader.h"
#include "ir/graph.h"

namespace usmp::import::tflite {

// The offload that takes this operator, if there is one, which is noted. `name` is its kind:
// "CONV_2D", "CUSTOM:MyOp".
std::optional<int32_t> FindOffload(Reader& reader, const std::string& name, int32_t index,
                                   const std::vector<ir::TensorId>& outputs);

// Reports every offload that took nothing; after the last operator.
void CheckOffloads(Reader& reader);

// Has an operator of this kind a window or an activation?
bool HasDetails(ir::OpKind kind);
// From the attributes of such an operator.
void TakeDetails(const ir::Op& op, ir::OffloadAttrs& attributes);

}  // namespace usmp::import::tflite

#endif  // USMP_IMPORT_TFLITE_OFFLOAD_H_
