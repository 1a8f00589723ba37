#include "passes/quantized_io.h"

#include <algorithm>
#include <vector>

namespace usmp::passes {
namespace {

using ir::Graph;
using ir::Op;
using ir::OpKind;
using ir::TensorId;

bool IsOutput(const Graph& graph, TensorId id) {
  return std::ranges::find(graph.outputs, id) != graph.outputs.end();
}

// The QUANTIZE that alone reads the input; nullptr: there is none.
const Op* OnlyQuantize(const Graph& graph, TensorId input) {
  const Op* quantize = nullptr;
  for (const Op& op : graph.ops) {
    if (std::ranges::find(op.inputs, input) == op.inputs.end()) continue;
    if (quantize != nullptr || op.kind != OpKind::kQuantize) return nullptr;
    quantize = &op;
  }
  return quantize;
}

void TakeInputs(Graph& graph) {
  for (TensorId& input : graph.inputs) {
    if (graph[input].dtype != ir::DType::kFloat32 || IsOutput(graph, input)) continue;
    const Op* quantize = OnlyQuantize(graph, input);
    if (quantize == nullptr) continue;
    const TensorId quantized = quantize->outputs[0];
    graph[quantized].name = graph[input].name;
    std::erase_if(graph.ops, [&](const Op& op) { return op.outputs[0] == quantized; });
    input = quantized;
  }
}

void TakeOutputs(Graph& graph) {
  for (TensorId& output : graph.outputs) {
    const auto made = std::ranges::find_if(graph.ops, [&](const Op& op) {
      return op.kind == OpKind::kDequantize && op.outputs[0] == output;
    });
    if (made == graph.ops.end() || graph[made->inputs[0]].data != nullptr) continue;
    const TensorId quantized = made->inputs[0];
    if (IsOutput(graph, quantized)) continue;  // two outputs stay two
    if (std::ranges::find(graph.inputs, quantized) == graph.inputs.end()) {
      graph[quantized].name = graph[output].name;
    }
    output = quantized;
  }
}

}  // namespace

Result<Graph> QuantizedIo(Graph graph) {
  TakeInputs(graph);
  TakeOutputs(graph);
  return graph;  // a DEQUANTIZE that nothing needs any more, RemoveDeadOps takes away
}

}  // namespace usmp::passes
