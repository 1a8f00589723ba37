#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/quantized.h"

namespace usmp::lower {
namespace {

Result<void> LowerMeanInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace

Result<void> LowerMean(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerMeanFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerMeanInt8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
