#include "ir/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

namespace usmp::ir {
namespace {

std::string ToText(const Quantization& q) {
  if (q.scales.empty()) return "";
  if (q.scales.size() == 1) return fmt::format(" q({:.6g}, {})", q.scales[0], q.zero_points[0]);
  return fmt::format(" q({} channels of dimension {})", q.scales.size(), q.axis);
}

std::string ToText(const Graph& graph, TensorId id) {
  if (id == kNoTensor) return "-";
  const Tensor& tensor = graph[id];
  return fmt::format("%{}{}: {}[{}]{}", static_cast<uint32_t>(id),
                     tensor.data != nullptr ? " const" : "", Name(tensor.dtype),
                     fmt::join(tensor.shape, ","), ToText(tensor.quantization));
}

std::string ToText(const Graph& graph, const std::vector<TensorId>& ids) {
  std::string text;
  for (TensorId id : ids) text += (text.empty() ? "" : ", ") + ToText(graph, id);
  return text;
}

std::string_view ToText(Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return "";
    case Activation::kRelu:
      return " relu";
    case Activation::kReluN1To1:
      return " relu_n1_to_1";
    case Activation::kRelu6:
      return " relu6";
  }
  return "";
}

std::string ToText(const Window2d& w) {
  std::string text =
      fmt::format(" window {}x{} stride {}x{}", w.kernel_h, w.kernel_w, w.stride_h, w.stride_w);
  if (w.dilation_h != 1 || w.dilation_w != 1) {
    text += fmt::format(" dilation {}x{}", w.dilation_h, w.dilation_w);
  }
  return text + fmt::format(" padding {},{},{},{}", w.padding.top, w.padding.bottom, w.padding.left,
                            w.padding.right);
}

struct AttributesToText {
  std::string operator()(const NoAttrs&) const { return ""; }
  std::string operator()(const Conv2dAttrs& a) const {
    return fmt::format("{}{}{}", ToText(a.window),
                       a.groups == 1 ? "" : fmt::format(" groups {}", a.groups),
                       ToText(a.activation));
  }
  std::string operator()(const DepthwiseConv2dAttrs& a) const {
    return fmt::format("{} multiplier {}{}", ToText(a.window), a.depth_multiplier,
                       ToText(a.activation));
  }
  std::string operator()(const FullyConnectedAttrs& a) const {
    return std::string(ToText(a.activation));
  }
  std::string operator()(const BinaryAttrs& a) const { return std::string(ToText(a.activation)); }
  std::string operator()(const Pool2dAttrs& a) const {
    return fmt::format("{}{}", ToText(a.window), ToText(a.activation));
  }
  std::string operator()(const ReduceAttrs& a) const {
    return fmt::format(" axes [{}]{}", fmt::join(a.axes, ","), a.keep_dims ? " keep_dims" : "");
  }
  std::string operator()(const PadAttrs& a) const {
    return fmt::format(" before [{}] after [{}]{}", fmt::join(a.before, ","),
                       fmt::join(a.after, ","), a.value ? fmt::format(" value {}", *a.value) : "");
  }
  std::string operator()(const SoftmaxAttrs& a) const { return fmt::format(" beta {}", a.beta); }
  std::string operator()(const ConcatAttrs& a) const {
    return fmt::format(" axis {}{}", a.axis, ToText(a.activation));
  }
  std::string operator()(const StridedSliceAttrs& a) const {
    return fmt::format(" begin [{}] count [{}] stride [{}]", fmt::join(a.begin, ","),
                       fmt::join(a.count, ","), fmt::join(a.stride, ","));
  }
  std::string operator()(const TransposeAttrs& a) const {
    return fmt::format(" permutation [{}]", fmt::join(a.permutation, ","));
  }
  std::string operator()(const OffloadAttrs& a) const {
    return fmt::format(" offload {}{}{}", a.offload, a.window ? ToText(*a.window) : "",
                       ToText(a.activation));
  }
};

}  // namespace

std::string PrintGraph(const Graph& graph) {
  std::string text =
      fmt::format("graph '{}' ({})\n", DisplayName(graph.name), ToText(graph, graph.inputs));
  for (const Op& op : graph.ops) {
    fmt::format_to(std::back_inserter(text), "  {} = {}({}){}\n", ToText(graph, op.outputs),
                   OperatorName(op), ToText(graph, op.inputs),
                   std::visit(AttributesToText{}, op.attributes));
  }
  return text + fmt::format("  return {}\n", ToText(graph, graph.outputs));
}

}  // namespace usmp::ir
