#include "overlap/random_graph.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace usmp::testing {
namespace {

using Shape = std::vector<int32_t>;

class GraphMaker {
 public:
  GraphMaker(Random& random, bool is_float) : random_(random), is_float_(is_float) {}

  ir::Graph Make(int operators) {
    graph_.inputs.push_back(
        Add({1, RandomInt(random_, 3, 9), RandomInt(random_, 3, 9), RandomInt(random_, 1, 9)}));
    for (int i = 0; i < operators; ++i) AddOperator(Any());
    std::vector<bool> is_read(graph_.tensors.size(), false);
    for (const ir::Op& op : graph_.ops) {
      for (ir::TensorId id : op.inputs) {
        if (id != ir::kNoTensor) is_read[static_cast<size_t>(id)] = true;
      }
    }
    for (const ir::Op& op : graph_.ops) {
      if (!is_read[static_cast<size_t>(op.outputs[0])]) graph_.outputs.push_back(op.outputs[0]);
    }
    return std::move(graph_);
  }

 private:
  ir::TensorId Add(Shape shape, float scale = 1.0F) {
    ir::Tensor tensor{.shape = std::move(shape)};
    if (!is_float_) {
      tensor.dtype = ir::DType::kInt8;
      tensor.quantization = {.scales = {scale}, .zero_points = {0}};
    }
    graph_.tensors.push_back(std::move(tensor));
    return ir::TensorId(graph_.tensors.size() - 1);
  }
  ir::TensorId AddWeights(Shape shape, int64_t taps) {
    const ir::TensorId id = Add(std::move(shape), 0.01F / std::sqrt(static_cast<float>(taps)));
    ir::Tensor& tensor = graph_[id];
    tensor.data = std::make_shared<const std::vector<uint8_t>>(RandomValues(random_, tensor));
    return id;
  }
  // A tensor that is not constant; the latest more often than not, so that chains arise.
  ir::TensorId Any() {
    if (graph_.ops.empty()) return graph_.inputs[0];
    if (RandomInt(random_, 0, 2) > 0) return graph_.ops.back().outputs[0];
    const int op = RandomInt(random_, -1, static_cast<int>(graph_.ops.size()) - 1);
    return op < 0 ? graph_.inputs[0] : graph_.ops[static_cast<size_t>(op)].outputs[0];
  }
  void AddOp(ir::OpKind kind, std::vector<ir::TensorId> inputs, Shape out,
             ir::Attributes attributes) {
    const ir::TensorId output = Add(std::move(out));
    graph_.ops.push_back({.kind = kind,
                          .inputs = std::move(inputs),
                          .outputs = {output},
                          .attributes = std::move(attributes)});
  }

  void AddOperator(ir::TensorId x) {
    const Shape in = graph_[x].shape;
    const int kernel = RandomInt(random_, 0, 1) == 0 ? 1 : 3;
    const int stride = kernel == 3 ? RandomInt(random_, 1, 2) : 1;
    const ir::Window2d window{.kernel_h = kernel,
                              .kernel_w = kernel,
                              .stride_h = stride,
                              .stride_w = stride,
                              .padding = {kernel / 2, kernel / 2, kernel / 2, kernel / 2}};
    Shape out = in;
    out[1] = (in[1] - 1) / stride + 1;
    out[2] = (in[2] - 1) / stride + 1;
    switch (RandomInt(random_, 0, 6)) {
      case 0:
        out[3] = RandomInt(random_, 1, 12);
        return AddOp(ir::OpKind::kConv2d,
                     {x, AddWeights({out[3], kernel, kernel, in[3]}, kernel * kernel * in[3]),
                      ir::kNoTensor},
                     out, ir::Conv2dAttrs{.window = window});
      case 1:
        return AddOp(ir::OpKind::kDepthwiseConv2d,
                     {x, AddWeights({1, kernel, kernel, in[3]}, kernel * kernel), ir::kNoTensor},
                     out, ir::DepthwiseConv2dAttrs{.window = window});
      case 2:
        return AddOp(ir::OpKind::kMaxPool2d, {x}, out, ir::Pool2dAttrs{.window = window});
      case 3:
        return AddOp(ir::OpKind::kPad, {x}, {in[0], in[1] + 1, in[2], in[3]},
                     ir::PadAttrs{.before = {0, 1, 0, 0}, .after = {0, 0, 0, 0}});
      case 4:
        return AddOp(ir::OpKind::kRelu, {x}, in, ir::NoAttrs{});
      case 5:
        out = {in[0], in[1], in[2], 2 * in[3]};
        return AddOp(ir::OpKind::kConcatenation, {x, x}, out, ir::ConcatAttrs{.axis = 3});
      default:
        return AddOp(ir::OpKind::kAdd, {x, SameShape(x)}, in, ir::BinaryAttrs{});
    }
  }
  ir::TensorId SameShape(ir::TensorId x) {
    for (const ir::Op& op : graph_.ops) {
      const bool fits = graph_[op.outputs[0]].shape == graph_[x].shape;
      if (fits && RandomInt(random_, 0, 1) == 0) return op.outputs[0];
    }
    return x;
  }

  Random& random_;
  bool is_float_;
  ir::Graph graph_{};
};

}  // namespace

ir::Graph MakeRandomGraph(Random& random, int operators, bool is_float) {
  return GraphMaker(random, is_float).Make(operators);
}

}  // namespace usmp::testing
