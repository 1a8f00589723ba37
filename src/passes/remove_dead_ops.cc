#include "passes/remove_dead_ops.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace usmp::passes {

Result<ir::Graph> RemoveDeadOps(ir::Graph graph) {
  std::vector<bool> needed(graph.tensors.size());
  const auto need = [&](ir::TensorId id) {
    if (id != ir::kNoTensor) needed[static_cast<size_t>(id)] = true;
  };
  std::ranges::for_each(graph.outputs, need);
  std::vector<ir::Op> kept;  // last first
  for (auto op = graph.ops.rbegin(); op != graph.ops.rend(); ++op) {
    const bool is_needed = std::ranges::any_of(
        op->outputs, [&](ir::TensorId id) { return needed[static_cast<size_t>(id)]; });
    if (!is_needed) continue;
    std::ranges::for_each(op->inputs, need);
    kept.push_back(std::move(*op));
  }
  std::ranges::reverse(kept);
  graph.ops = std::move(kept);
  return graph;
}

}  // namespace usmp::passes
