#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "import/tflite/offload.h"
#include "import/tflite/op_reader.h"
#include "import/tflite/reader.h"
#include "ir/infer_shapes.h"
#include "ir/verify.h"

namespace usmp::import::tflite {
namespace {

struct Code {
  file::BuiltinOperator number{};
  std::string name{};  // "CONV_2D", "CUSTOM:MyOp"
};

Code ReadCode(const file::OperatorCode& in) {
  // Files from before 2020 have only the byte; later ones both, and the byte is 127 where it is too
  // small.
  const auto number = static_cast<file::BuiltinOperator>(
      std::max(int32_t{in.deprecated_builtin_code()}, static_cast<int32_t>(in.builtin_code())));
  if (number == file::BuiltinOperator::CUSTOM) {
    const auto name = in.custom_code() == nullptr ? std::string_view("without a name")
                                                  : in.custom_code()->string_view();
    return {number, "CUSTOM:" + ir::DisplayName(name)};
  }
  const std::string_view name = file::EnumNameBuiltinOperator(number);
  if (!name.empty()) return {number, std::string(name)};
  return {number, fmt::format("operator number {}", static_cast<int32_t>(number))};
}

// One operator of the file.
class OneOperator {
 public:
  OneOperator(Reader& reader, const file::Operator& source, int32_t index)
      : reader_(reader), source_(source), index_(index) {}

  void Read() {
    if (!ReadOpcode()) return;
    const bool operands_are_right = ReadOperands();
    const auto mappings = OperatorMappings();
    const auto mapping = std::ranges::find(mappings, code_.number, &OperatorMapping::number);
    if (!operands_are_right) return;
    const auto offload = FindOffload(reader_, code_.name, index_, outputs_);
    if (offload) return ReadOffloaded(*offload, mapping == mappings.end() ? nullptr : &*mapping);
    if (mapping == mappings.end()) return UnknownOperator();
    ReadKnown(*mapping);
  }

 private:
  ir::Graph& graph() { return reader_.result.graph; }

  const file::Tensor& FileTensor(ir::TensorId id) const {
    return *reader_.subgraph.tensors()->Get(static_cast<uint32_t>(id));
  }

  // Before the operator is in the graph: with its name, and what it writes.
  std::string Where() {
    std::string where = fmt::format("op {} {}", index_, code_.name);
    if (!outputs_.empty() && !graph()[outputs_[0]].name.empty()) {
      where += fmt::format(" '{}'", ir::DisplayName(graph()[outputs_[0]].name));
    }
    return where;
  }

  bool ReadOpcode() {
    const auto* codes = reader_.model.operator_codes();
    const uint32_t count = codes == nullptr ? 0 : codes->size();
    if (source_.opcode_index() < count) {
      code_ = ReadCode(*codes->Get(source_.opcode_index()));
      return true;
    }
    code_.name = "without a name";
    ReadIds(source_.outputs(), "output", outputs_);
    for (ir::TensorId id : outputs_) reader_.Facts(id).role = Role::kWritten;
    reader_.Problem(fmt::format("op {}", index_),
                    fmt::format("its operator code {} is none of the {} of the file",
                                source_.opcode_index(), count));
    return false;
  }

  bool ReadIds(const flatbuffers::Vector<int32_t>* list, std::string_view what,
               std::vector<ir::TensorId>& ids) {
    bool right = true;
    const std::vector<int32_t> indices = Copy(list);
    for (size_t i = 0; i < indices.size(); ++i) {
      const int32_t index = indices[i];
      if (index == -1 && what == "input") {
        ids.push_back(ir::kNoTensor);
      } else if (index >= 0 && static_cast<size_t>(index) < reader_.facts.size()) {
        ids.push_back(ir::TensorId(index));
      } else {
        reader_.Problem(
            Where(), fmt::format("{} {} is tensor {}, which is none of the {} of the model", what,
                                 i, index, reader_.facts.size()));
        right = false;
      }
    }
    return right;
  }

  bool ReadOperands() {
    bool right = ReadIds(source_.outputs(), "output", outputs_);
    right = ReadIds(source_.inputs(), "input", inputs_) && right;
    for (ir::TensorId id : inputs_) right = CheckRead(id) && right;
    for (ir::TensorId id : outputs_) right = CheckWrite(id) && right;
    return right;
  }

