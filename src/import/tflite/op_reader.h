// One operator of the file while it is turned into one of the graph: what the functions of
// attributes.cc work with.
#ifndef USMP_IMPORT_TFLITE_OP_READER_H_
#define USMP_IMPORT_TFLITE_OP_READER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/tflite/reader.h"
#include "ir/graph.h"

namespace usmp::import::tflite {

class OpReader {
 public:
  // `op` has its kind, its inputs as in the file and one of its outputs: number `part`.
  OpReader(Reader& reader, const file::Operator& source, ir::Op& op, size_t part)
      : reader_(reader), source_(source), op_(op), file_inputs_(op.inputs), part_(part) {}

  // The option table; nullptr: the file has none. One of another operator is broken.
  template <class T>
  const T* Options() {
    const T* options = source_.builtin_options_as<T>();
    if (options == nullptr && source_.builtin_options_type() != file::BuiltinOptions::NONE) {
      Broken("its option table is another operator's");
    }
    return options;
  }

  ir::Op& op() { return op_; }
  size_t part() const { return part_; }
  size_t part_count() const { return source_.outputs()->size(); }
  // The file's operands: parse functions may have shortened op().inputs.
  bool HasInput(size_t index) const {
    return index < file_inputs_.size() && file_inputs_[index] != ir::kNoTensor;
  }
  const ir::Tensor& Input(size_t index) const { return reader_.result.graph[file_inputs_[index]]; }
  const ir::Tensor& Output() const { return reader_.result.graph[op_.outputs[0]]; }

  // The elements of an operand that must be an integer constant, as axes and paddings are. `what`
  // names it: "axes". Absent: it is not, and that has been said.
  std::optional<std::vector<int64_t>> ConstantIntegers(size_t index, std::string_view what);

  // The padding of a window over operand 0 (NHWC), which becomes explicit. False: reported.
  bool SetPadding(file::Padding padding, ir::Window2d& window);
  std::optional<ir::Activation> ReadActivation(file::ActivationFunctionType activation);
  // An axis counted from either end. Absent: out of range, and that has been said.
  std::optional<int32_t> ReadAxis(int64_t axis, size_t rank);

  // Operand `index` of op() becomes the same elements with a dimension of 1 more, before `axis`: a
  // new tensor, and an operator that makes it unless it is constant.
  void InsertDimension(size_t index, int32_t axis);
  // Operators that come before op().
  std::vector<ir::Op> TakeBefore() { return std::move(before_); }

  // Under shape inference, gives the output this shape; otherwise the file's own stays.
  void SetOutputShape(std::vector<int32_t> shape);
  bool infers_shapes() const { return reader_.infer_shapes; }
  bool output_has_unknown_size() const;

  // The model is fine, but we cannot do this (yet).
  void Unsupported(std::string message);
  // The model contradicts itself or the format.
  void Broken(std::string message);

  bool failed() const { return is_broken_ || !unsupported_.empty(); }
  bool is_broken() const { return is_broken_; }
  std::vector<Diagnostic> TakeUnsupported() { return std::move(unsupported_); }

 private:
  std::string Where() const { return ir::Describe(reader_.result.graph, op_); }

  Reader& reader_;
  const file::Operator& source_;
  ir::Op& op_;
  std::vector<ir::TensorId> file_inputs_;
  size_t part_;
  std::vector<ir::Op> before_{};
  std::vector<Diagnostic> unsupported_{};
  bool is_broken_ = false;
};

// How an operator of the file becomes one of the graph.
struct OperatorMapping {
  file::BuiltinOperator number{};
  ir::OpKind kind{};
  size_t min_inputs = 1, max_inputs = 1;  // in the file
  size_t kept_inputs = 1;  // how many of them stay operands; the others become attributes
  // Sets op().attributes, or reports why not. nullptr: there are none.
  void (*read_attributes)(OpReader&) = nullptr;
  bool has_parts = false;  // any number of outputs, each of which becomes an operator
};
std::span<const OperatorMapping> OperatorMappings();

}  // namespace usmp::import::tflite

#endif  // USMP_IMPORT_TFLITE_OP_READER_H_
