#include "passes/pipeline.h"

#include <utility>

#include "ir/verify.h"
#include "passes/fold_constants.h"
#include "passes/fold_padding.h"
#include "passes/quantized_io.h"
#include "passes/remove_dead_ops.h"
#include "support/check.h"

namespace usmp::passes {
namespace {

using Pass = Result<ir::Graph> (*)(ir::Graph);

Result<ir::Graph> RunPass(std::string_view name, Pass pass, Result<ir::Graph> graph,
                          const PipelineOptions& options) {
  if (!graph) return graph;
  graph = pass(*std::move(graph));
  if (!graph) return graph;
  // A pass that makes a wrong graph out of a right one is a mistake of ours.
  USMP_CHECK(ir::VerifyGraph(*graph).has_value());
  if (options.on_pass) options.on_pass(name, *graph);
  return graph;
}

}  // namespace

Result<ir::Graph> RunPasses(ir::Graph graph, const PipelineOptions& options) {
  Result<ir::Graph> g = std::move(graph);
  g = RunPass("fold_constants", FoldConstants, std::move(g), options);
  g = RunPass("fold_padding", FoldPadding, std::move(g), options);
  if (options.quantized_io) g = RunPass("quantized_io", QuantizedIo, std::move(g), options);
  g = RunPass("remove_dead_ops", RemoveDeadOps, std::move(g), options);
  return g;
}

}  // namespace usmp::passes
