#include "lower/tensor_checks.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "lower/quantized.h"

namespace usmp::lower {
namespace {

template <class T>
bool Holds(int32_t value) {
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

bool HoldsZeroPoint(ir::DType type, int32_t zero_point) {
  switch (type) {
    case ir::DType::kInt8:
      return Holds<int8_t>(zero_point);
    case ir::DType::kUInt8:
      return Holds<uint8_t>(zero_point);
    case ir::DType::kInt16:
      return Holds<int16_t>(zero_point);
    default:
      return false;
  }
}

}  // namespace

bool IsQuantizedPerTensor(const ir::Tensor& tensor) {
  const ir::Quantization& quantization = tensor.quantization;
  return quantization.scales.size() == 1 && quantization.zero_points.size() == 1 &&
         std::isfinite(quantization.scales[0]) && quantization.scales[0] > 0.0F &&
         HoldsZeroPoint(tensor.dtype, quantization.zero_points[0]);
}

Result<void> CheckInt8(const OpBuilder& builder) {
  const auto check = [&](const ir::Tensor& tensor, const std::string& which) -> Result<void> {
    if (tensor.dtype != ir::DType::kInt8) return UnsupportedTypes(builder);
    if (ElementCount(tensor) == 0) return builder.Unsupported(which + " has no elements");
    if (!IsQuantizedPerTensor(tensor)) {
      return builder.Unsupported(which + " needs one scale > 0 and one zero point in [-128, 127]");
    }
    return {};
  };
  for (size_t i = 0; i < builder.op().inputs.size(); ++i) {
    if (!builder.HasInput(i)) return builder.Unsupported("an input is missing");
    if (auto ok = check(builder.Input(i), "input " + std::to_string(i)); !ok) return ok;
  }
  return check(builder.Output(), "the output");
}

Result<void> CheckSameQuantization(const OpBuilder& builder, std::string_view what) {
  const ir::Quantization& in = builder.Input(0).quantization;
  const ir::Quantization& out = builder.Output().quantization;
  if (in.zero_points[0] == out.zero_points[0] &&
      std::abs(double{in.scales[0]} - double{out.scales[0]}) <= 1e-6) {
    return {};
  }
  return builder.Unsupported(std::string(what) +
                             " cannot change the scale or zero point: input and output differ");
}

}  // namespace usmp::lower
