#include <cmath>

#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/requantize.h"
#include "lower/tensor_checks.h"
#include "lower/unary.h"

namespace usmp::lower {
namespace {

bool IsByte(const ir::Tensor& tensor) {
  return tensor.dtype == ir::DType::kInt8 || tensor.dtype == ir::DType::kUInt8;
}

// What turns a byte of that type into the int8 value that stands for it, which is 128 less for
// uint8.
int32_t Flip(const ir::Tensor& tensor) { return tensor.dtype == ir::DType::kUInt8 ? 0x80 : 0; }

int32_t Int8ZeroPoint(const ir::Tensor& tensor) {
  return tensor.quantization.zero_points[0] - Flip(tensor);
}

Result<void> CheckElements(const OpBuilder& builder) {
  if (ElementCount(builder.Input(0)) == ElementCount(builder.Output())) return {};
  return builder.Unsupported("input and output differ in the number of elements");
}

Result<void> CheckQuantization(const OpBuilder& builder, const ir::Tensor& tensor) {
  if (IsQuantizedPerTensor(tensor)) return {};
  return builder.Unsupported(
      "a quantized tensor needs one scale > 0 and one zero point that its type holds");
}

Result<void> LowerFromFloat(OpBuilder& builder) {
  const ir::Tensor& output = builder.Output();
  const Operand input = builder.Read(0);
  builder.Call("quantize_f32_s8",
               {{"count", ElementCount(output)},
                {"scale", output.quantization.scales[0]},
                {"zero_point", Int8ZeroPoint(output)},
                {"out_flip", Flip(output)}},
               {input, builder.Write()});
  builder.MayOverlap(input, ElementwiseDistances(ElementCount(output), sizeof(float), 1));
  builder.ByPixels();
  return {};
}

Result<void> LowerRequantize(OpBuilder& builder) {
  const ir::Tensor& input = builder.Input(0);
  const ir::Tensor& output = builder.Output();
  if (auto ok = CheckQuantization(builder, input); !ok) return ok;
  const double ratio = double{input.quantization.scales[0]} / double{output.quantization.scales[0]};
  if (!(ratio < 4194304.0)) return builder.Unsupported("the output's scale is too small");
  CallUnary(builder,
            TabulateRescale(Int8ZeroPoint(input), QuantizeMultiplier(ratio), Int8ZeroPoint(output),
                            {.min = -128, .max = 127}),
            ratio);
  return {};
}

}  // namespace

Result<void> LowerQuantize(OpBuilder& builder) {
  const ir::Tensor& input = builder.Input(0);
  const bool from_float = input.dtype == ir::DType::kFloat32;
  if (!IsByte(builder.Output()) || (!from_float && !IsByte(input))) {
    return UnsupportedTypes(builder);
  }
  if (auto ok = CheckElements(builder); !ok) return ok;
  if (auto ok = CheckQuantization(builder, builder.Output()); !ok) return ok;
  return from_float ? LowerFromFloat(builder) : LowerRequantize(builder);
}

Result<void> LowerDequantize(OpBuilder& builder) {
  const ir::Tensor& input = builder.Input(0);
  if (!IsByte(input) || builder.Output().dtype != ir::DType::kFloat32) {
    return UnsupportedTypes(builder);
  }
  if (auto ok = CheckElements(builder); !ok) return ok;
  if (auto ok = CheckQuantization(builder, input); !ok) return ok;
  const Operand operand = builder.Read(0);
  builder.Call("dequantize_s8_f32",
               {{"count", ElementCount(input)},
                {"scale", input.quantization.scales[0]},
                {"zero_point", Int8ZeroPoint(input)},
                {"in_flip", Flip(input)}},
               {operand, builder.Write()});
  builder.MayOverlap(operand, ElementwiseDistances(ElementCount(input), 1, sizeof(float)));
  builder.ByPixels();
  return {};
}

}  // namespace usmp::lower
