#include "compile/unit.h"

#include <algorithm>
#include <utility>

#include "compile/choose_program.h"
#include "compile/constant_placement.h"
#include "compile/descriptors.h"
#include "compile/io_placement.h"
#include "compile/offload.h"
#include "emit/stack_usage.h"
#include "import/importer.h"
#include "ir/print.h"
#include "lower/kernels.h"
#include "lower/lower.h"
#include "lower/reach.h"
#include "passes/pipeline.h"
#include "support/append.h"

namespace usmp::compile {
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
  passes::PipelineOptions pipeline{.quantized_io = options.quantized_io};
  if (options.on_pass) {
    pipeline.on_pass = [&options](std::string_view pass, const ir::Graph& g) {
      options.on_pass(pass, ir::PrintGraph(g));
    };
  }
  return passes::RunPasses(std::move(graph), pipeline);
}

}  // namespace

int32_t Unit::step_count() const {
  return static_cast<int32_t>(std::max<size_t>(program.calls.size(), 1));
}

Bytes Unit::max_stack_bytes() const {
  Bytes bytes = emit::MaxStackBytes(emit::KernelsOf(program), emit::HasGroups(program));
  if (options().interface == InterfaceApi::kPacked) {
    bytes += emit::PackedStackBytes(program.inputs.size() + program.outputs.size() +
                                    extracted.problem.pools.size() + options().devices.size());
  }
  size_t operands = 0;
  for (const lower::Call& call : program.calls) {
    if (call.offloaded) operands = std::max(operands, call.operands.size());
  }
  return operands > 0 ? bytes + emit::OffloadStackBytes(operands) : bytes;
}

Result<Unit> MakeUnit(const ModelSource& source, const BuildContext& context) {
  const CompileOptions& options = source.options;
  Unit unit{.source = &source};
  auto symbol = SymbolOf(context.prefix, options.model_name);
  if (!symbol) return Fail(symbol.error());
  unit.symbol = std::move(*symbol);
  if (auto checked = CheckOffloads(options); !checked) return Fail(checked.error());
  auto imported = import::Import(
      source.bytes, {.shapes = options.shapes, .offloads = OperatorsOf(options.offloads)});
  if (!imported) return Fail(imported.error());
  if (auto supported = CheckSupported(*imported); !supported) return Fail(supported.error());
  unit.notes = std::move(imported->notes);
  auto graph = Optimize(std::move(imported->graph), options);
  if (!graph) return Fail(graph.error());
  unit.graph = std::move(*graph);
  unit.graph.name = options.model_name;
  auto program = lower::Lower(unit.graph, options.offloads);
  if (!program) return Fail(program.error());
  unit.whole = std::move(*program);
  unit.interfaces = NameInterfaces(unit.graph, unit.whole);
  auto io = PlaceIo(context.pools, options, unit.whole, unit.interfaces);
  if (!io) return Fail(io.error());
  unit.io = std::move(*io);
  auto constant_pools = PlaceConstants(context.pools, options, unit.whole);
  if (!constant_pools) return Fail(constant_pools.error());
  unit.constant_pools = std::move(*constant_pools);
  if (auto reached = lower::CheckReach(unit.whole, context.pools, unit.io); !reached) {
    return Fail(reached.error());
  }
  unit.descriptors = AddDescriptors(options.dl_tensors, unit.interfaces, unit.io, unit.whole);
  ChooseProgram(context, unit);
  return unit;
}

}  // namespace usmp::compile
