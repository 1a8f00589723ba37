#include <vector>

#include "lower/conv.h"
#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/requantize.h"

namespace usmp::lower {
namespace {

// TensorFlow Lite multiplies the two scales of a per-tensor kernel in float and only then widens,
// and in double where there is a scale for each channel: the multipliers' last bits depend on it.
std::vector<FixedPointMultiplier> Multipliers(const OpBuilder& builder) {
  const std::vector<float>& weight_scales = builder.Input(1).quantization.scales;
  if (weight_scales.size() > 1) return ConvolutionMultipliers(builder);
  const float product = builder.Input(0).quantization.scales[0] * weight_scales[0];
  const double out_scale = builder.Output().quantization.scales[0];
  return {QuantizeMultiplier(static_cast<double>(product) / out_scale)};
}

Result<void> LowerInt8(OpBuilder& builder) {
  if (auto checked = CheckWeights(builder, /*channel_axis=*/0); !checked) return checked;
  AddMatrixProduct(builder, Multipliers(builder),
                   builder.Attributes<ir::FullyConnectedAttrs>().activation);
  return {};
}

}  // namespace

Result<void> LowerFullyConnected(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerFullyConnectedFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerInt8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