  bool CheckRead(ir::TensorId id) {
    if (id == ir::kNoTensor) return true;
    TensorFacts& facts = reader_.Facts(id);
    if (facts.is_wrong) return false;
    if (facts.role != Role::kUndefined) return true;
    reader_.Problem(Where(),
                    fmt::format("it reads {}, which is neither a constant nor a graph input nor "
                                "written by an earlier operator",
                                ir::Describe(graph(), id)));
    facts.is_wrong = true;
    return false;
  }

  bool CheckWrite(ir::TensorId id) {
    TensorFacts& facts = reader_.Facts(id);
    const Role before = std::exchange(facts.role, Role::kWritten);
    if (facts.is_wrong) return false;
    const char* conflict = nullptr;
    if (before == Role::kInput) conflict = "which is a graph input";
    if (before == Role::kConstant) conflict = "which is a constant";
    if (before == Role::kWritten) conflict = "which an earlier operator has written";
    if (conflict == nullptr) return true;
    reader_.Problem(Where(), fmt::format("it writes {}, {}", ir::Describe(graph(), id), conflict));
    return false;
  }

  void AddUnsupported(std::vector<Diagnostic> problems) {
    for (ir::TensorId id : outputs_) {
      // The batch is 1 everywhere; any other size cannot be inferred through this operator.
      TensorFacts& facts = reader_.Facts(id);
      if (facts.only_batch_is_unknown) facts.has_unknown_size = false;
      const bool is_unranked = graph()[id].shape.empty() && !FileTensor(id).has_rank();
      if (is_unranked) facts.has_unknown_size = true;
    }
    reader_.result.unsupported.push_back({.source_index = index_,
                                          .name = code_.name,
                                          .inputs = inputs_,
                                          .outputs = outputs_,
                                          .problems = std::move(problems)});
  }

  void UnknownOperator() {
    std::string message = "there is no kernel for this operator; `usmp ops` lists those there are";
    if (code_.number == file::BuiltinOperator::CUSTOM) {
      message = code_.name.starts_with("CUSTOM:Flex")
                    ? "it needs TensorFlow itself; convert the model with built-in operators only"
                    : "only its author knows what it computes: hand it to a function of yours with "
                      "--offload '" +
                          code_.name + "=my_function'";
    }
    AddUnsupported({{Where(), std::move(message)}});
  }

  bool CheckCounts(const OperatorMapping& mapping) {
    if (inputs_.size() < mapping.min_inputs || inputs_.size() > mapping.max_inputs) {
      reader_.Problem(Where(),
                      fmt::format("it has {} inputs instead of {}", inputs_.size(),
                                  inputs_.size() < mapping.min_inputs ? mapping.min_inputs
                                                                      : mapping.max_inputs));
      return false;
    }
    if (outputs_.size() != 1 && (outputs_.empty() || !mapping.has_parts)) {
      reader_.Problem(Where(), fmt::format("it has {} outputs instead of 1", outputs_.size()));
      return false;
    }
    for (size_t i = 0; i < std::min(inputs_.size(), mapping.min_inputs); ++i) {
      if (inputs_[i] != ir::kNoTensor) continue;
      reader_.Problem(Where(), fmt::format("its input {} is absent (tensor -1)", i));
      return false;
    }
    return true;
  }

  // Why none of our operators can use this tensor; empty: it can be used.
  std::string Obstacle(ir::TensorId id, bool is_bias, bool is_attribute) {
    const TensorFacts& facts = reader_.Facts(id);
    if (!facts.obstacle.empty()) return facts.obstacle;
    if (!is_bias && !facts.quantization_problem.empty()) return facts.quantization_problem;
    if (is_attribute) return {};
    return ir::ElementCount(graph()[id]) == 0 ? "it has no elements" : "";
  }

  bool SizeIsKnown(const OperatorMapping& mapping) {
    const auto operands = std::span(inputs_).first(std::min(inputs_.size(), mapping.kept_inputs));
    return std::ranges::none_of(operands, [&](ir::TensorId id) {
      return id != ir::kNoTensor && reader_.Facts(id).has_unknown_size;
    });
  }

