#include "support/tflite_builder.h"

#include <algorithm>
#include <utility>

#include "import/tflite/schema_generated.h"
#include "support/check.h"

namespace usmp::testing {
namespace {

namespace file = tflite_file;

file::TensorType FileType(ir::DType type) {
  switch (type) {
    case ir::DType::kFloat32:
      return file::TensorType::FLOAT32;
    case ir::DType::kInt8:
      return file::TensorType::INT8;
    case ir::DType::kUInt8:
      return file::TensorType::UINT8;
    case ir::DType::kInt16:
      return file::TensorType::INT16;
    case ir::DType::kInt32:
      return file::TensorType::INT32;
    case ir::DType::kInt64:
      return file::TensorType::INT64;
    case ir::DType::kBool:
      return file::TensorType::BOOL;
    case ir::DType::kFloat16:
      return file::TensorType::FLOAT16;
    case ir::DType::kInt4:
      return file::TensorType::INT4;
    case ir::DType::kOther:
      break;
  }
  USMP_CHECK(false);
}

file::Padding FilePadding(Padding padding) {
  return padding == Padding::kSame ? file::Padding::SAME : file::Padding::VALID;
}

file::ActivationFunctionType FileActivation(Activation activation) {
  return static_cast<file::ActivationFunctionType>(activation);  // the same numbers
}

file::BuiltinOperator OperatorNumber(std::string_view name) {
  for (file::BuiltinOperator number : file::EnumValuesBuiltinOperator()) {
    if (name == file::EnumNameBuiltinOperator(number)) return number;
  }
  USMP_CHECK(false);
}

// Each writes one option table.
struct OptionWriter {
  std::string_view op_name;
  file::BuiltinOptionsUnion& out;

