#include "lower/quantized.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "lower/tensor_checks.h"

namespace usmp::lower {
namespace {

// Beyond it, the reference's own left shift overflows.
constexpr double kLargestMultiplier = 1 << 30;

Result<void> CheckMultipliers(const OpBuilder& builder) {
  for (float scale : builder.Input(1).quantization.scales) {
    const double real = double{builder.Input(0).quantization.scales[0]} * double{scale} /
                        double{builder.Output().quantization.scales[0]};
    if (!(real >= 0.0 && real < kLargestMultiplier)) {
      return builder.Unsupported("input scale * weight scale / output scale must be in [0, 2^30)");
    }
  }
  return {};
}

// How the kernels read a shift (runtime/usmp_runtime.h, struct usmp_requantization): below -20 with
// 64 added, which sends the rare channels with such small scales the exact way whatever their sums
// are.
int8_t EncodeShift(int32_t shift) {
  constexpr int32_t kLeastPlainShift = -20;
  return static_cast<int8_t>(shift < kLeastPlainShift ? shift + 64 : shift);
}

}  // namespace

Result<void> CheckWeights(const OpBuilder& builder, size_t channel_axis) {
  const ir::Tensor& weights = builder.Input(1);
  if (weights.dtype != ir::DType::kInt8 || builder.Output().dtype != ir::DType::kInt8) {
    return UnsupportedTypes(builder);
  }
  if (!IsQuantizedPerTensor(builder.Input(0)) || !IsQuantizedPerTensor(builder.Output())) {
    return builder.Unsupported("the int8 input and output need one scale and zero point each");
  }
  if (weights.data == nullptr) return builder.Unsupported("the weights are not constant");
  if (weights.data->empty()) return builder.Unsupported("the weights are empty");
  const size_t scales = weights.quantization.scales.size();
  if (scales != 1 && scales != static_cast<size_t>(weights.shape[channel_axis])) {
    return builder.Unsupported("the weights have " + std::to_string(scales) + " scales for " +
                               std::to_string(weights.shape[channel_axis]) + " output channels");
  }
  if (std::ranges::any_of(weights.quantization.zero_points, [](int32_t z) { return z != 0; })) {
    return builder.Unsupported("the weights' zero point is not 0");
  }
  if (builder.HasInput(2) &&
      (builder.Input(2).dtype != ir::DType::kInt32 || builder.Input(2).data == nullptr)) {
    return builder.Unsupported("the bias of an int8 operator must be a constant of type int32");
  }
  return CheckMultipliers(builder);
}

std::vector<FixedPointMultiplier> ConvolutionMultipliers(const OpBuilder& builder) {
  const double in_scale = builder.Input(0).quantization.scales[0];
  const double out_scale = builder.Output().quantization.scales[0];
  std::vector<FixedPointMultiplier> multipliers;
  for (float scale : builder.Input(1).quantization.scales) {
    multipliers.push_back(QuantizeMultiplier(in_scale * static_cast<double>(scale) / out_scale));
  }
  return multipliers;
}

RequantizationTables AddRequantization(OpBuilder& builder,
                                       std::span<const FixedPointMultiplier> multipliers) {
  std::vector<int32_t> values;
  std::vector<int8_t> shifts;
  for (const FixedPointMultiplier& m : multipliers) {
    values.push_back(m.multiplier);
    shifts.push_back(EncodeShift(m.shift));
  }
  return {.multipliers = builder.Constant("multipliers", values),
          .shifts = builder.Constant("shifts", shifts),
          .step = multipliers.size() > 1 ? 1 : 0};
}

std::vector<int32_t> FoldedBias(const OpBuilder& builder, size_t channel_axis) {
  const ir::Tensor& weights = builder.Input(1);
  const auto channels = static_cast<size_t>(weights.shape[channel_axis]);
  std::vector<int32_t> bias(channels, 0);
  if (builder.HasInput(2)) {
    std::memcpy(bias.data(), builder.Input(2).data->data(), bias.size() * sizeof(int32_t));
  }
  const std::vector<uint8_t>& values = *weights.data;
  const size_t per_channel = values.size() / channels;
  const size_t channel_step = channel_axis == 0 ? per_channel : 1;
  const size_t step = channel_axis == 0 ? 1 : channels;
  const auto zero_point = static_cast<uint32_t>(builder.Input(0).quantization.zero_points[0]);
  for (size_t c = 0; c < channels; ++c) {
    uint32_t sum = 0;  // wraps as the kernel's accumulator does
    for (size_t i = 0; i < per_channel; ++i) {
      sum += static_cast<uint32_t>(static_cast<int8_t>(values[c * channel_step + i * step]));
    }
    bias[c] = static_cast<int32_t>(static_cast<uint32_t>(bias[c]) - zero_point * sum);
  }
  return bias;
}

tl::unexpected<Error> UnsupportedTypes(const OpBuilder& builder) {
  std::string types;
  for (size_t i = 0; i < builder.op().inputs.size(); ++i) {
    if (!builder.HasInput(i)) continue;
    types += (types.empty() ? "" : ", ") + std::string(Name(builder.Input(i).dtype));
  }
  return builder.Unsupported("no kernel for inputs of type " + types + " and output " +
                             std::string(Name(builder.Output().dtype)));
}

}  // namespace usmp::lower