  std::vector<Diagnostic> Obstacles(const OperatorMapping& mapping) {
    std::vector<Diagnostic> found;
    const auto look = [&](ir::TensorId id, bool is_bias, bool is_attribute) {
      if (id == ir::kNoTensor) return;
      const std::string obstacle = Obstacle(id, is_bias, is_attribute);
      if (obstacle.empty()) return;
      found.push_back(
          {Where(), fmt::format("it cannot use {}: {}", ir::Describe(graph(), id), obstacle)});
    };
    const bool has_bias = ir::Operands(mapping.kind).last_is_optional;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      look(inputs_[i], has_bias && i == 2, i >= mapping.kept_inputs);
    }
    // What is inferred is not known yet.
    for (ir::TensorId id : outputs_) look(id, false, reader_.infer_shapes);
    if (!SizeIsKnown(mapping)) {
      found.push_back({Where(),
                       "the size of its input is not known, because an operator before it "
                       "is not supported"});
    }
    return found;
  }

  void ReadKnown(const OperatorMapping& mapping) {
    if (!CheckCounts(mapping)) return;
    if (auto obstacles = Obstacles(mapping); !obstacles.empty()) {
      return AddUnsupported(std::move(obstacles));
    }
    std::vector<ir::Op> ops;
    for (size_t part = 0; part < outputs_.size(); ++part) {
      if (!ReadPart(mapping, part, ops)) return;
    }
    graph().ops.insert(graph().ops.end(), ops.begin(), ops.end());
  }

  // The operator that makes one output, appended to `ops`. False: reported.
  bool ReadPart(const OperatorMapping& mapping, size_t part, std::vector<ir::Op>& ops) {
    ir::Op op{.kind = mapping.kind,
              .inputs = inputs_,
              .outputs = {outputs_[part]},
              .source_index = index_};
    OpReader op_reader(reader_, source_, op, part);
    if (mapping.read_attributes != nullptr) mapping.read_attributes(op_reader);
    if (op_reader.is_broken()) return Refuse();
    if (op_reader.failed()) {
      AddUnsupported(op_reader.TakeUnsupported());
      return false;
    }
    if (op.inputs.size() > mapping.kept_inputs) op.inputs.resize(mapping.kept_inputs);
    if (ir::Operands(op.kind).last_is_optional)
      op.inputs.resize(mapping.kept_inputs, ir::kNoTensor);
    if (!InferShape(op) || !ir::CheckOp(graph(), op, reader_.problems)) return Refuse();
    for (ir::Op& before : op_reader.TakeBefore()) ops.push_back(std::move(before));
    ops.push_back(std::move(op));
    return true;
  }

  bool Refuse() {
    for (ir::TensorId id : outputs_) reader_.Facts(id).is_wrong = true;
    return false;
  }

  // Why no function can be given these operands.
  std::vector<Diagnostic> ObstaclesOfOffload() {
    std::vector<Diagnostic> found;
    const auto look = [&](ir::TensorId id, bool is_output) {
      if (id == ir::kNoTensor) return;
      TensorFacts& facts = reader_.Facts(id);
      if (is_output && facts.only_batch_is_unknown) facts.has_unknown_size = false;
      std::string obstacle = Obstacle(id, /*is_bias=*/true, /*is_attribute=*/false);
      if (facts.has_unknown_size) obstacle = "its size is not in the model";
      if (obstacle.empty()) return;
      found.push_back({Where(), fmt::format("its function cannot be given {}: {}",
                                            ir::Describe(graph(), id), obstacle)});
    };
    for (ir::TensorId id : inputs_) look(id, false);
    for (ir::TensorId id : outputs_) look(id, true);
    if (outputs_.empty()) found.push_back({Where(), "it writes nothing"});
    return found;
  }

  void ReadOffloaded(int32_t offload, const OperatorMapping* mapping) {
    if (auto obstacles = ObstaclesOfOffload(); !obstacles.empty()) {
      return AddUnsupported(std::move(obstacles));
    }
    ir::OffloadAttrs attributes{
        .offload = offload, .name = code_.name, .options = Copy(source_.custom_options())};
    if (mapping != nullptr) ReadDetails(*mapping, attributes);
    graph().ops.push_back({.kind = ir::OpKind::kOffloaded,
                           .inputs = inputs_,
                           .outputs = outputs_,
                           .attributes = std::move(attributes),
                           .source_index = index_});
  }

  // What can be read of it; an operator that no kernel of ours could run may go without.
  void ReadDetails(const OperatorMapping& mapping, ir::OffloadAttrs& attributes) {
    const bool is_complete = inputs_.size() >= mapping.min_inputs && outputs_.size() == 1 &&
                             std::ranges::count(inputs_, ir::kNoTensor) == 0;
    if (!HasDetails(mapping.kind) || !is_complete) return;
    ir::Op op{.kind = mapping.kind, .inputs = inputs_, .outputs = outputs_, .source_index = index_};
    OpReader op_reader(reader_, source_, op, 0);
    mapping.read_attributes(op_reader);
    if (!op_reader.failed()) TakeDetails(op, attributes);
  }

