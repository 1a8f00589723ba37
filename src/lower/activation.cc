#include "lower/kernels.h"
#include "lower/quantized.h"

namespace usmp::lower {
namespace {

Result<void> LowerSoftmaxInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerLogisticInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerTanhInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerReluInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerRelu6Int8(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace

Result<void> LowerSoftmax(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerSoftmaxInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerLogistic(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerLogisticInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerTanh(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerTanhInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerRelu(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerReluInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerRelu6(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerRelu6Int8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
