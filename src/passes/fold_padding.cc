#include "passes/fold_padding.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace usmp::passes {
namespace {

using ir::Graph;
using ir::Op;
using ir::OpKind;
using ir::Padding2d;
using ir::TensorId;
using ir::Window2d;

// What the padding of height and width is, if it is nothing else.
bool IsSpatial(const ir::PadAttrs& pad) {
  return pad.before.size() == 4 && pad.before[0] == 0 && pad.after[0] == 0 && pad.before[3] == 0 &&
         pad.after[3] == 0;
}

bool PadsWithZero(const Graph& graph, const Op& op, const ir::PadAttrs& pad) {
  const ir::Quantization& in = graph[op.inputs[0]].quantization;
  const ir::Quantization& out = graph[op.outputs[0]].quantization;
  if (in.scales != out.scales || in.zero_points != out.zero_points) return false;
  if (in.zero_points.size() > 1) return false;
  const double zero = in.zero_points.empty() ? 0.0 : in.zero_points[0];
  return pad.value.value_or(zero) == zero;
}

Window2d* WindowOf(Op& op) {
  if (auto* conv = std::get_if<ir::Conv2dAttrs>(&op.attributes)) return &conv->window;
  if (auto* depthwise = std::get_if<ir::DepthwiseConv2dAttrs>(&op.attributes)) {
    return &depthwise->window;
  }
  return nullptr;
}

// Windows that lie entirely in the padding are left to the PAD.
bool Reaches(int64_t before, int64_t after, int32_t kernel, int32_t dilation) {
  const int64_t span = (kernel - 1) * int64_t{dilation} + 1;
  return before < span && after < span;
}

bool CanTake(const Window2d& w, const ir::PadAttrs& pad) {
  return Reaches(int64_t{w.padding.top} + pad.before[1], int64_t{w.padding.bottom} + pad.after[1],
                 w.kernel_h, w.dilation_h) &&
         Reaches(int64_t{w.padding.left} + pad.before[2], int64_t{w.padding.right} + pad.after[2],
                 w.kernel_w, w.dilation_w);
}

// The operators that read the tensor; empty if one of them cannot take the padding.
std::vector<Op*> Takers(Graph& graph, TensorId id, const ir::PadAttrs& pad) {
  std::vector<Op*> takers;
  for (Op& op : graph.ops) {
    const auto reads = std::ranges::count(op.inputs, id);
    if (reads == 0) continue;
    const Window2d* window = WindowOf(op);
    if (window == nullptr || reads != 1 || op.inputs[0] != id || !CanTake(*window, pad)) return {};
    takers.push_back(&op);
  }
  return takers;
}

void Fold(Graph& graph, const Op& op) {
  const auto& pad = std::get<ir::PadAttrs>(op.attributes);
  if (!IsSpatial(pad) || !PadsWithZero(graph, op, pad)) return;
  if (std::ranges::find(graph.outputs, op.outputs[0]) != graph.outputs.end()) return;
  if (graph[op.inputs[0]].data != nullptr) return;
  for (Op* taker : Takers(graph, op.outputs[0], pad)) {
    Padding2d& padding = WindowOf(*taker)->padding;
    padding.top += pad.before[1];
    padding.bottom += pad.after[1];
    padding.left += pad.before[2];
    padding.right += pad.after[2];
    taker->inputs[0] = op.inputs[0];
  }
}

}  // namespace

Result<Graph> FoldPadding(Graph graph) {
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (graph.ops[i].kind != OpKind::kPad) continue;
    const Op pad = graph.ops[i];
    Fold(graph, pad);
  }
  return graph;  // what nothing reads any more, RemoveDeadOps takes away
}

}  // namespace usmp::passes
