#include "support/one_operator.h"

#include <utility>

namespace usmp::testing {

ir::Graph OneOperator(ir::OpKind kind, std::vector<ir::Tensor> inputs, ir::Tensor output,
                      ir::Attributes attributes) {
  ir::Graph graph{.tensors = std::move(inputs)};
  ir::Op op{.kind = kind, .attributes = std::move(attributes)};
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    op.inputs.push_back(ir::TensorId(i));
    if (graph.tensors[i].data == nullptr) graph.inputs.push_back(ir::TensorId(i));
  }
  op.outputs = {ir::TensorId(graph.tensors.size())};
  graph.outputs = op.outputs;
  graph.tensors.push_back(std::move(output));
  graph.ops.push_back(std::move(op));
  return graph;
}

}  // namespace usmp::testing
