// What the steps of the importer share. tflite_import.cc calls them in this order.
#ifndef USMP_IMPORT_TFLITE_READER_H_
#define USMP_IMPORT_TFLITE_READER_H_

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "import/importer.h"
#include "import/tflite/schema_generated.h"

namespace usmp::import::tflite {

namespace file = usmp::tflite_file;

enum class Role : uint8_t { kUndefined, kInput, kConstant, kVariable, kWritten };

// What the file says of a tensor and the graph does not hold.
struct TensorFacts {
  Role role = Role::kUndefined;
  bool is_wrong = false;          // a diagnostic has been given: no more because of it
  bool has_unknown_size = false;  // some dimension is -1 and has not been inferred yet
  bool only_batch_is_unknown = false;
  std::string obstacle{};  // why no operator of ours can use it ("it is sparse"); empty: none
  std::string quantization_problem{};  // the same, except for biases: their scales are never read
};

struct Reader {
  const file::Model& model;
  const file::SubGraph& subgraph;  // the main one
  const ImportOptions& options;
  Imported result{};
  std::vector<TensorFacts> facts{};             // by TensorId
  std::vector<Diagnostic> problems{};           // what is broken
  bool infer_shapes = false;                    // sizes come from the inputs, not from the file
  std::vector<bool> used_offloads{};            // by index into options.offloads
  std::map<std::string, int> operator_names{};  // how many there are of each

  TensorFacts& Facts(ir::TensorId id) { return facts[static_cast<size_t>(id)]; }
  void Problem(std::string where, std::string message) {
    problems.push_back({std::move(where), std::move(message)});
  }
};

// A vector of the file. Not through its iterators: 8-byte elements are often not aligned in the
// file.
template <class T>
std::vector<T> Copy(const flatbuffers::Vector<T>* vector) {
  if (vector == nullptr || vector->size() == 0) return {};
  std::vector<T> copy(vector->size());
  std::memcpy(copy.data(), vector->Data(), copy.size() * sizeof(T));
  return copy;
}

// Fills graph.tensors and facts: types, shapes (an unknown dimension as 1), quantization,
// constants.
void ReadTensors(Reader& reader);
// Fills graph.inputs and graph.outputs, and gives the inputs their unknown dimensions.
void ReadInterface(Reader& reader);
// Fills graph.ops and result.unsupported, in the file's order, which must be one of execution.
void ReadOperators(Reader& reader);
// Takes out of result.unsupported what no output of the model depends on (shapes that the model
// would compute at run time and that are known here), and out of graph.ops what reads that.
void DropUnusedUnsupported(Reader& reader);

}  // namespace usmp::import::tflite

#endif  // USMP_IMPORT_TFLITE_READER_H_
