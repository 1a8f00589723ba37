// The graph passes: one straight line, read top to bottom.
#ifndef USMP_PASSES_PIPELINE_H_
#define USMP_PASSES_PIPELINE_H_

#include <functional>
#include <string_view>

#include "ir/graph.h"
#include "usmp/result.h"

namespace usmp::passes {

struct PipelineOptions {
  bool quantized_io = false;  // inputs and outputs without the QUANTIZE and DEQUANTIZE at them
  // Called after each pass with its name and the graph it made.
  std::function<void(std::string_view pass, const ir::Graph& graph)> on_pass{};
};

// Runs every pass in order, and VerifyGraph after each. `graph` has passed VerifyGraph.
Result<ir::Graph> RunPasses(ir::Graph graph, const PipelineOptions& options);

}  // namespace usmp::passes

#endif  // USMP_PASSES_PIPELINE_H_
