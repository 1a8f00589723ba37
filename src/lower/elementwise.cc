#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lower/broadcast.h"
#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/linear_fit.h"
#include "lower/quantized.h"
#include "lower/requantize.h"
#include "lower/tensor_checks.h"
#include "support/append.h"

namespace usmp::lower {
namespace {

constexpr int kLeftShift = 20;  // of both operands before they are rescaled

std::vector<Param> WalkParams(const Broadcast& walk) {
  return {{"count", walk.counts}, {"a_stride", walk.a_strides}, {"b_stride", walk.b_strides}};
}

// The reference's ADD or SUB: three requantizations.
struct Sum {
  FixedPointMultiplier a{}, b{}, out{};
  int32_t b_sign = 1;
  int32_t a_zero_point = 0, b_zero_point = 0, out_zero_point = 0;
  QuantizedRange range{};
};

// SUB forms the ratios in float and only then widens them: the last bits of the multipliers differ.
template <class Real>
void SetMultipliers(Sum& sum, float a_scale, float b_scale, float out_scale) {
  const Real twice_max = 2 * static_cast<Real>(std::max(a_scale, b_scale));
  sum.a = QuantizeMultiplier(static_cast<double>(static_cast<Real>(a_scale) / twice_max));
  sum.b = QuantizeMultiplier(static_cast<double>(static_cast<Real>(b_scale) / twice_max));
  sum.out = QuantizeMultiplier(static_cast<double>(
      twice_max / (static_cast<Real>(1 << kLeftShift) * static_cast<Real>(out_scale))));
}

// Every value of an operand, by value + 128, as it is before the sum.
std::vector<int32_t> ScaledValues(int32_t zero_point, FixedPointMultiplier by) {
  std::vector<int32_t> values;
  for (int32_t x = -128; x < 128; ++x) {
    values.push_back(MultiplyByQuantizedMultiplier((x - zero_point) * (1 << kLeftShift), by));
  }
  return values;
}

// By (a + 128) * 256 + (b + 128).
std::vector<int8_t> Tabulate(const Sum& sum) {
  std::vector<int8_t> table;
  table.reserve(65536);
  const std::vector<int32_t> b_values = ScaledValues(sum.b_zero_point, sum.b);
  for (const int32_t a : ScaledValues(sum.a_zero_point, sum.a)) {
    for (const int32_t b : b_values) {
      const int32_t y =
          MultiplyByQuantizedMultiplier(a + sum.b_sign * b, sum.out) + sum.out_zero_point;
      table.push_back(static_cast<int8_t>(std::clamp(y, sum.range.min, sum.range.max)));
    }
  }
  return table;
}

void CallBinary(OpBuilder& builder, std::string_view kernel, std::vector<Param> params) {
  const Operand a = builder.Read(0);
  const Operand b = builder.Read(1);
  builder.Call(kernel, std::move(params), {a, b, builder.Write()});
  MayOverlapFullOperands(builder, a, b);
  builder.ByPixels();
}

Result<void> LowerSum(OpBuilder& builder, const Sum& sum, const Broadcast& walk) {
  const double out_scale = builder.Output().quantization.scales[0];
  const double a_ratio = builder.Input(0).quantization.scales[0] / out_scale;
  const double b_ratio = sum.b_sign * double{builder.Input(1).quantization.scales[0]} / out_scale;
  std::vector<Param> params = WalkParams(walk);
  const std::optional<LinearFormula> formula =
      FitBinary(Tabulate(sum), a_ratio, b_ratio, sum.range.min, sum.range.max);
  if (formula) {
    Append(params, {{"a_multiplier", formula->a_multiplier},
                    {"b_multiplier", formula->b_multiplier},
                    {"offset", formula->offset},
                    {"shift", formula->shift}});
  } else {
    Append(params, {{"a_zero_point", sum.a_zero_point},
                    {"b_zero_point", sum.b_zero_point},
                    {"out_zero_point", sum.out_zero_point},
                    {"a_multiplier", sum.a.multiplier},
                    {"a_shift", sum.a.shift},
                    {"b_multiplier", sum.b.multiplier},
                    {"b_shift", sum.b.shift},
                    {"b_sign", sum.b_sign},
                    {"out_multiplier", sum.out.multiplier},
                    {"out_shift", sum.out.shift}});
  }
  Append(params, {{"act_min", sum.range.min}, {"act_max", sum.range.max}});
  CallBinary(builder, formula ? "weighted_sum_s8" : "add_s8", std::move(params));
  builder.ByPixels();
  return {};
}

Result<Broadcast> CheckedBroadcast(const OpBuilder& builder) {
  if (auto ok = CheckInt8(builder); !ok) return tl::unexpected(ok.error());
  auto walk = PlanBroadcast(builder.Input(0).shape, builder.Input(1).shape, builder.Output().shape);
  if (!walk) return builder.Unsupported("the shapes do not broadcast to the output's");
  return *walk;
}

Result<void> LowerAddOrSubInt8(OpBuilder& builder, bool subtract) {
  const Result<Broadcast> walk = CheckedBroadcast(builder);
  if (!walk) return tl::unexpected(walk.error());
  const ir::Quantization& a = builder.Input(0).quantization;
  const ir::Quantization& b = builder.Input(1).quantization;
  const ir::Quantization& out = builder.Output().quantization;
  Sum sum{
      .b_sign = subtract ? -1 : 1,
      .a_zero_point = a.zero_points[0],
      .b_zero_point = b.zero_points[0],
      .out_zero_point = out.zero_points[0],
      .range = ActivationRange(builder.Attributes<ir::BinaryAttrs>().activation, builder.Output())};
  if (subtract) {
    SetMultipliers<float>(sum, a.scales[0], b.scales[0], out.scales[0]);
  } else {
    SetMultipliers<double>(sum, a.scales[0], b.scales[0], out.scales[0]);
  }
  // As reals: what TensorFlow Lite computes as float may overflow.
  const double twice_max = 2 * static_cast<double>(std::max(a.scales[0], b.scales[0]));
  if (subtract && twice_max > static_cast<double>(std::numeric_limits<float>::max())) {
    return builder.Unsupported("an input's scale is 2^127 or more");
  }
  if (sum.out.shift > 0 || twice_max >= (1 << kLeftShift) * static_cast<double>(out.scales[0])) {
    return builder.Unsupported("the output's scale is over 2^19 times smaller than an input's");
  }
  return LowerSum(builder, sum, *walk);
}

Result<void> LowerMulInt8(OpBuilder& builder) {
  const Result<Broadcast> walk = CheckedBroadcast(builder);
  if (!walk) return tl::unexpected(walk.error());
  const ir::Quantization& a = builder.Input(0).quantization;
  const ir::Quantization& b = builder.Input(1).quantization;
  const ir::Quantization& out = builder.Output().quantization;
  const FixedPointMultiplier by =
      QuantizeMultiplier(double{a.scales[0]} * double{b.scales[0]} / double{out.scales[0]});
  if (by.shift > 14) {
    return builder.Unsupported("the output's scale is too small for the product of the inputs'");
  }
  const QuantizedRange range =
      ActivationRange(builder.Attributes<ir::BinaryAttrs>().activation, builder.Output());
  std::vector<Param> params = WalkParams(*walk);
  Append(params, {{"a_zero_point", a.zero_points[0]},
                  {"b_zero_point", b.zero_points[0]},
                  {"out_zero_point", out.zero_points[0]},
                  {"multiplier", by.multiplier},
                  {"shift", by.shift},
                  {"act_min", range.min},
                  {"act_max", range.max}});
  CallBinary(builder, "mul_s8", std::move(params));
  builder.ByPixels();
  return {};
}

}  // namespace

Result<void> LowerAdd(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerAddFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerAddOrSubInt8(builder, false);
  return UnsupportedTypes(builder);
}

Result<void> LowerSub(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerSubFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerAddOrSubInt8(builder, true);
  return UnsupportedTypes(builder);
}

Result<void> LowerMul(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerMulFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerMulInt8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
