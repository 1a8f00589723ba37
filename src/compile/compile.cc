#include "usmp/compile.h"

#include <optional>
#include <utility>

#include "compile/constant_placement.h"
#include "compile/interface.h"
#include "compile/make_report.h"
#include "compile/poison.h"
#include "compile/pools.h"
#include "emit/emit.h"
#include "import/importer.h"
#include "ir/print.h"
#include "lower/extract_buffers.h"
#include "lower/kernels.h"
#include "lower/lower.h"
#include "lower/scan_direction.h"
#include "passes/pipeline.h"
#include "support/append.h"
#include "usmp/pool_cost.h"

namespace usmp {
namespace {

// Everything that keeps the model from being compiled: operators unknown to the graph, and
// operators that the graph knows but no kernel can run.
Result<void> CheckSupported(const import::Imported& imported) {
  std::vector<Diagnostic> problems;
  for (const import::UnsupportedOp& op : imported.unsupported) Append(problems, op.problems);
  if (problems.empty()) return {};  // lowering lists the rest itself
  for (const ir::Op& op : imported.graph.ops) {
    Append(problems, lower::WhyUnsupported(imported.graph, op));
  }
  return Fail(Error{ErrorCode::kUnsupported, std::move(problems)});
}

Result<ir::Graph> Optimize(ir::Graph graph, const CompileOptions& options) {
  passes::PipelineOptions pipeline;
  if (options.on_pass) {
    pipeline.on_pass = [&options](std::string_view pass, const ir::Graph& g) {
      options.on_pass(pass, ir::PrintGraph(g));
    };
  }
  return passes::RunPasses(std::move(graph), pipeline);
}

Result<Algorithm> AlgorithmOf(const CompileOptions& options) {
  if (options.algorithm.run) return options.algorithm;
  return FindAlgorithm("auto");
}

// By the program's BufferId.
std::vector<std::optional<PoolAllocation>> AllocationsOf(const lower::Extracted& extracted,
                                                         const Plan& plan) {
  std::vector<std::optional<PoolAllocation>> allocations;
  for (const std::optional<BufferId>& id : extracted.planned) {
    allocations.push_back(id ? std::optional(plan.allocations[static_cast<size_t>(*id)])
                             : std::nullopt);
  }
  return allocations;
}

}  // namespace

Result<CompiledModel> Compile(std::span<const uint8_t> model_bytes, const CompileOptions& options) {
  auto symbol = compile::SymbolOf(options);
  if (!symbol) return Fail(symbol.error());
  auto pools = compile::PoolsOf(options);
  if (!pools) return Fail(pools.error());
  auto algorithm = AlgorithmOf(options);
  if (!algorithm) return Fail(algorithm.error());

  auto imported = import::Import(model_bytes, {.shapes = options.shapes});
  if (!imported) return Fail(imported.error());
  if (auto supported = CheckSupported(*imported); !supported) return Fail(supported.error());
  auto graph = Optimize(std::move(imported->graph), options);
  if (!graph) return Fail(graph.error());
  graph->name = options.model_name;
  auto program = lower::Lower(*graph);
  if (!program) return Fail(program.error());

  lower::Extracted extracted =
      lower::ExtractBuffers(*program, *pools,
                            {.io_in_workspace = options.io == IoPlacement::kWorkspace,
                             .keep_all = options.debug == DebugMode::kKeepTensors,
                             .overlap = options.overlap});
  if (auto placed = compile::PlaceConstants(options, *program, extracted); !placed) {
    return Fail(placed.error());
  }
  auto plan = MakePlanByCost(extracted.problem, *algorithm, options.plan);
  if (!plan) return Fail(plan.error());

  const compile::Interfaces interfaces = compile::NameInterfaces(*graph, *program);
  const auto allocations = AllocationsOf(extracted, *plan);
  lower::ChooseScanDirections(allocations, *program);
  CompiledModel model;
  model.report = compile::MakeReport({.options = options,
                                      .model_bytes = model_bytes,
                                      .graph = *graph,
                                      .program = *program,
                                      .interfaces = interfaces,
                                      .extracted = extracted,
                                      .plan = *plan,
                                      .algorithm = algorithm->name});
  emit::EmitInput emission{.program = *program,
                           .symbol = *symbol,
                           .version = kVersion,
                           .inputs = interfaces.inputs,
                           .outputs = interfaces.outputs,
                           .pools = *pools,
                           .pool_sizes = plan->pool_sizes,
                           .allocations = allocations,
                           .lower_bound_bytes = plan->lower_bound_bytes,
                           .max_stack_bytes = model.report.max_stack_bytes};
  if (options.debug == DebugMode::kPoison) {
    emission.poison_after = compile::DeadAfter(*program, extracted, *plan);
  }
  for (emit::File& file : emit::Emit(emission)) {
    model.files.push_back({std::move(file.path), std::move(file.content)});
  }
  model.files.push_back({"report.json", ReportToJson(model.report)});
  model.notes = std::move(imported->notes);
  return model;
}

std::span<const OperatorInfo> Operators() {
  static const std::vector<OperatorInfo> kOperators = [] {
    std::vector<OperatorInfo> all;
    for (const lower::OperatorRow& row : lower::OperatorTable()) {
      all.push_back({.name = std::string(ir::Name(row.kind)),
                     .types = std::string(row.types),
                     .summary = std::string(ir::Summary(row.kind))});
    }
    return all;
  }();
  return kOperators;
}

}  // namespace usmp
