#include "ir/infer_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "support/check.h"

namespace usmp::ir {
namespace {

using Shape = std::vector<int32_t>;

std::string ToText(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

// One operator under inference. A rule returns Wrong(...) as soon as it cannot go on.
class Inference {
 public:
  Inference(const Graph& graph, const Op& op, std::vector<Diagnostic>& problems)
      : graph_(graph), op_(op), problems_(problems) {}

  size_t operand_count() const { return op_.inputs.size(); }
  bool Has(size_t index) const {
    return index < op_.inputs.size() && op_.inputs[index] != kNoTensor;
  }
  const Tensor& Input(size_t index) const { return graph_[op_.inputs[index]]; }
  const Shape& InputShape(size_t index) const { return Input(index).shape; }
  const Tensor& Output() const { return graph_[op_.outputs[0]]; }
  template <class T>
  const T& Attributes() const {
    return std::get<T>(op_.attributes);
  }

  template <class... Args>
  std::nullopt_t Wrong(fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back({Describe(graph_, op_), fmt::format(format, std::forward<Args>(args)...)});
    return std::nullopt;
  }

  // `what` names the operand: "input", "weights".
  bool HasRank(size_t index, std::string_view what, size_t rank) {
    if (InputShape(index).size() == rank) return true;
    Wrong("its {} must have {} dimensions, but has shape {}", what, rank,
          ToText(InputShape(index)));
    return false;
  }
  bool BiasMatches(int32_t channels) {
    if (!Has(2) || ElementCount(Input(2)) == channels) return true;
    Wrong("its bias has {} elements for {} output channels", ElementCount(Input(2)), channels);
    return false;
  }

 private:
  const Graph& graph_;
  const Op& op_;
  std::vector<Diagnostic>& problems_;
};

using Inferred = std::optional<Shape>;

// One direction of a window. `before` and `after` are the padding.
struct Window1d {
  std::string_view direction{};
  int32_t in = 0, kernel = 0, stride = 0, dilation = 0, before = 0, after = 0;
};

std::optional<int32_t> WindowOutput(Inference& inference, const Window1d& w) {
  if (w.kernel <= 0 || w.stride <= 0 || w.dilation <= 0 || w.before < 0 || w.after < 0) {
    return inference.Wrong(
        "kernel, stride and dilation in the {} direction must be positive, but are {}, {} and {}",
        w.direction, w.kernel, w.stride, w.dilation);
  }
  if (w.in <= 0) return inference.Wrong("its input has no elements");
  const int64_t extent = (int64_t{w.kernel} - 1) * w.dilation + 1;
  const int64_t padded = int64_t{w.in} + w.before + w.after;
  if (extent > padded) {
    return inference.Wrong("its window is {} elements {}, more than the {} of the padded input",
                           extent, w.direction == "vertical" ? "high" : "wide", padded);
  }
  return static_cast<int32_t>(
      std::min<int64_t>((padded - extent) / w.stride + 1, std::numeric_limits<int32_t>::max()));
}

// [batches, output height, output width, channels] of a window that slides over operand 0.
Inferred Slide(Inference& inference, const Window2d& w, int32_t channels) {
  const Shape& in = inference.InputShape(0);
  const auto height = WindowOutput(inference, {"vertical", in[1], w.kernel_h, w.stride_h,
                                               w.dilation_h, w.padding.top, w.padding.bottom});
  const auto width = WindowOutput(inference, {"horizontal", in[2], w.kernel_w, w.stride_w,
                                              w.dilation_w, w.padding.left, w.padding.right});
  if (!height || !width) return std::nullopt;
  return Shape{in[0], *height, *width, channels};
}

bool KernelMatches(Inference& inference, const Window2d& window) {
  const Shape& weights = inference.InputShape(1);
  if (window.kernel_h == weights[1] && window.kernel_w == weights[2]) return true;
  inference.Wrong("its window is {}x{}, but its weights have shape {}", window.kernel_h,
                  window.kernel_w, ToText(weights));
  return false;
}

Inferred InferConv2d(Inference& inference) {
  if (!inference.HasRank(0, "input", 4) || !inference.HasRank(1, "weights", 4)) return {};
  const auto& attributes = inference.Attributes<Conv2dAttrs>();
  const int64_t in_channels = inference.InputShape(0)[3];
  const Shape& weights = inference.InputShape(1);
  if (weights[3] <= 0 || attributes.groups <= 0 ||
      int64_t{weights[3]} * attributes.groups != in_channels || weights[0] <= 0 ||
      weights[0] % attributes.groups != 0) {
    return inference.Wrong("its weights of shape {} do not fit {} input channels in {} group(s)",
                           ToText(weights), in_channels, attributes.groups);
  }
  if (!KernelMatches(inference, attributes.window) || !inference.BiasMatches(weights[0])) return {};
  return Slide(inference, attributes.window, weights[0]);
}

Inferred InferDepthwiseConv2d(Inference& inference) {
  if (!inference.HasRank(0, "input", 4) || !inference.HasRank(1, "weights", 4)) return {};
  const auto& attributes = inference.Attributes<DepthwiseConv2dAttrs>();
  const int64_t in_channels = inference.InputShape(0)[3];
  const Shape& weights = inference.InputShape(1);
  if (weights[0] != 1 || attributes.depth_multiplier <= 0 || weights[3] <= 0 ||
      in_channels * attributes.depth_multiplier != weights[3]) {
    return inference.Wrong(
        "its weights of shape {} do not fit {} input channels with depth multiplier {}",
        ToText(weights), in_channels, attributes.depth_multiplier);
  }
  if (!KernelMatches(inference, attributes.window) || !inference.BiasMatches(weights[3])) return {};
  return Slide(inference, attributes.window, weights[3]);
}

Inferred InferFullyConnected(Inference& inference) {
  if (!inference.HasRank(1, "weights", 2)) return {};
  const Shape& in = inference.InputShape(0);
  const int32_t out_depth = inference.InputShape(1)[0];
  const int32_t in_depth = inference.InputShape(1)[1];
  const int64_t count = ElementCount(inference.Input(0));
  const bool keep = inference.Attributes<FullyConnectedAttrs>().keep_num_dims;
  if (in_depth <= 0 || out_depth <= 0 || count % in_depth != 0 ||
      (keep && (in.empty() || in.back() != in_depth))) {
    return inference.Wrong("its input of shape {} does not fit its weights of shape {}", ToText(in),
                           ToText(inference.InputShape(1)));
  }
  if (!inference.BiasMatches(out_depth)) return {};
  if (!keep) return Shape{static_cast<int32_t>(count / in_depth), out_depth};
  Shape out = in;
  out.back() = out_depth;
  return out;
}

// As numpy does it: aligned at the last dimension, a 1 stretches.
Inferred InferBroadcast(Inference& inference) {
  Shape a = inference.InputShape(0);
  Shape b = inference.InputShape(1);
  const size_t rank = std::max(a.size(), b.size());
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  Shape out(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
      return inference.Wrong("its operands' shapes {} and {} do not broadcast",
                             ToText(inference.InputShape(0)), ToText(inference.InputShape(1)));
    }
    out[i] = a[i] == 1 ? b[i] : a[i];
  }
  return out;
}

Inferred InferPool2d(Inference& inference) {
  if (!inference.HasRank(0, "input", 4)) return {};
  const Window2d& window = inference.Attributes<Pool2dAttrs>().window;
  // A window that lies in the padding entirely has no elements to take the mean or the largest of.
  const auto inside = [](int32_t padding, int32_t kernel) { return padding < kernel; };
  const Padding2d& p = window.padding;
  if (!inside(p.top, window.kernel_h) || !inside(p.bottom, window.kernel_h) ||
      !inside(p.left, window.kernel_w) || !inside(p.right, window.kernel_w)) {
    return inference.Wrong("its padding is as large as its window of {}x{}", window.kernel_h,
                           window.kernel_w);
  }
  return Slide(inference, window, inference.InputShape(0)[3]);
}

Inferred InferMean(Inference& inference) {
  const auto& attributes = inference.Attributes<ReduceAttrs>();
  const Shape& in = inference.InputShape(0);
  const auto& axes = attributes.axes;
  const bool ascending =
      std::ranges::adjacent_find(axes, std::ranges::greater_equal{}) == axes.end();
  if (!ascending ||
      (!axes.empty() && (axes.front() < 0 || axes.back() >= static_cast<int64_t>(in.size())))) {
    return inference.Wrong("its axes {} do not fit its input of shape {}", ToText(axes),
                           ToText(in));
  }
  Shape out;
  for (size_t i = 0; i < in.size(); ++i) {
    if (!std::ranges::binary_search(axes, static_cast<int32_t>(i))) {
      out.push_back(in[i]);
    } else if (in[i] == 0) {
      return inference.Wrong("its input of shape {} has nothing to take the mean of", ToText(in));
    } else if (attributes.keep_dims) {
      out.push_back(1);
    }
  }
  return out;
}

Inferred InferPad(Inference& inference) {
  const auto& attributes = inference.Attributes<PadAttrs>();
  const Shape& in = inference.InputShape(0);
  if (attributes.before.size() != in.size() || attributes.after.size() != in.size()) {
    return inference.Wrong("it pads {} dimensions, but its input has shape {}",
                           attributes.before.size(), ToText(in));
  }
  Shape out;
  for (size_t i = 0; i < in.size(); ++i) {
    const int64_t sum = int64_t{in[i]} + attributes.before[i] + attributes.after[i];
    if (attributes.before[i] < 0 || attributes.after[i] < 0 || sum > kMaxTensorBytes) {
      return inference.Wrong("its padding of dimension {} by {} and {} is not possible", i,
                             attributes.before[i], attributes.after[i]);
    }
    out.push_back(static_cast<int32_t>(sum));
  }
  return out;
}

Inferred InferSame(Inference& inference) { return inference.InputShape(0); }

Inferred InferSoftmax(Inference& inference) {
  if (inference.InputShape(0).empty()) return inference.Wrong("its input is a scalar");
  return inference.InputShape(0);
}

Inferred InferReshape(Inference& inference) {
  const int64_t in = ElementCount(inference.Input(0));
  const int64_t out = ElementCount(inference.Output());
  if (in == out) return inference.Output().shape;
  return inference.Wrong("it makes {} elements of shape {} out of {} of shape {}", out,
                         ToText(inference.Output().shape), in, ToText(inference.InputShape(0)));
}

Inferred InferConcatenation(Inference& inference) {
  const int32_t axis = inference.Attributes<ConcatAttrs>().axis;
  Shape out = inference.InputShape(0);
  if (axis < 0 || axis >= static_cast<int64_t>(out.size())) {
    return inference.Wrong("its axis {} is not one of the {} dimensions of its inputs", axis,
                           out.size());
  }
  int64_t sum = 0;
  for (size_t i = 0; i < inference.operand_count(); ++i) {
    Shape in = inference.InputShape(i);
    if (in.size() != out.size()) in.resize(out.size(), -1);
    sum += in[axis];
    in[axis] = out[axis];
    if (in != out || inference.InputShape(i).size() != out.size()) {
      return inference.Wrong("its input {} of shape {} does not fit its first one of shape {}", i,
                             ToText(inference.InputShape(i)), ToText(inference.InputShape(0)));
    }
  }
  if (sum > kMaxTensorBytes) return inference.Wrong("its output is over 2 GiB");
  out[axis] = static_cast<int32_t>(sum);
  return out;
}

// Whether the elements of one dimension, of size `in`, exist.
bool IsInside(int64_t in, int64_t begin, int64_t count, int64_t stride) {
  if (count == 0) return true;
  const int64_t last = begin + (count - 1) * stride;
  return count > 0 && begin >= 0 && begin < in && last >= 0 && last < in;
}

Inferred InferStridedSlice(Inference& inference) {
  const auto& attributes = inference.Attributes<StridedSliceAttrs>();
  const Shape& in = inference.InputShape(0);
  const size_t rank = in.size();
  if (attributes.begin.size() != rank || attributes.count.size() != rank ||
      attributes.stride.size() != rank) {
    return inference.Wrong("it slices {} dimensions, but its input has shape {}",
                           attributes.begin.size(), ToText(in));
  }
  for (size_t d = 0; d < rank; ++d) {
    if (IsInside(in[d], attributes.begin[d], attributes.count[d], attributes.stride[d])) continue;
    return inference.Wrong(
        "its {} elements from {} on, {} apart, are not all inside dimension {} "
        "of shape {}",
        attributes.count[d], attributes.begin[d], attributes.stride[d], d, ToText(in));
  }
  const Tensor slice{.shape = attributes.count};
  if (ElementCount(slice) == ElementCount(inference.Output())) return inference.Output().shape;
  return inference.Wrong("it takes {} elements of shape {}, but its output has shape {}",
                         ElementCount(slice), ToText(attributes.count),
                         ToText(inference.Output().shape));
}

Inferred InferTranspose(Inference& inference) {
  const Shape& permutation = inference.Attributes<TransposeAttrs>().permutation;
  const Shape& in = inference.InputShape(0);
  Shape sorted = permutation;
  std::ranges::sort(sorted);
  bool is_permutation = sorted.size() == in.size();
  for (size_t d = 0; is_permutation && d < sorted.size(); ++d) {
    is_permutation = sorted[d] == static_cast<int32_t>(d);
  }
  if (!is_permutation) {
    return inference.Wrong("{} is not an order of the dimensions of its input of shape {}",
                           ToText(permutation), ToText(in));
  }
  Shape out;
  for (int32_t d : permutation) out.push_back(in[static_cast<size_t>(d)]);
  return out;
}

// Only its author knows what it computes.
Inferred InferNothing(Inference& inference) { return inference.Output().shape; }

struct Rule {
  OpKind kind{};
  OperandCount operands{};
  Inferred (*infer)(Inference&) = nullptr;
};

constexpr Rule kRules[] = {
    {OpKind::kConv2d, {2, 3, true}, InferConv2d},
    {OpKind::kDepthwiseConv2d, {2, 3, true}, InferDepthwiseConv2d},
    {OpKind::kFullyConnected, {2, 3, true}, InferFullyConnected},
    {OpKind::kAdd, {2, 2}, InferBroadcast},
    {OpKind::kSub, {2, 2}, InferBroadcast},
    {OpKind::kMul, {2, 2}, InferBroadcast},
    {OpKind::kAveragePool2d, {1, 1}, InferPool2d},
    {OpKind::kMaxPool2d, {1, 1}, InferPool2d},
    {OpKind::kMean, {1, 1}, InferMean},
    {OpKind::kPad, {1, 1}, InferPad},
    {OpKind::kSoftmax, {1, 1}, InferSoftmax},
    {OpKind::kLogistic, {1, 1}, InferSame},
    {OpKind::kTanh, {1, 1}, InferSame},
    {OpKind::kRelu, {1, 1}, InferSame},
    {OpKind::kRelu6, {1, 1}, InferSame},
    {OpKind::kReshape, {1, 1}, InferReshape},
    {OpKind::kConcatenation, {1, 0xFFFF}, InferConcatenation},
    {OpKind::kStridedSlice, {1, 1}, InferStridedSlice},
    {OpKind::kTranspose, {1, 1}, InferTranspose},
    {OpKind::kQuantize, {1, 1}, InferSame},
    {OpKind::kDequantize, {1, 1}, InferSame},
    {OpKind::kOffloaded, {0, 0xFFFF}, InferNothing},
};

const Rule& RuleFor(OpKind kind) {
  const auto* rule = std::ranges::find(kRules, kind, &Rule::kind);
  USMP_CHECK(rule != std::end(kRules));
  return *rule;
}

}  // namespace

OperandCount Operands(OpKind kind) { return RuleFor(kind).operands; }

std::optional<Shape> InferOutputShape(const Graph& graph, const Op& op,
                                      std::vector<Diagnostic>& problems) {
  Inference inference(graph, op, problems);
  Inferred shape = RuleFor(op.kind).infer(inference);
  if (shape && !CheckedByteSize(*shape, graph[op.outputs[0]].dtype)) {
    return inference.Wrong("its output of shape {} is over 2 GiB", ToText(*shape));
  }
  return shape;
}

}  // namespace usmp::ir