  bool InferShape(const ir::Op& op) {
    const bool has_own_shape =
        op.kind == ir::OpKind::kReshape || op.kind == ir::OpKind::kStridedSlice;
    if (!reader_.infer_shapes || has_own_shape) return true;
    auto shape = ir::InferOutputShape(graph(), op, reader_.problems);
    if (!shape) return false;
    graph()[op.outputs[0]].shape = std::move(*shape);
    reader_.Facts(op.outputs[0]).has_unknown_size = false;
    return true;
  }

  Reader& reader_;
  const file::Operator& source_;
  int32_t index_;
  Code code_{};
  std::vector<ir::TensorId> inputs_{}, outputs_{};
};

void CheckOutputs(Reader& reader) {
  for (ir::TensorId id : reader.result.graph.outputs) {
    const TensorFacts& facts = reader.Facts(id);
    if (facts.is_wrong || facts.role != Role::kUndefined) continue;
    reader.Problem("graph outputs", fmt::format("{} is written by no operator",
                                                ir::Describe(reader.result.graph, id)));
  }
}

}  // namespace

void ReadOperators(Reader& reader) {
  const auto* operators = reader.subgraph.operators();
  for (size_t i = 0; operators != nullptr && i < operators->size(); ++i) {
    OneOperator(reader, *operators->Get(static_cast<uint32_t>(i)), static_cast<int32_t>(i)).Read();
  }
  CheckOffloads(reader);
  CheckOutputs(reader);
}

namespace {

// Takes out what reads the outputs of operators that were left out, and so on: no output of the
// model depends on any of it.
void DropReaders(const std::vector<ir::TensorId>& unwritten, ir::Graph& graph) {
  std::vector<bool> is_unwritten(graph.tensors.size());
  const auto mark = [&](ir::TensorId id) { is_unwritten[static_cast<size_t>(id)] = true; };
  std::ranges::for_each(unwritten, mark);
  std::erase_if(graph.ops, [&](const ir::Op& op) {
    const bool reads = std::ranges::any_of(op.inputs, [&](ir::TensorId id) {
      return id != ir::kNoTensor && is_unwritten[static_cast<size_t>(id)];
    });
    if (reads) std::ranges::for_each(op.outputs, mark);
    return reads;
  });
}

}  // namespace

void DropUnusedUnsupported(Reader& reader) {
  std::vector<UnsupportedOp>& unsupported = reader.result.unsupported;
  if (unsupported.empty()) return;
  ir::Graph& graph = reader.result.graph;
  std::vector<bool> needed(graph.tensors.size());
  const auto need = [&](ir::TensorId id) {
    if (id != ir::kNoTensor) needed[static_cast<size_t>(id)] = true;
  };
  const auto is_needed = [&](ir::TensorId id) { return needed[static_cast<size_t>(id)]; };
  for (ir::TensorId id : graph.outputs) need(id);
  // Backwards through both lists, which are in the file's order.
  auto op = graph.ops.rbegin();
  std::vector<UnsupportedOp> kept;
  std::vector<std::string> unneeded;
  std::vector<ir::TensorId> unwritten;
  for (auto it = unsupported.rbegin(); it != unsupported.rend(); ++it) {
    for (; op != graph.ops.rend() && op->source_index > it->source_index; ++op) {
      if (std::ranges::any_of(op->outputs, is_needed)) std::ranges::for_each(op->inputs, need);
    }
    const bool only_writes_tensors = !it->outputs.empty() && !it->name.starts_with("CUSTOM:");
    if (only_writes_tensors && std::ranges::none_of(it->outputs, is_needed)) {
      unneeded.push_back(fmt::format("op {} {}", it->source_index, it->name));
      unwritten.insert(unwritten.end(), it->outputs.begin(), it->outputs.end());
      continue;
    }
    std::ranges::for_each(it->inputs, need);
    kept.push_back(std::move(*it));
  }
  if (!unneeded.empty()) {
    std::ranges::reverse(unneeded);
    DropReaders(unwritten, graph);
    reader.result.notes.push_back(
        {"model", fmt::format("left out, since no output needs what they compute: {}",
                              fmt::join(unneeded, ", "))});
  }
  std::ranges::reverse(kept);
  unsupported = std::move(kept);
}

}  // namespace usmp::import::tflite