  void operator()(std::monostate) const {}
  void operator()(const Conv2dOptions& o) const {
    file::Conv2DOptionsT table;
    table.padding = FilePadding(o.padding);
    table.stride_w = o.stride_w;
    table.stride_h = o.stride_h;
    table.dilation_w = o.dilation_w;
    table.dilation_h = o.dilation_h;
    table.activation = FileActivation(o.activation);
    out.Set(std::move(table));
  }
  void operator()(const DepthwiseConv2dOptions& o) const {
    file::DepthwiseConv2DOptionsT table;
    table.padding = FilePadding(o.padding);
    table.stride_w = o.stride_w;
    table.stride_h = o.stride_h;
    table.dilation_w = o.dilation_w;
    table.dilation_h = o.dilation_h;
    table.depth_multiplier = o.depth_multiplier;
    table.activation = FileActivation(o.activation);
    out.Set(std::move(table));
  }
  void operator()(const Pool2dOptions& o) const {
    file::Pool2DOptionsT table;
    table.padding = FilePadding(o.padding);
    table.stride_w = o.stride_w;
    table.stride_h = o.stride_h;
    table.filter_w = o.filter_w;
    table.filter_h = o.filter_h;
    table.activation = FileActivation(o.activation);
    out.Set(std::move(table));
  }
  void operator()(const FullyConnectedOptions& o) const {
    file::FullyConnectedOptionsT table;
    table.activation = FileActivation(o.activation);
    table.keep_num_dims = o.keep_num_dims;
    if (o.shuffled_weights) table.weights_format = file::WeightsFormat::SHUFFLED4X16INT8;
    out.Set(std::move(table));
  }
  template <class Table>
  void SetBinary(const BinaryOptions& o) const {
    Table table;
    table.activation = FileActivation(o.activation);
    out.Set(std::move(table));
  }
  void operator()(const BinaryOptions& o) const {
    if (op_name == "ADD") return SetBinary<file::AddOptionsT>(o);
    if (op_name == "SUB") return SetBinary<file::SubOptionsT>(o);
    USMP_CHECK(op_name == "MUL");
    SetBinary<file::MulOptionsT>(o);
  }
  void operator()(const SoftmaxOptions& o) const {
    file::SoftmaxOptionsT table;
    table.beta = o.beta;
    out.Set(std::move(table));
  }
  void operator()(const ConcatenationOptions& o) const {
    file::ConcatenationOptionsT table;
    table.axis = o.axis;
    table.activation = FileActivation(o.activation);
    out.Set(std::move(table));
  }
  void operator()(const ReshapeOptions& o) const {
    file::ReshapeOptionsT table;
    table.new_shape = o.new_shape;
    out.Set(std::move(table));
  }
  void operator()(const SqueezeOptions& o) const {
    file::SqueezeOptionsT table;
    table.squeeze_dims = o.dims;
    out.Set(std::move(table));
  }
  void operator()(const ReducerOptions& o) const {
    file::ReducerOptionsT table;
    table.keep_dims = o.keep_dims;
    out.Set(std::move(table));
  }
};

// The index of the operator code, added if the model does not have it yet.
uint32_t OpcodeIndex(file::ModelT& model, std::string_view name) {
  constexpr std::string_view kCustom = "CUSTOM:";
  const bool is_custom = name.starts_with(kCustom);
  const std::string custom(is_custom ? name.substr(kCustom.size()) : "");
  const file::BuiltinOperator number =
      is_custom ? file::BuiltinOperator::CUSTOM : OperatorNumber(name);
  auto& codes = model.operator_codes;
  const auto found = std::ranges::find_if(codes, [&](const auto& code) {
    return code->builtin_code == number && code->custom_code == custom;
  });
  const auto index = static_cast<uint32_t>(found - codes.begin());
  if (found == codes.end()) {
    auto code = std::make_unique<file::OperatorCodeT>();
    code->builtin_code = number;
    code->deprecated_builtin_code =
        static_cast<int8_t>(std::min(static_cast<int32_t>(number), int32_t{127}));
    code->custom_code = custom;
    codes.push_back(std::move(code));
  }
  return index;
}

}  // namespace

TfliteBuilder::TfliteBuilder() : model_(std::make_unique<file::ModelT>()) {
  model_->version = 3;
  model_->subgraphs.push_back(std::make_unique<file::SubGraphT>());
  model_->buffers.push_back(std::make_unique<file::BufferT>());
}
TfliteBuilder::~TfliteBuilder() = default;
TfliteBuilder::TfliteBuilder(TfliteBuilder&&) noexcept = default;
TfliteBuilder& TfliteBuilder::operator=(TfliteBuilder&&) noexcept = default;

file::SubGraphT& TfliteBuilder::graph() { return *model_->subgraphs.at(0); }
file::TensorT& TfliteBuilder::tensor(int index) { return *graph().tensors.at(index); }
file::OperatorT& TfliteBuilder::op(int index) { return *graph().operators.at(index); }

int TfliteBuilder::Tensor(const TensorSpec& spec) {
  auto tensor = std::make_unique<file::TensorT>();
  tensor->name = spec.name;
  tensor->type = FileType(spec.type);
  tensor->shape = spec.shape;
  tensor->shape_signature = spec.shape_signature;
  tensor->is_variable = spec.is_variable;
  tensor->has_rank = true;
  if (!spec.scales.empty()) {
    tensor->quantization = std::make_unique<file::QuantizationParametersT>();
    tensor->quantization->scale = spec.scales;
    tensor->quantization->zero_point = spec.zero_points;
    tensor->quantization->zero_point.resize(spec.scales.size());
    tensor->quantization->quantized_dimension = spec.axis;
  }
  graph().tensors.push_back(std::move(tensor));
  return static_cast<int>(graph().tensors.size()) - 1;
}

int TfliteBuilder::Input(const TensorSpec& spec) {
  const int index = Tensor(spec);
  graph().inputs.push_back(index);
  return index;
}

int TfliteBuilder::Constant(const TensorSpec& spec, std::vector<uint8_t> data) {
  const int index = Tensor(spec);
  auto buffer = std::make_unique<file::BufferT>();
  buffer->data = std::move(data);
  tensor(index).buffer = static_cast<uint32_t>(model_->buffers.size());
  model_->buffers.push_back(std::move(buffer));
  return index;
}

int TfliteBuilder::Op(std::string_view name, const std::vector<int>& inputs,
                      const TensorSpec& output, const OpOptions& options) {
  const int index = Tensor(output);
  OpInto(name, inputs, {index}, options);
  return index;
}

void TfliteBuilder::OpInto(std::string_view name, const std::vector<int>& inputs,
                           const std::vector<int>& outputs, const OpOptions& options) {
  auto op = std::make_unique<file::OperatorT>();
  op->opcode_index = OpcodeIndex(*model_, name);
  op->inputs = inputs;
  op->outputs = outputs;
  std::visit(OptionWriter{name, op->builtin_options}, options);
  graph().operators.push_back(std::move(op));
}

void TfliteBuilder::Output(int tensor) { graph().outputs.push_back(tensor); }

std::vector<uint8_t> TfliteBuilder::Build() const {
  flatbuffers::FlatBufferBuilder builder;
  file::FinishModelBuffer(builder, file::Model::Pack(builder, model_.get()));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

}  // namespace usmp::testing
