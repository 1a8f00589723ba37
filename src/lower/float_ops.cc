#include "lower/float_ops.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lower/broadcast.h"
#include "lower/float_common.h"

namespace usmp::lower {
namespace {

enum class BinaryOperation : uint8_t { kAdd, kSubtract, kMultiply };

Result<void> LowerBinary(OpBuilder& builder, BinaryOperation operation) {
  if (auto checked = CheckFloat32(builder); !checked) return checked;
  std::optional<Broadcast> walk =
      PlanBroadcast(builder.Input(0).shape, builder.Input(1).shape, builder.Output().shape);
  if (!walk) return builder.Unsupported("the shapes do not broadcast to the output's");
  const Operand inputs[] = {builder.Read(0), builder.Read(1)};
  Operand a = inputs[0], b = inputs[1];
  float a_factor = 1.0F;
  float b_factor = operation == BinaryOperation::kSubtract ? -1.0F : 1.0F;
  if (walk->a_strides.back() ==
      0) {  // the kernel repeats only its second operand in the inner loop
    std::swap(walk->a_strides, walk->b_strides);
    std::swap(a, b);
    std::swap(a_factor, b_factor);
  }
  const FloatRange range = FloatActivationRange(builder.Attributes<ir::BinaryAttrs>().activation);
  builder.Call("binary_f32",
               {{"is_product", operation == BinaryOperation::kMultiply ? 1 : 0},
                {"a_factor", a_factor},
                {"b_factor", b_factor},
                {"count", walk->counts},
                {"a_stride", walk->a_strides},
                {"b_stride", walk->b_strides},
                {"act_min", range.min},
                {"act_max", range.max}},
               {a, b, builder.Write()});
  MayOverlapFullOperands(builder, inputs[0], inputs[1]);
  builder.ByPixels();
  return {};
}

Result<void> LowerUnary(OpBuilder& builder, std::string_view kernel) {
  if (auto checked = CheckFloat32(builder); !checked) return checked;
  const Operand input = builder.Read(0);
  const int64_t count = ElementCount(builder.Input(0));
  builder.Call(kernel, {{"count", count}}, {input, builder.Write()});
  builder.MayOverlap(input, ElementwiseDistances(count, sizeof(float), sizeof(float)));
  builder.ByPixels();
  return {};
}

}  // namespace

Result<void> LowerAddFloat32(OpBuilder& builder) {
  return LowerBinary(builder, BinaryOperation::kAdd);
}

Result<void> LowerSubFloat32(OpBuilder& builder) {
  return LowerBinary(builder, BinaryOperation::kSubtract);
}

Result<void> LowerMulFloat32(OpBuilder& builder) {
  return LowerBinary(builder, BinaryOperation::kMultiply);
}

Result<void> LowerSoftmaxFloat32(OpBuilder& builder) {
  if (auto checked = CheckFloat32(builder); !checked) return checked;
  const ir::Tensor& input = builder.Input(0);
  const int64_t depth = input.shape.empty() ? 1 : input.shape.back();
  const Operand operand = builder.Read(0);
  builder.Call("softmax_f32",
               {{"rows", ElementCount(input) / depth},
                {"depth", depth},
                {"beta", builder.Attributes<ir::SoftmaxAttrs>().beta}},
               {operand, builder.Write()});
  builder.MayOverlap(operand,
                     ElementwiseDistances(ElementCount(input), sizeof(float), sizeof(float)));
  return {};
}

Result<void> LowerLogisticFloat32(OpBuilder& builder) {
  return LowerUnary(builder, "logistic_f32");
}

Result<void> LowerTanhFloat32(OpBuilder& builder) { return LowerUnary(builder, "tanh_f32"); }

Result<void> LowerReluFloat32(OpBuilder& builder) { return LowerUnary(builder, "relu_f32"); }

Result<void> LowerRelu6Float32(OpBuilder& builder) { return LowerUnary(builder, "relu6_f32"); }

}  // namespace usmp::lower
