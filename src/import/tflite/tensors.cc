#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "import/tflite/reader.h"
#include "ir/verify.h"

namespace usmp::import::tflite {
namespace {

struct TypeRow {
  file::TensorType type{};
  ir::DType dtype = ir::DType::kOther;
  std::string_view name{};
};

constexpr TypeRow kTypes[] = {
    {file::TensorType::FLOAT32, ir::DType::kFloat32, "float32"},
    {file::TensorType::FLOAT16, ir::DType::kFloat16, "float16"},
    {file::TensorType::INT32, ir::DType::kInt32, "int32"},
    {file::TensorType::UINT8, ir::DType::kUInt8, "uint8"},
    {file::TensorType::INT64, ir::DType::kInt64, "int64"},
    {file::TensorType::STRING, ir::DType::kOther, "string"},
    {file::TensorType::BOOL, ir::DType::kBool, "bool"},
    {file::TensorType::INT16, ir::DType::kInt16, "int16"},
    {file::TensorType::COMPLEX64, ir::DType::kOther, "complex64"},
    {file::TensorType::INT8, ir::DType::kInt8, "int8"},
    {file::TensorType::FLOAT64, ir::DType::kOther, "float64"},
    {file::TensorType::COMPLEX128, ir::DType::kOther, "complex128"},
    {file::TensorType::UINT64, ir::DType::kOther, "uint64"},
    {file::TensorType::RESOURCE, ir::DType::kOther, "resource"},
    {file::TensorType::VARIANT, ir::DType::kOther, "variant"},
    {file::TensorType::UINT32, ir::DType::kOther, "uint32"},
    {file::TensorType::UINT16, ir::DType::kOther, "uint16"},
    {file::TensorType::INT4, ir::DType::kInt4, "int4"},
    {file::TensorType::BFLOAT16, ir::DType::kOther, "bfloat16"},
    {file::TensorType::INT2, ir::DType::kOther, "int2"},
    {file::TensorType::UINT4, ir::DType::kOther, "uint4"},
    {file::TensorType::FLOAT8_E4M3FN, ir::DType::kOther, "float8_e4m3fn"},
    {file::TensorType::FLOAT8_E5M2, ir::DType::kOther, "float8_e5m2"},
};

// Reads one tensor after another, and each buffer once, however many tensors refer to it.
class TensorReader {
 public:
  explicit TensorReader(Reader& reader) : reader_(reader) {}

  void Read(const file::Tensor& in, int32_t index) {
    id_ = ir::TensorId(index);
    ir::Tensor& tensor = reader_.result.graph[id_];
    tensor.source_index = index;
    if (in.name() != nullptr) tensor.name = in.name()->str();
    ReadType(in, tensor);
    ReadShape(in, tensor);
    if (in.sparsity() != nullptr) {
      facts().obstacle = "it is sparse; convert the model without sparsity";
    }
    ReadQuantization(in, tensor);
    ReadData(in, tensor);
    if (in.is_variable()) {
      facts().role = Role::kVariable;
      facts().obstacle = "it is a variable that keeps its value from run to run";
    }
    if (!facts().is_wrong && !ir::CheckTensor(reader_.result.graph, id_, reader_.problems)) {
      facts().is_wrong = true;
    }
  }

 private:
  TensorFacts& facts() { return reader_.Facts(id_); }

  void Wrong(std::string message) {
    reader_.Problem(ir::Describe(reader_.result.graph, id_), std::move(message));
    facts().is_wrong = true;
  }

  void ReadType(const file::Tensor& in, ir::Tensor& tensor) {
    const auto* row = std::ranges::find(kTypes, in.type(), &TypeRow::type);
    const bool known = row != std::end(kTypes);
    tensor.dtype = known ? row->dtype : ir::DType::kOther;
    if (tensor.dtype != ir::DType::kOther) return;
    const std::string name =
        known ? std::string(row->name) : fmt::format("number {}", static_cast<int>(in.type()));
    reader_.result.other_types[id_] = name;
    facts().obstacle = fmt::format("it has type {}, which is not supported", name);
  }

  void ReadShape(const file::Tensor& in, ir::Tensor& tensor) {
    tensor.shape = Copy(in.shape());
    const std::vector<int32_t> signature = Copy(in.shape_signature());
    if (!signature.empty() && signature.size() != tensor.shape.size()) {
      return Wrong(fmt::format("its shape_signature has {} dimensions", signature.size()));
    }
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      if (tensor.shape[i] != -1 && (signature.empty() || signature[i] != -1)) continue;
      facts().only_batch_is_unknown = i == 0;
      facts().has_unknown_size = true;
      tensor.shape[i] = 1;
    }
  }

