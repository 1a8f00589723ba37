#include "lower/float_common.h"

#include <cfloat>

#include "lower/quantized.h"

namespace usmp::lower {
namespace {

constexpr int64_t kMaxRowsOnStack = 16;  // as in the kernels

}  // namespace

Result<void> CheckFloat32(const OpBuilder& builder) {
  bool all = builder.Output().dtype == ir::DType::kFloat32;
  for (size_t i = 0; i < builder.op().inputs.size(); ++i) {
    all = all && (!builder.HasInput(i) || builder.Input(i).dtype == ir::DType::kFloat32);
  }
  if (!all) return UnsupportedTypes(builder);
  return {};
}

FloatRange FloatActivationRange(ir::Activation activation) {
  switch (activation) {
    case ir::Activation::kNone:
      break;
    case ir::Activation::kRelu:
      return {0.0F, FLT_MAX};
    case ir::Activation::kReluN1To1:
      return {-1.0F, 1.0F};
    case ir::Activation::kRelu6:
      return {0.0F, 6.0F};
  }
  return {-FLT_MAX, FLT_MAX};
}

Operand WindowRows(OpBuilder& builder, const WindowGeometry& geometry) {
  if (geometry.window.kernel_h <= kMaxRowsOnStack) return OpBuilder::Null();
  return builder.Scratch(ElementType::kInt64, geometry.window.kernel_h);
}

}  // namespace usmp::lower
