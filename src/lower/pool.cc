#include "lower/kernels.h"
#include "lower/quantized.h"

namespace usmp::lower {
namespace {

Result<void> LowerAveragePool2dInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerMaxPool2dInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace

Result<void> LowerAveragePool2d(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerAveragePool2dInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerMaxPool2d(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerMaxPool2dInt8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
