#include "lower/quantized.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace usmp::lower {
namespace {

bool IsQuantizedPerTensor(const ir::Tensor& tensor) {
  return tensor.dtype == ir::DType::kInt8 && tensor.quantization.scales.size() == 1;
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
  return {};
}

MultiplierTables PackMultipliers(std::span<const FixedPointMultiplier> multipliers) {
  MultiplierTables tables;
  for (const FixedPointMultiplier& m : multipliers) {
    tables.multipliers.push_back(m.multiplier);
    tables.shifts.push_back(static_cast<int8_t>(m.shift));
  }
  return tables;
}

std::vector<int32_t> FoldedBias(const OpBuilder& builder, int64_t out_channels) {
  std::vector<int32_t> bias(static_cast<size_t>(out_channels), 0);
  if (builder.HasInput(2)) {
    std::memcpy(bias.data(), builder.Input(2).data->data(), bias.size() * sizeof(int32_t));
  }
  const std::vector<uint8_t>& weights = *builder.Input(1).data;
  const size_t per_channel = weights.size() / bias.size();
  const auto zero_point = static_cast<uint32_t>(builder.Input(0).quantization.zero_points[0]);
  for (size_t c = 0; c < bias.size(); ++c) {
    uint32_t sum = 0;  // wraps as the kernel's accumulator does
    for (size_t i = 0; i < per_channel; ++i) {
      sum += static_cast<uint32_t>(static_cast<int8_t>(weights[c * per_channel + i]));
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
