#include "lower/kernels.h"
#include "lower/quantized.h"

namespace usmp::lower {
namespace {

Result<void> LowerAddInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerSubInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerMulInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace

Result<void> LowerAdd(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerAddInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerSub(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerSubInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerMul(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerMulInt8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
