#include "lower/offload.h"

#include <memory>
#include <utility>

namespace usmp::lower {
namespace {

OperandInfo InfoOf(const ir::Tensor& tensor) {
  return {.is_present = true,
          .element = ElementTypeOf(tensor.dtype),
          .shape = tensor.shape,
          .scales = tensor.quantization.scales,
          .zero_points = tensor.quantization.zero_points,
          .channel_dimension = tensor.quantization.axis};
}

}  // namespace

Result<void> LowerOffloaded(OpBuilder& builder, std::span<const Offload> offloads) {
  const auto& attributes = builder.Attributes<ir::OffloadAttrs>();
  const Offload& offload = offloads[static_cast<size_t>(attributes.offload)];
  OffloadedCall call{.function = offload.function,
                     .target = offload.target,
                     .name = attributes.name,
                     .index = builder.op().source_index,
                     .options = attributes.options,
                     .window = attributes.window,
                     .activation = attributes.activation};
  std::vector<Operand> operands;
  for (size_t i = 0; i < builder.op().inputs.size(); ++i) {
    const bool is_present = builder.HasInput(i);
    call.inputs.push_back(is_present ? InfoOf(builder.Input(i)) : OperandInfo{});
    operands.push_back(is_present ? builder.Read(i) : OpBuilder::Null());
  }
  for (size_t i = 0; i < builder.op().outputs.size(); ++i) {
    call.outputs.push_back(InfoOf(builder.Output(i)));
    operands.push_back(builder.Write(i));
  }
  if (offload.scratch_bytes > 0) {
    const Bytes words = (offload.scratch_bytes + 7) / 8;
    call.scratch_bytes = words * 8;
    operands.push_back(builder.Scratch(ElementType::kInt64, words));
  }
  builder.Offload(std::move(call), std::move(operands));
  return {};
}

}  // namespace usmp::lower
