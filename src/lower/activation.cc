#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lower/fixed_point.h"
#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/requantize.h"
#include "lower/tensor_checks.h"
#include "lower/unary.h"

namespace usmp::lower {
namespace {

constexpr int32_t kMaxSoftmaxDepth = 8191;  // beyond, the sum of exponentials can overflow
constexpr int kSoftmaxIntegerBits = 5;
constexpr int kSigmoidIntegerBits = 4;

// exp(-d * beta * scale) with 31 fractional bits by d, as long as it counts: below 2^-20 it adds
// nothing to the sum of a row and its own output is 0.
std::vector<int32_t> ExpTable(FixedPointMultiplier by) {
  const int64_t last = std::min<int64_t>(255, InputRadius(kSoftmaxIntegerBits, by.shift));
  std::vector<int32_t> table;
  for (int32_t d = 0; d <= last; ++d) {
    table.push_back(ExpOnNegative(MultiplyByQuantizedMultiplier(-d, by), kSoftmaxIntegerBits));
  }
  while (table.size() > 1 && RoundingShiftRight(table.back(), 12) == 0) table.pop_back();
  return table;
}

Result<void> LowerSoftmaxInt8(OpBuilder& builder) {
  if (auto ok = CheckInt8(builder); !ok) return ok;
  const ir::Tensor& input = builder.Input(0);
  const ir::Tensor& output = builder.Output();
  if (output.quantization.scales[0] != 1.0F / 256 || output.quantization.zero_points[0] != -128) {
    return builder.Unsupported("the output of an int8 softmax needs scale 1/256, zero point -128");
  }
  if (input.shape.empty()) return builder.Unsupported("softmax of a scalar");
  const int64_t depth = input.shape.back();
  if (depth > kMaxSoftmaxDepth) return builder.Unsupported("softmax over more than 8191 elements");
  const double beta = builder.Attributes<ir::SoftmaxAttrs>().beta;
  const double scaled = beta * input.quantization.scales[0] * (1 << (31 - kSoftmaxIntegerBits));
  if (!(scaled > 1.0)) return builder.Unsupported("beta times the input's scale is below 2^-26");
  const FixedPointMultiplier by =
      QuantizeMultiplier(std::min(scaled, double{std::numeric_limits<int32_t>::max()}));
  const std::vector<int32_t> table = ExpTable(by);
  const Operand operand = builder.Read(0);
  builder.Call("softmax_s8",
               {{"rows", ElementCount(input) / depth},
                {"depth", depth},
                {"exp_count", static_cast<int64_t>(table.size())}},
               {operand, builder.Constant("exponentials", std::span<const int32_t>(table)),
                builder.Write()});
  builder.MayOverlap(operand, ElementwiseDistances(ElementCount(input), 1, 1));
  return {};
}

// The table of a sigmoid-like function f of a real argument, in fixed point: its argument has 4
// integer bits; its value, 31 fractional bits, is rounded to `fractional_bits` and saturates beyond
// the argument's range.
Result<UnaryTable> TabulateSigmoid(const OpBuilder& builder, int32_t (*f)(int32_t, int),
                                   int fractional_bits, int32_t out_zero_point) {
  const ir::Quantization& in = builder.Input(0).quantization;
  const double scaled = double{in.scales[0]} * (1 << (31 - kSigmoidIntegerBits));
  if (!(scaled >= 0.5) || scaled >= 2147483647.0) {
    return builder.Unsupported("the input's scale must be from 2^-28 to below 16");
  }
  const FixedPointMultiplier by = QuantizeMultiplier(scaled);
  const int64_t radius = InputRadius(kSigmoidIntegerBits, by.shift);
  UnaryTable table{};
  for (int32_t x = -128; x < 128; ++x) {
    const int32_t centered = x - in.zero_points[0];
    int32_t y = centered <= -radius ? -128 : 127;
    if (centered > -radius && centered < radius) {
      const int32_t value = f(MultiplyByQuantizedMultiplier(centered, by), kSigmoidIntegerBits);
      y = RoundingShiftRight(value, 31 - fractional_bits) + out_zero_point;
    }
    table[static_cast<size_t>(x + 128)] = static_cast<int8_t>(std::clamp(y, -128, 127));
  }
  return table;
}

Result<void> CheckOutput(const OpBuilder& builder, float scale, int32_t zero_point,
                         const char* message) {
  if (auto ok = CheckInt8(builder); !ok) return ok;
  const ir::Quantization& out = builder.Output().quantization;
  if (out.scales[0] == scale && out.zero_points[0] == zero_point) return {};
  return builder.Unsupported(message);
}

Result<void> LowerLogisticInt8(OpBuilder& builder) {
  if (auto ok = CheckOutput(builder, 1.0F / 256, -128,
                            "the output of an int8 logistic needs scale 1/256, zero point -128");
      !ok) {
    return ok;
  }
  const auto table = TabulateSigmoid(builder, Logistic, /*fractional_bits=*/8, -128);
  if (!table) return tl::unexpected(table.error());
  CallLookup(builder, *table);
  return {};
}

Result<void> LowerTanhInt8(OpBuilder& builder) {
  if (auto ok = CheckOutput(builder, 1.0F / 128, 0,
                            "the output of an int8 tanh needs scale 1/128, zero point 0");
      !ok) {
    return ok;
  }
  const auto table = TabulateSigmoid(builder, Tanh, /*fractional_bits=*/7, 0);
  if (!table) return tl::unexpected(table.error());
  CallLookup(builder, *table);
  return {};
}

Result<void> LowerReluInt8(OpBuilder& builder) {
  if (auto ok = CheckInt8(builder); !ok) return ok;
  const ir::Quantization& in = builder.Input(0).quantization;
  const ir::Quantization& out = builder.Output().quantization;
  // The reference divides the two floats and only then widens: near ties the last bits count.
  const float ratio = in.scales[0] / out.scales[0];
  if (!(ratio < 4194304.0F)) return builder.Unsupported("the output's scale is too small");
  CallUnary(builder,
            TabulateRescale(in.zero_points[0], QuantizeMultiplier(ratio), out.zero_points[0],
                            ActivationRange(ir::Activation::kRelu, builder.Output())),
            ratio);
  return {};
}

// The reference clamps and does not rescale: it takes input and output to be quantized alike.
Result<void> LowerRelu6Int8(OpBuilder& builder) {
  if (auto ok = CheckInt8(builder); !ok) return ok;
  if (auto ok = CheckSameQuantization(builder, "RELU6"); !ok) return ok;
  const QuantizedRange range = ActivationRange(ir::Activation::kRelu6, builder.Input(0));
  UnaryTable table{};
  for (int32_t x = -128; x < 128; ++x) {
    table[static_cast<size_t>(x + 128)] = static_cast<int8_t>(std::clamp(x, range.min, range.max));
  }
  CallUnary(builder, table, 1.0);
  return {};
}

}  // namespace

Result<void> LowerSoftmax(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerSoftmaxFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerSoftmaxInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerLogistic(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerLogisticFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerLogisticInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerTanh(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerTanhFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerTanhInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerRelu(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerReluFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerReluInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerRelu6(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerRelu6Float32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerRelu6Int8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
