#include <vector>

#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/requantize.h"

namespace usmp::lower {
namespace {

// TensorFlow Lite multiplies the two scales of a per-tensor kernel in float and only then widens, and in
// double where there is a scale for each channel: the multipliers' last bits depend on it.
std::vector<FixedPointMultiplier> Multipliers(const ir::Tensor& input, const ir::Tensor& weights,
                                              const ir::Tensor& output) {
  const double in_scale = input.quantization.scales[0];
  const double out_scale = output.quantization.scales[0];
  const std::vector<float>& weight_scales = weights.quantization.scales;
  if (weight_scales.size() == 1) {
    const float product = input.quantization.scales[0] * weight_scales[0];
    return {QuantizeMultiplier(static_cast<double>(product) / out_scale)};
  }
  std::vector<FixedPointMultiplier> multipliers;
  for (float scale : weight_scales) {
    multipliers.push_back(QuantizeMultiplier(in_scale * static_cast<double>(scale) / out_scale));
  }
  return multipliers;
}

Result<void> LowerInt8(OpBuilder& builder) {
  const ir::Tensor& input = builder.Input(0);
  const ir::Tensor& weights = builder.Input(1);
  const ir::Tensor& output = builder.Output();
  if (auto checked = CheckWeights(builder, /*channel_axis=*/0); !checked) return checked;
  const int64_t out_depth = weights.shape[0];
  const int64_t in_depth = weights.shape[1];
  const std::vector<FixedPointMultiplier> multipliers = Multipliers(input, weights, output);
  const MultiplierTables tables = PackMultipliers(multipliers);
  const bool per_channel = multipliers.size() > 1;
  const QuantizedRange range =
      ActivationRange(builder.Attributes<ir::FullyConnectedAttrs>().activation, output);
  builder.Call("fully_connected_s8",
               {{"batches", ElementCount(input) / in_depth},
                {"in_depth", in_depth},
                {"out_depth", out_depth},
                {"multiplier", per_channel ? 0 : multipliers[0].multiplier},
                {"shift", per_channel ? 0 : multipliers[0].shift},
                {"out_zero_point", output.quantization.zero_points[0]},
                {"act_min", range.min},
                {"act_max", range.max}},
               {builder.Read(0), builder.Read(1),
                builder.Constant("bias", FoldedBias(builder, out_depth)),
                per_channel ? builder.Constant("multipliers", tables.multipliers) : builder.Null(),
                per_channel ? builder.Constant("shifts", tables.shifts) : builder.Null(),
                builder.Write()});
  return {};
}

}  // namespace

Result<void> LowerFullyConnected(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerInt8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