  void ReadQuantization(const file::Tensor& in, ir::Tensor& tensor) {
    const auto* q = in.quantization();
    if (q == nullptr) return;
    if (q->details_kind() != 0) {
      facts().obstacle = "its quantization is neither per tensor nor per channel";
      return;
    }
    if (q->scale() == nullptr || q->scale()->size() == 0 || !ir::IsInteger(tensor.dtype)) return;
    ir::Quantization& out = tensor.quantization;
    out.axis = q->quantized_dimension();
    out.scales = Copy(q->scale());
    std::vector<int64_t> zero_points = Copy(q->zero_point());
    if (zero_points.empty()) zero_points = {0};
    if (zero_points.size() == 1) zero_points.resize(out.scales.size(), zero_points[0]);
    // Some tools write the dimension of the weights at the bias too.
    if (tensor.shape.size() == 1) out.axis = 0;
    for (int64_t value : zero_points) {
      if (value != static_cast<int32_t>(value)) {
        facts().quantization_problem =
            fmt::format("its zero point {} is not an {} value", value, ir::Name(tensor.dtype));
        out = {};
        return;
      }
      out.zero_points.push_back(static_cast<int32_t>(value));
    }
    facts().quantization_problem = ir::QuantizationProblem(tensor);
    if (!facts().quantization_problem.empty()) out = {};
  }

  void ReadData(const file::Tensor& in, ir::Tensor& tensor) {
    const auto* buffers = reader_.model.buffers();
    const uint32_t count = buffers == nullptr ? 0 : buffers->size();
    if (in.buffer() >= count && in.buffer() != 0) {
      return Wrong(fmt::format("its buffer {} is none of the {} of the file", in.buffer(), count));
    }
    const file::Buffer* buffer = count == 0 ? nullptr : buffers->Get(in.buffer());
    if (in.external_buffer() != 0 || (buffer != nullptr && buffer->offset() > 1)) {
      facts().role = Role::kConstant;
      facts().obstacle = "its data lie outside of the flatbuffer, as in models over 2 GB";
      return;
    }
    const size_t bytes = SizeOf(buffer);
    const auto needed = ir::CheckedByteSize(tensor.shape, tensor.dtype);
    // A tensor without elements has no data, but may well be a constant: the shape of a scalar.
    const bool is_empty_constant =
        needed == 0 && tensor.dtype != ir::DType::kOther && in.buffer() != 0;
    if (bytes == 0 && !is_empty_constant) return;
    facts().role = Role::kConstant;
    if (facts().has_unknown_size) return Wrong("it is a constant of unknown size");
    // What the data of those mean is not for us to say.
    if (!facts().obstacle.empty() || !needed) return;
    const Bytes expected = tensor.dtype == ir::DType::kInt4 ? (*needed + 1) / 2 : *needed;
    if (static_cast<Bytes>(bytes) != expected) {
      return Wrong(
          fmt::format("it has {} bytes of data, but its shape and type need {}", bytes, expected));
    }
    tensor.data = Data(in.buffer(), tensor);
  }

  static size_t SizeOf(const file::Buffer* buffer) {
    return buffer == nullptr || buffer->data() == nullptr ? 0 : buffer->data()->size();
  }

  // The bytes of a buffer that is known to have as many as `tensor` needs.
  ir::Data Data(uint32_t buffer, const ir::Tensor& tensor) {
    const bool packed = tensor.dtype == ir::DType::kInt4;
    ir::Data& data = data_[{buffer, packed ? ir::ElementCount(tensor) : -1}];
    if (data != nullptr) return data;
    const auto* bytes = reader_.model.buffers()->Get(buffer)->data();
    if (bytes == nullptr) {
      data = std::make_shared<const std::vector<uint8_t>>();
    } else if (packed) {
      data = std::make_shared<const std::vector<uint8_t>>(
          Unpacked(*bytes, static_cast<size_t>(ir::ElementCount(tensor))));
    } else {
      data = std::make_shared<const std::vector<uint8_t>>(Copy(bytes));
    }
    return data;
  }

  // Two int4 values in a byte, the low half first.
  static std::vector<uint8_t> Unpacked(const flatbuffers::Vector<uint8_t>& bytes, size_t count) {
    std::vector<uint8_t> values(count);
    for (size_t i = 0; i < count; ++i) {
      const uint8_t byte = bytes.Get(static_cast<uint32_t>(i / 2));
      const int nibble = i % 2 == 0 ? byte & 0xF : byte >> 4;
      values[i] = static_cast<uint8_t>(nibble >= 8 ? nibble - 16 : nibble);
    }
    return values;
  }

  Reader& reader_;
  ir::TensorId id_{};
  std::map<std::pair<uint32_t, int64_t>, ir::Data> data_{};  // by buffer and, unpacked, by count
};

}  // namespace

void ReadTensors(Reader& reader) {
  const auto* tensors = reader.subgraph.tensors();
  const size_t count = tensors == nullptr ? 0 : tensors->size();
  reader.result.graph.tensors.resize(count);
  reader.facts.resize(count);
  TensorReader tensor_reader(reader);
  for (size_t i = 0; i < count; ++i) {
    tensor_reader.Read(*tensors->Get(static_cast<uint32_t>(i)), static_cast<int32_t>(i));
  }
  reader.infer_shapes =
      !reader.options.shapes.empty() ||
      std::ranges::any_of(reader.facts, [](const auto& facts) { return facts.has_unknown_size; });
}

}  // namespace usmp::import::tflite
