#include "lower/builder.h"

#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include "support/check.h"

static_assert(std::endian::native == std::endian::little, "constants are stored little-endian");

namespace usmp::lower {
namespace {

template <class T>
std::vector<uint8_t> ToBytes(std::span<const T> values) {
  std::vector<uint8_t> bytes(values.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

OpBuilder::OpBuilder(const ir::Graph& graph, const ir::Op& op,
                     std::span<const std::optional<BufferId>> tensor_buffers, Program& program)
    : graph_(graph), op_(op), tensor_buffers_(tensor_buffers), program_(program) {}

bool OpBuilder::HasInput(size_t index) const {
  return index < op_.inputs.size() && op_.inputs[index] != ir::kNoTensor;
}

const ir::Tensor& OpBuilder::Input(size_t index) const {
  USMP_CHECK(HasInput(index));
  return graph_[op_.inputs[index]];
}

const ir::Tensor& OpBuilder::Output(size_t index) const { return graph_[op_.outputs[index]]; }

Operand OpBuilder::Read(size_t input_index) {
  const ir::Tensor& tensor = Input(input_index);
  if (tensor.data == nullptr) {
    return {tensor_buffers_[static_cast<size_t>(op_.inputs[input_index])], Access::kRead};
  }
  Operand operand =
      AddConstant(ir::DisplayName(tensor.name), ElementTypeOf(tensor.dtype), *tensor.data);
  if (tensor.source_index >= 0) {
    program_[*operand.buffer].source_tensors.push_back(tensor.source_index);
  }
  return operand;
}

Operand OpBuilder::Write(size_t output_index) {
  return {tensor_buffers_[static_cast<size_t>(op_.outputs[output_index])], Access::kWrite};
}

Operand OpBuilder::Constant(std::string_view what, std::span<const int8_t> values) {
  return AddConstant(what, ElementType::kInt8, ToBytes(values));
}
Operand OpBuilder::Constant(std::string_view what, std::span<const int16_t> values) {
  return AddConstant(what, ElementType::kInt16, ToBytes(values));
}
Operand OpBuilder::Constant(std::string_view what, std::span<const int32_t> values) {
  return AddConstant(what, ElementType::kInt32, ToBytes(values));
}
Operand OpBuilder::Constant(std::string_view what, std::span<const float> values) {
  return AddConstant(what, ElementType::kFloat32, ToBytes(values));
}

Operand OpBuilder::AddConstant(std::string_view what, ElementType element,
                               std::vector<uint8_t> bytes) {
  USMP_CHECK(!bytes.empty());
  Buffer buffer{.name = std::string(what), .kind = BufferKind::kConstant, .element = element};
  buffer.count = static_cast<int64_t>(bytes.size()) / ElementBytes(element);
  buffer.data = std::move(bytes);
  program_.buffers.push_back(std::move(buffer));
  return {BufferId(program_.buffers.size() - 1), Access::kRead};
}

Operand OpBuilder::Scratch(ElementType element, int64_t count) {
  USMP_CHECK(count > 0);
  program_.buffers.push_back({.name = "scratch of " + Describe(graph_, op_),
                              .kind = BufferKind::kScratch,
                              .element = element,
                              .count = count});
  return {BufferId(program_.buffers.size() - 1), Access::kScratch};
}

void OpBuilder::Call(std::string_view kernel, std::vector<Param> params,
                     std::vector<Operand> operands) {
  program_.calls.push_back({.kernel = std::string(kernel),
                            .operator_name = std::string(ir::Name(op_.kind)),
                            .label = Describe(graph_, op_),
                            .params = std::move(params),
                            .operands = std::move(operands)});
}

void OpBuilder::Offload(OffloadedCall call, std::vector<Operand> operands) {
  program_.calls.push_back({.kernel = call.function,
                            .operator_name = call.name,
                            .label = Describe(graph_, op_),
                            .operands = std::move(operands),
                            .offloaded = std::make_shared<const OffloadedCall>(std::move(call))});
}

void OpBuilder::ByRows(std::optional<RowAccess> rows) {
  program_.calls.back().rows = std::move(rows);
}

void OpBuilder::ByPixels() {
  const std::vector<int32_t>& shape = Output().shape;
  if (shape.size() != 4 || shape[0] != 1) return;
  for (ir::TensorId id : op_.inputs) {  // a constant operand would have to advance too
    if (graph_[id].data != nullptr || graph_[id].shape != shape) return;
  }
  lower::Call& call = program_.calls.back();
  RowAccess rows{.height = shape[1], .width = shape[2], .per_pixel = {{"count", shape[3]}}};
  for (size_t i = 0; i < call.operands.size(); ++i) {
    const Operand& operand = call.operands[i];
    if (!operand.buffer || operand.access != Access::kRead) continue;
    if (program_[*operand.buffer].kind == BufferKind::kConstant) continue;
    rows.inputs.push_back({.operand = i, .height = shape[1], .width = shape[2]});
  }
  call.rows = std::move(rows);
}

void OpBuilder::MayOverlap(const Operand& input, const ScanDistances& distances) {
  lower::Call& call = program_.calls.back();
  if (!input.buffer || program_[*input.buffer].kind == BufferKind::kConstant) return;
  if (!distances.forward && !distances.reverse) return;
  call.overlaps.push_back({.input = *input.buffer,
                           .output = *call.operands.back().buffer,
                           .forward_distance = distances.forward,
                           .reverse_distance = distances.reverse});
}

tl::unexpected<Error> OpBuilder::Unsupported(std::string message) const {
  return Fail(ErrorCode::kUnsupported, Describe(graph_, op_), std::move(message));
}

}  // namespace usmp::lower
