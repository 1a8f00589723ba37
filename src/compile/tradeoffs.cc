#include "compile/tradeoffs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace usmp::compile {
namespace {

// What a call costs besides its arithmetic, in multiply-accumulates. On Cortex-M4 at -O2, running
// rows of three models of MLPerf Tiny (kws, resnet, vww) takes 240, 299 and 70 calls more and 3.5,
// 1.6 and 0.5 % more instructions.
constexpr double kCall = 450;

int64_t MultiplyAccumulatesOf(const ir::Graph& graph, const ir::Op& op) {
  const int64_t outputs = ElementCount(graph[op.outputs[0]]);
  switch (op.kind) {
    case ir::OpKind::kConv2d: {
      const std::vector<int32_t>& weights = graph[op.inputs[1]].shape;
      return outputs * weights[1] * weights[2] * weights[3];
    }
    case ir::OpKind::kDepthwiseConv2d: {
      const std::vector<int32_t>& weights = graph[op.inputs[1]].shape;
      return outputs * weights[1] * weights[2];
    }
    case ir::OpKind::kFullyConnected:
      return outputs * graph[op.inputs[1]].shape[1];
    default:
      return 0;
  }
}

// Operators without multiplications take the time of one for each element.
double Work(const ir::Graph& graph) {
  double work = 0;
  for (const ir::Op& op : graph.ops) {
    const int64_t elements = ElementCount(graph[op.outputs[0]]);
    work += static_cast<double>(std::max(elements, MultiplyAccumulatesOf(graph, op)));
  }
  return work;
}

}  // namespace

int64_t MultiplyAccumulates(const ir::Graph& graph) {
  int64_t sum = 0;
  for (const ir::Op& op : graph.ops) {
    sum += std::min(std::numeric_limits<int64_t>::max() - sum, MultiplyAccumulatesOf(graph, op));
  }
  return sum;
}

std::vector<ReportTradeoff> FindTradeoffs(const ir::Graph& graph, const lower::Program& program,
                                          const stream::ChooseOptions& options,
                                          Bytes caller_bytes) {
  const double work = Work(graph);
  const auto time = [work](int64_t calls) { return work + kCall * static_cast<double>(calls); };
  const double whole = time(std::ssize(program.calls));
  std::vector<ReportTradeoff> tradeoffs;
  for (const stream::Tradeoff& tradeoff : stream::FindTradeoffs(program, options)) {
    tradeoffs.push_back(
        {.ram_bytes = tradeoff.bytes + caller_bytes,
         .calls_by_rows = static_cast<int32_t>(tradeoff.fused_calls),
         .kernel_calls = tradeoff.kernel_calls,
         .time_ratio = std::round(time(tradeoff.kernel_calls) / whole * 1000) / 1000});
  }
  return tradeoffs;
}

}  // namespace usmp::compile
