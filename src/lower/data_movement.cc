#include "lower/kernels.h"
#include "lower/quantized.h"

namespace usmp::lower {
namespace {

Result<void> LowerPadInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace

Result<void> LowerPad(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerPadInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerReshape(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerConcatenation(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace usmp::lower
