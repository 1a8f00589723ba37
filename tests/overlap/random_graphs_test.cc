// Random graphs, planned and run in one arena, against the same calls on buffers that are apart:
// overlaps, scan directions and orders together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lower/extract_buffers.h"
#include "lower/lower.h"
#include "lower/order.h"
#include "lower/scan_direction.h"
#include "overlap/random_operator.h"
#include "support/run_call.h"

namespace usmp::testing {
namespace {

using ByteVector = std::vector<uint8_t>;
using Shape = std::vector<int32_t>;

size_t Index(BufferId id) { return static_cast<size_t>(id); }

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
    tensor.data = std::make_shared<const ByteVector>(RandomValues(random_, tensor));
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

// The outputs' bytes, with every buffer at its address.
std::vector<ByteVector> Run(const lower::Program& program, const std::vector<void*>& addresses,
                            const ByteVector& input) {
  std::memcpy(addresses[Index(program.inputs[0])], input.data(), input.size());
  for (const lower::Call& call : program.calls) {
    std::vector<void*> operands;
    for (const lower::Operand& operand : call.operands) {
      operands.push_back(operand.buffer ? addresses[Index(*operand.buffer)] : nullptr);
    }
    RunCall(call, operands, Variant::kVector);
  }
  std::vector<ByteVector> outputs;
  for (BufferId id : program.outputs) {
    const auto* bytes = static_cast<const uint8_t*>(addresses[Index(id)]);
    outputs.emplace_back(bytes, bytes + program[id].size_bytes());
  }
  return outputs;
}

std::vector<ByteVector> RunApart(lower::Program& program, const ByteVector& input) {
  std::vector<ByteVector> buffers;
  std::vector<void*> addresses;
  for (const lower::Buffer& buffer : program.buffers) {
    buffers.push_back(buffer.kind == BufferKind::kConstant
                          ? buffer.data
                          : ByteVector(static_cast<size_t>(buffer.size_bytes()), 0xA5));
  }
  for (ByteVector& buffer : buffers) addresses.push_back(buffer.data());
  return Run(program, addresses, input);
}

struct Planned {
  std::vector<ByteVector> outputs{};
  Bytes arena_bytes = 0;
  bool has_reverse = false;
};

Planned RunPlanned(lower::Program program, const ByteVector& input) {
  const std::vector<PoolInfo> pools{{.pool_name = "ram"},
                                    {.pool_name = "flash", .kind = PoolKind::kConstant}};
  const lower::Extracted extracted =
      lower::ExtractBuffers(program, pools, {.io = lower::AllIo(program)});
  const auto plan = MakePlan(extracted.problem, *FindAlgorithm("auto"));
  if (!plan) {
    ADD_FAILURE() << plan.error().diagnostics[0].message;
    return {};
  }
  std::vector<std::optional<PoolAllocation>> allocations;
  ByteVector arena(static_cast<size_t>(plan->pool_sizes[0]), 0xA5);
  std::vector<void*> addresses;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const std::optional<BufferId> id = extracted.planned[i];
    allocations.push_back(id ? std::optional(plan->allocations[Index(*id)]) : std::nullopt);
    const bool is_constant = program.buffers[i].kind == BufferKind::kConstant;
    addresses.push_back(is_constant          ? program.buffers[i].data.data()
                        : allocations.back() ? arena.data() + allocations.back()->byte_offset
                                             : nullptr);
  }
  lower::ChooseScanDirections(allocations, program);
  Planned planned{Run(program, addresses, input), plan->pool_sizes[0]};
  for (const lower::Call& call : program.calls) {
    for (const lower::Param& param : call.params) {
      planned.has_reverse |=
          param.name == "reverse" && param.value == lower::ParamValue(int64_t{1});
    }
  }
  return planned;
}

void CheckGraphs(bool is_float) {
  Random random(7);
  Bytes planned_bytes = 0, live_bytes = 0;
  int reversed = 0;
  for (int i = 0; i < 120; ++i) {
    const ir::Graph graph = GraphMaker(random, is_float).Make(RandomInt(random, 2, 12));
    auto program = lower::Lower(graph);
    ASSERT_TRUE(program) << program.error().diagnostics[0].message;
    const ByteVector input = RandomValues(random, graph[graph.inputs[0]]);
    const std::vector<ByteVector> expected = RunApart(*program, input);
    const Planned planned = RunPlanned(*program, input);
    ASSERT_EQ(planned.outputs, expected) << "graph " << i;
    const lower::Order order = lower::FindOrder(*program, {.io = lower::AllIo(*program)});
    ASSERT_EQ(RunPlanned(lower::Reordered(*program, order.calls), input).outputs, expected)
        << "graph " << i << ", reordered";
    planned_bytes += planned.arena_bytes;
    live_bytes +=
        lower::FindOrder(*program, {.io = lower::AllIo(*program), .overlap = false}).peak_bytes;
    reversed += planned.has_reverse ? 1 : 0;
  }
  // Not a test of the planner, but of this one: overlaps are there, in both directions.
  EXPECT_LT(planned_bytes, live_bytes * 9 / 10);
  EXPECT_GT(reversed, 5);
}

TEST(RandomGraphs, ComputeTheSameInTheirPlanInt8) { CheckGraphs(/*is_float=*/false); }
TEST(RandomGraphs, ComputeTheSameInTheirPlanFloat32) { CheckGraphs(/*is_float=*/true); }

}  // namespace
}  // namespace usmp::testing
