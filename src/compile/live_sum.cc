#include "compile/live_sum.h"

#include <algorithm>
#include <numeric>

namespace usmp::compile {
namespace {

// Half-open; empty: never alive.
struct Alive {
  int64_t begin = 0, end = 0;
};

class Lives {
 public:
  Lives(const ir::Graph& graph, std::span<const Step> steps)
      : graph_(graph), source_(graph.tensors.size()), alive_(graph.tensors.size()) {
    std::iota(source_.begin(), source_.end(), size_t{0});
    const auto count = std::max<int64_t>(1, static_cast<int64_t>(steps.size()));
    for (ir::TensorId id : graph.inputs) Use(id, 0);
    for (int64_t i = 0; i < static_cast<int64_t>(steps.size()); ++i) {
      const Step& step = steps[static_cast<size_t>(i)];
      if (step.is_view) {
        source_[static_cast<size_t>(step.writes[0])] = source_[static_cast<size_t>(step.reads[0])];
      }
      for (ir::TensorId id : step.reads) Use(id, i);
      for (ir::TensorId id : step.writes) Use(id, i);
    }
    for (ir::TensorId id : graph.outputs) Use(id, count - 1);
  }

  const std::vector<Alive>& alive() const { return alive_; }

 private:
  void Use(ir::TensorId id, int64_t step) {
    if (id == ir::kNoTensor || graph_[id].data != nullptr) return;
    Alive& alive = alive_[source_[static_cast<size_t>(id)]];
    if (alive.begin == alive.end) alive.begin = step;
    alive.end = step + 1;
  }

  const ir::Graph& graph_;
  std::vector<size_t> source_;  // of a view: whose bytes it has
  std::vector<Alive> alive_;
};

}  // namespace

LiveSum FindLiveSum(const ir::Graph& graph, std::span<const Step> steps) {
  const Lives lives(graph, steps);
  std::vector<Bytes> change(std::max<size_t>(1, steps.size()) + 1);
  for (size_t i = 0; i < lives.alive().size(); ++i) {
    const Alive& alive = lives.alive()[i];
    change[static_cast<size_t>(alive.begin)] += ByteSize(graph.tensors[i]);
    change[static_cast<size_t>(alive.end)] -= ByteSize(graph.tensors[i]);
  }
  LiveSum best;
  int64_t best_step = 0;
  Bytes sum = 0;
  for (size_t step = 0; step + 1 < change.size(); ++step) {
    sum += change[step];
    if (sum <= best.bytes) continue;
    best.bytes = sum;
    best_step = static_cast<int64_t>(step);
  }
  if (!steps.empty()) best.source_index = steps[static_cast<size_t>(best_step)].source_index;
  for (size_t i = 0; i < lives.alive().size(); ++i) {
    const Alive& alive = lives.alive()[i];
    if (alive.begin <= best_step && best_step < alive.end) best.tensors.push_back(ir::TensorId(i));
  }
  std::ranges::stable_sort(best.tensors, [&](ir::TensorId a, ir::TensorId b) {
    return ByteSize(graph[a]) > ByteSize(graph[b]);
  });
  return best;
}

}  // namespace usmp::compile
