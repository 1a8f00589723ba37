#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "compile/interface.h"
#include "compile/live_sum.h"
#include "compile/tradeoffs.h"
#include "import/importer.h"
#include "ir/graph.h"
#include "lower/lower.h"
#include "lower/order.h"
#include "lower/row_transfer.h"
#include "passes/fold_constants.h"
#include "passes/pipeline.h"
#include "stream/choose.h"
#include "support/append.h"
#include "usmp/compile.h"

namespace usmp {
namespace {

std::vector<Inspection::TensorRow> TensorRows(const import::Imported& imported) {
  std::vector<Inspection::TensorRow> rows;
  for (size_t i = 0; i < imported.graph.tensors.size(); ++i) {
    const ir::Tensor& tensor = imported.graph.tensors[i];
    const auto other = imported.other_types.find(ir::TensorId(i));
    rows.push_back({.index = tensor.source_index,
                    .name = tensor.name,
                    .dtype = other != imported.other_types.end() ? other->second
                                                                 : std::string(Name(tensor.dtype)),
                    .shape = tensor.shape,
                    .bytes = ByteSize(tensor),
                    .is_constant = tensor.data != nullptr,
                    .scales = tensor.quantization.scales,
                    .zero_points = tensor.quantization.zero_points});
  }
  return rows;
}

std::vector<int32_t> Indices(const std::vector<ir::TensorId>& ids) {
  std::vector<int32_t> indices;
  for (ir::TensorId id : ids) {
    indices.push_back(id == ir::kNoTensor ? -1 : static_cast<int32_t>(id));
  }
  return indices;
}

// The operators as the file has them, with what keeps each from being compiled. `folded` is the
// graph after the passes: an operator that is gone there needs no kernel.
std::vector<Inspection::OperatorRow> OperatorRows(const import::Imported& imported,
                                                  const ir::Graph& folded) {
  std::vector<Inspection::OperatorRow> rows;
  auto compiled = folded.ops.begin();
  for (const ir::Op& op : imported.graph.ops) {
    Inspection::OperatorRow row{.index = op.source_index,
                                .name = std::string(Name(op.kind)),
                                .label = Describe(imported.graph, op),
                                .inputs = Indices(op.inputs),
                                .outputs = Indices(op.outputs)};
    if (compiled != folded.ops.end() && compiled->source_index == op.source_index) {
      row.problems = lower::WhyUnsupported(folded, *compiled++);
    }
    rows.push_back(std::move(row));
  }
  for (const import::UnsupportedOp& op : imported.unsupported) {
    rows.push_back({.index = op.source_index,
                    .name = op.name,
                    .label = op.problems.empty() ? op.name : op.problems[0].where,
                    .inputs = Indices(op.inputs),
                    .outputs = Indices(op.outputs),
                    .problems = op.problems});
  }
  std::ranges::stable_sort(rows, {}, &Inspection::OperatorRow::index);
  return rows;
}

std::vector<compile::Step> Steps(const ir::Graph& graph,
                                 const std::vector<import::UnsupportedOp>& unsupported) {
  std::vector<compile::Step> steps;
  for (const ir::Op& op : graph.ops) {
    steps.push_back({.source_index = op.source_index,
                     .reads = op.inputs,
                     .writes = op.outputs,
                     .is_view = op.kind == ir::OpKind::kReshape});
  }
  for (const import::UnsupportedOp& op : unsupported) {
    steps.push_back({.source_index = op.source_index, .reads = op.inputs, .writes = op.outputs});
  }
  std::ranges::stable_sort(steps, {}, &compile::Step::source_index);
  return steps;
}

// Each constant once, however many operators read it.
Bytes ConstantBytes(const ir::Graph& graph, const std::vector<compile::Step>& steps) {
  std::set<ir::TensorId> constants;
  for (const compile::Step& step : steps) {
    for (ir::TensorId id : step.reads) {
      if (id != ir::kNoTensor && graph[id].data != nullptr) constants.insert(id);
    }
  }
  Bytes sum = 0;
  for (ir::TensorId id : constants) sum += ByteSize(graph[id]);
  return sum;
}

std::vector<Inspection::InterfaceRow> InterfaceRows(const std::vector<ir::TensorId>& ids,
                                                    const std::vector<std::string>& identifiers) {
  std::vector<Inspection::InterfaceRow> rows;
  for (size_t i = 0; i < ids.size(); ++i) {
    rows.push_back({.tensor = static_cast<int32_t>(ids[i]), .identifier = identifiers[i]});
  }
  return rows;
}

// The graph that is compiled. Where an operator is missing from it, only what is left of it.
Result<ir::Graph> Folded(const import::Imported& imported) {
  if (!imported.unsupported.empty()) return passes::FoldConstants(imported.graph);
  return passes::RunPasses(imported.graph, {});
}

std::optional<Inspection::Peaks> FindPeaks(const ir::Graph& graph) {
  const auto program = lower::Lower(graph);
  if (!program) return std::nullopt;
  stream::ChooseOptions options{.workspace_io = program->inputs};
  Append(options.workspace_io, program->outputs);
  stream::Choice rows = stream::ChooseGroups(*program, options);
  const lower::Order order = lower::FindOrder(*program, {.io = lower::AllIo(*program)});
  lower::Program by_rows = *program;
  for (BufferId input : program->inputs) {
    if (lower::RowsOf(by_rows, input)) lower::TransferRows(input, by_rows);
  }
  stream::Choice fed = stream::ChooseGroups(by_rows, options);
  return Inspection::Peaks{.overlap_bytes = rows.whole.bytes,
                           .rows_bytes = rows.peak.bytes,
                           .input_rows_bytes = fed.peak.bytes,
                           .order_bytes = order.peak_bytes,
                           .is_order_exact = order.is_exact,
                           .overlap_call = std::move(rows.whole.call),
                           .rows_call = std::move(rows.peak.call),
                           .input_rows_call = std::move(fed.peak.call),
                           .tradeoffs = compile::FindTradeoffs(graph, *program, options, 0)};
}

}  // namespace

Result<Inspection> Inspect(std::span<const uint8_t> model_bytes, const CompileOptions& options) {
  auto imported = import::Import(model_bytes, {.shapes = options.shapes});
  if (!imported) return Fail(std::move(imported.error()));
  auto folded = Folded(*imported);
  if (!folded) return Fail(std::move(folded.error()));
  const std::vector<compile::Step> steps = Steps(*folded, imported->unsupported);
  const compile::LiveSum live = compile::FindLiveSum(*folded, steps);
  const compile::InterfaceNames names = compile::NameInterfaces(*folded);
  Inspection inspection{.tensors = TensorRows(*imported),
                        .operators = OperatorRows(*imported, *folded),
                        .inputs = InterfaceRows(folded->inputs, names.inputs),
                        .outputs = InterfaceRows(folded->outputs, names.outputs),
                        .notes = std::move(imported->notes),
                        .live_sum_bytes = live.bytes,
                        .live_sum_operator = live.source_index,
                        .live_sum_tensors = Indices(live.tensors),
                        .constant_bytes = ConstantBytes(*folded, steps),
                        .multiply_accumulates = compile::MultiplyAccumulates(*folded)};
  if (imported->unsupported.empty()) inspection.peaks = FindPeaks(*folded);
  return inspection;
}

}  // namespace usmp
