#include "lower/requantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace usmp::lower {

FixedPointMultiplier QuantizeMultiplier(double real) {
  if (real == 0.0) return {};
  int shift = 0;
  const double fraction = std::frexp(real, &shift);
  auto multiplier = static_cast<int64_t>(std::round(fraction * 2147483648.0));
  if (multiplier == (int64_t{1} << 31)) {
    multiplier /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  return {static_cast<int32_t>(multiplier), shift};
}

int32_t MultiplyByQuantizedMultiplier(int32_t x, FixedPointMultiplier by) {
  const int left = std::max(by.shift, 0);
  const int right = std::max(-by.shift, 0);
  const auto scaled = static_cast<int32_t>(static_cast<uint32_t>(x) << left);
  const bool saturates = scaled == by.multiplier && scaled == std::numeric_limits<int32_t>::min();
  const int32_t high =
      saturates
          ? std::numeric_limits<int32_t>::max()
          : static_cast<int32_t>((int64_t{scaled} * by.multiplier + (int64_t{1} << 30)) >> 31);
  if (right == 0) return high;
  const auto mask = static_cast<int32_t>((int64_t{1} << right) - 1);
  const int32_t threshold = (mask >> 1) + (high < 0 ? 1 : 0);
  return (high >> right) + ((high & mask) > threshold ? 1 : 0);
}

QuantizedRange ActivationRange(ir::Activation activation, const ir::Tensor& output) {
  const bool is_signed = output.dtype == ir::DType::kInt8;
  QuantizedRange range{is_signed ? -128 : 0, is_signed ? 127 : 255};
  const float scale = output.quantization.scales[0];
  const int32_t zero_point = output.quantization.zero_points[0];
  // Division in float, then half away from zero, as the reference does.
  const auto quantize = [&](float x) {
    const double q = static_cast<double>(zero_point) + std::round(static_cast<double>(x / scale));
    return static_cast<int32_t>(std::clamp(q, -1e9, 1e9));
  };
  if (activation == ir::Activation::kRelu || activation == ir::Activation::kRelu6) {
    range.min = std::max(range.min, quantize(0.0F));
  }
  if (activation == ir::Activation::kRelu6) range.max = std::min(range.max, quantize(6.0F));
  if (activation == ir::Activation::kReluN1To1) {
    range.min = std::max(range.min, quantize(-1.0F));
    range.max = std::min(range.max, quantize(1.0F));
  }
  return range;
}

}  // namespace usmp::lower
