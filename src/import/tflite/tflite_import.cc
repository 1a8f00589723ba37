#include "import/tflite/tflite_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "import/tflite/reader.h"
#include "import/tflite/schema_generated.h"
#include "ir/verify.h"
#include "support/check.h"

namespace usmp::import::tflite {
namespace {

constexpr uint32_t kSchemaVersion = 3;
constexpr size_t kMostDiagnostics = 200;

// A file's tables and vectors may share bytes, so that a small file could describe terabytes. What
// is written by a tool shares nearly nothing.
constexpr size_t kMostSharing = 16;

template <class V>
size_t SizeOf(const V* vector, size_t element_bytes) {
  return vector == nullptr ? 0 : vector->size() * element_bytes;
}

// Bytes that reading the subgraph copies out of the file, at most. Each buffer is copied once.
size_t CopiedBytes(const file::Model& model, const file::SubGraph& subgraph) {
  size_t sum = 0;
  const auto* buffers = model.buffers();
  for (size_t i = 0; buffers != nullptr && i < buffers->size(); ++i) {
    sum += SizeOf(buffers->Get(static_cast<uint32_t>(i))->data(), 1);
  }
  const auto* tensors = subgraph.tensors();
  for (size_t i = 0; tensors != nullptr && i < tensors->size(); ++i) {
    const file::Tensor& tensor = *tensors->Get(static_cast<uint32_t>(i));
    sum +=
        SizeOf(tensor.name(), 1) + SizeOf(tensor.shape(), 4) + SizeOf(tensor.shape_signature(), 4);
    if (const auto* q = tensor.quantization()) {
      sum += SizeOf(q->scale(), 4) + SizeOf(q->zero_point(), 8);
    }
  }
  const auto* ops = subgraph.operators();
  for (size_t i = 0; ops != nullptr && i < ops->size(); ++i) {
    const file::Operator& op = *ops->Get(static_cast<uint32_t>(i));
    sum += SizeOf(op.inputs(), 4) + SizeOf(op.outputs(), 4) + SizeOf(op.custom_options(), 1);
  }
  return sum;
}

Result<const file::Model*> VerifiedModel(std::span<const uint8_t> bytes) {
  constexpr int kMaxDepth = 64;
  // A table takes 8 bytes of a file at least: 4 for itself and 4 for what refers to it.
  const auto max_tables = static_cast<flatbuffers::uoffset_t>(bytes.size() / 8 + 1);
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, max_tables);
  if (!file::VerifyModelBuffer(verifier)) {
    return Fail(ErrorCode::kInvalidInput, "model",
                "is a damaged or truncated TensorFlow Lite file: offsets point outside of it");
  }
  const file::Model* model = file::GetModel(bytes.data());
  if (model->version() != kSchemaVersion) {
    return Fail(
        ErrorCode::kUnsupported, "model",
        fmt::format("has version {} of the TensorFlow Lite format; only version {} is known",
                    model->version(), kSchemaVersion));
  }
  if (model->subgraphs() == nullptr || model->subgraphs()->size() == 0) {
    return Fail(ErrorCode::kInvalidInput, "model", "has no graph: nothing to compute");
  }
  if (CopiedBytes(*model, *model->subgraphs()->Get(0)) > kMostSharing * bytes.size()) {
    return Fail(ErrorCode::kInvalidInput, "model",
                "describes far more tensors and operands than a file of its size can hold");
  }
  return model;
}

Error TooMany(Error error) {
  const size_t found = error.diagnostics.size();
  if (found > kMostDiagnostics) {
    error.diagnostics.resize(kMostDiagnostics);
    error.diagnostics.push_back(
        {"model", fmt::format("has {} more problems", found - kMostDiagnostics)});
  }
  return error;
}

// Everything that is wrong, broken parts first.
Error AllProblems(Reader& reader) {
  Error error{ErrorCode::kInvalidInput, std::move(reader.problems)};
  for (UnsupportedOp& op : reader.result.unsupported) {
    std::ranges::move(op.problems, std::back_inserter(error.diagnostics));
  }
  return TooMany(std::move(error));
}

void NoteOtherGraphs(Reader& reader) {
  const size_t count = reader.model.subgraphs()->size();
  if (count == 1) return;
  reader.result.notes.push_back(
      {"model", fmt::format("has {} graphs; only the first one is compiled", count)});
}

// An input or output that no operator objects to, since none uses it, and that we cannot hold.
void CheckInterfaceTypes(Reader& reader) {
  const ir::Graph& graph = reader.result.graph;
  for (const auto* ids : {&graph.inputs, &graph.outputs}) {
    for (ir::TensorId id : *ids) {
      if (reader.Facts(id).is_wrong) continue;
      const std::string where = ir::Describe(graph, id);
      if (graph[id].dtype == ir::DType::kOther) {
        reader.Problem(where,
                       fmt::format("type {} is not supported", reader.result.other_types[id]));
      } else if (ir::ElementCount(graph[id]) == 0) {
        reader.Problem(where, "it is an input or output without elements");
      } else if (reader.Facts(id).role == Role::kVariable) {
        reader.Problem(where, "it is a variable, and an input or output: not supported");
      }
    }
  }
}

Result<Imported> Read(const file::Model& model, const ImportOptions& options) {
  Reader reader{.model = model, .subgraph = *model.subgraphs()->Get(0), .options = options};
  if (const auto* name = reader.subgraph.name()) {
    reader.result.graph.name = ir::DisplayName(name->string_view());
  }
  NoteOtherGraphs(reader);
  ReadTensors(reader);
  ReadInterface(reader);
  if (reader.problems.empty() || !reader.infer_shapes) ReadOperators(reader);
  DropUnusedUnsupported(reader);
  if (reader.result.unsupported.empty()) CheckInterfaceTypes(reader);
  if (!reader.problems.empty()) return Fail(AllProblems(reader));
  if (reader.result.unsupported.empty()) {
    // Every rule of the graph has been checked above, with the file's own words.
    if (auto verified = ir::VerifyGraph(reader.result.graph); !verified) {
      return Fail(TooMany(std::move(verified.error())));
    }
  }
  return std::move(reader.result);
}

}  // namespace

bool HasTfliteIdentifier(std::span<const uint8_t> bytes) {
  return bytes.size() >= 8 && file::ModelBufferHasIdentifier(bytes.data());
}

Result<Imported> ImportTflite(std::span<const uint8_t> bytes, const ImportOptions& options) {
  // FlatBuffers reads numbers where they lie, aligned as in the file.
  constexpr uintptr_t kFileAlignment = 16;
  std::vector<uint8_t> aligned;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % kFileAlignment != 0) {
    aligned.assign(bytes.begin(), bytes.end());
    USMP_CHECK(reinterpret_cast<uintptr_t>(aligned.data()) % kFileAlignment == 0);
    bytes = aligned;
  }
  auto model = VerifiedModel(bytes);
  if (!model) return Fail(std::move(model.error()));
  return Read(**model, options);
}

}  // namespace usmp::import::tflite
