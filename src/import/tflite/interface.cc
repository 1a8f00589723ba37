// The model's inputs and outputs, and the dimensions that the file leaves open.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "import/tflite/reader.h"

namespace usmp::import::tflite {
namespace {

// The ids in a list of the file, those out of range left out and reported.
std::vector<ir::TensorId> ReadIds(Reader& reader, const flatbuffers::Vector<int32_t>* list,
                                  const char* where) {
  std::vector<ir::TensorId> ids;
  for (int32_t index : Copy(list)) {
    if (index >= 0 && static_cast<size_t>(index) < reader.facts.size()) {
      ids.push_back(ir::TensorId(index));
    } else {
      reader.Problem(where, fmt::format("tensor {} is none of the {} of the model", index,
                                        reader.facts.size()));
    }
  }
  return ids;
}

void DefineInput(Reader& reader, ir::TensorId id) {
  TensorFacts& facts = reader.Facts(id);
  const std::string where = ir::Describe(reader.result.graph, id);
  if (facts.role == Role::kConstant) {
    facts.is_wrong = true;
    return reader.Problem(where, "it is both a graph input and a constant");
  }
  if (facts.role == Role::kInput) return reader.Problem(where, "it is a graph input twice");
  facts.role = Role::kInput;
}

std::string WithUnknown(const std::vector<int32_t>& shape, const std::vector<bool>& unknown) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < shape.size(); ++i) {
    parts.push_back(unknown[i] ? "?" : fmt::format("{}", shape[i]));
  }
  return fmt::format("[{}]", fmt::join(parts, ","));
}

// Which dimensions the file leaves open.
std::vector<bool> UnknownDimensions(const Reader& reader, ir::TensorId id) {
  const file::Tensor& in = *reader.subgraph.tensors()->Get(static_cast<uint32_t>(id));
  const std::vector<int32_t> shape = Copy(in.shape());
  const std::vector<int32_t> signature = Copy(in.shape_signature());
  std::vector<bool> unknown(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    unknown[i] = shape[i] == -1 || (i < signature.size() && signature[i] == -1);
  }
  return unknown;
}

// The shape that the user gave for this input.
void ApplyShape(Reader& reader, ir::TensorId id, const std::vector<int32_t>& given) {
  ir::Tensor& tensor = reader.result.graph[id];
  const std::vector<bool> unknown = UnknownDimensions(reader, id);
  const auto conflict = [&](std::string_view what) {
    reader.Problem(ir::Describe(reader.result.graph, id),
                   fmt::format("the given shape [{}] {} the model's {}", fmt::join(given, ","),
                               what, WithUnknown(tensor.shape, unknown)));
  };
  if (given.size() != tensor.shape.size()) return conflict("has not as many dimensions as");
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] <= 0) return conflict("has a dimension that is not positive; compare");
    if (!unknown[i] && given[i] != tensor.shape[i]) return conflict("contradicts");
  }
  if (!ir::CheckedByteSize(given, tensor.dtype)) return conflict("is over 2 GiB, for");
  tensor.shape = given;
}

// Fixes the dimensions that the file leaves open. True: the batch was one, and has been taken as 1.
bool ResolveInput(Reader& reader, ir::TensorId id) {
  ir::Tensor& tensor = reader.result.graph[id];
  TensorFacts& facts = reader.Facts(id);
  const auto given = reader.options.shapes.find(tensor.name);
  if (given != reader.options.shapes.end()) {
    ApplyShape(reader, id, given->second);
  } else if (facts.has_unknown_size) {
    const std::vector<bool> unknown = UnknownDimensions(reader, id);
    if (!facts.only_batch_is_unknown) {
      facts.is_wrong = true;
      reader.Problem(
          fmt::format("input '{}'", ir::DisplayName(tensor.name)),
          fmt::format(
              "has unknown dimensions: {}; fix them with --shape '{}=...' (comma-separated)",
              WithUnknown(tensor.shape, unknown), ir::DisplayName(tensor.name)));
    }
  }
  return std::exchange(facts.has_unknown_size, false) && facts.only_batch_is_unknown &&
         given == reader.options.shapes.end();
}

void NoteBatch(Reader& reader, const std::vector<ir::TensorId>& inputs) {
  if (inputs.empty()) return;
  constexpr size_t kShown = 4;
  std::string names;
  for (size_t i = 0; i < std::min(inputs.size(), kShown); ++i) {
    const ir::Tensor& tensor = reader.result.graph[inputs[i]];
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ", ir::DisplayName(tensor.name));
  }
  if (inputs.size() > kShown) names += fmt::format(" and {} more", inputs.size() - kShown);
  reader.result.notes.push_back(
      {fmt::format("{} {}", inputs.size() == 1 ? "input" : "inputs", names),
       "batch dimension -1 taken as 1"});
}

void CheckShapeNames(Reader& reader) {
  const ir::Graph& graph = reader.result.graph;
  std::vector<std::string> names;
  for (ir::TensorId id : graph.inputs) names.push_back(graph[id].name);
  for (const auto& [name, shape] : reader.options.shapes) {
    if (std::ranges::find(names, name) != names.end()) continue;
    std::vector<std::string> shown;
    for (const std::string& known : names) shown.push_back("'" + ir::DisplayName(known) + "'");
    reader.Problem(
        fmt::format("shape of '{}'", ir::DisplayName(name)),
        fmt::format("the model has no input of that name; it has {}", fmt::join(shown, ", ")));
  }
}

}  // namespace

void ReadInterface(Reader& reader) {
  ir::Graph& graph = reader.result.graph;
  graph.inputs = ReadIds(reader, reader.subgraph.inputs(), "graph inputs");
  graph.outputs = ReadIds(reader, reader.subgraph.outputs(), "graph outputs");
  if (graph.outputs.empty()) reader.Problem("graph outputs", "there are none: nothing to compute");
  std::vector<ir::TensorId> batch_is_one;
  for (ir::TensorId id : graph.inputs) {
    DefineInput(reader, id);
    if (ResolveInput(reader, id)) batch_is_one.push_back(id);
  }
  NoteBatch(reader, batch_is_one);
  CheckShapeNames(reader);
}

}  // namespace usmp::import::tflite
