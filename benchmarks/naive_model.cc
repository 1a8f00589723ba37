#include "naive_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "naive_kernels.h"

namespace usmp::benchmarks {
namespace {

struct Multiplier {
  int32_t value = 0;
  int32_t shift = 0;
};

// real = value / 2^31 * 2^shift, value in [2^30, 2^31).
Multiplier MultiplierOf(double real) {
  if (real == 0.0) return {};
  int exponent = 0;
  auto value = static_cast<int64_t>(std::round(std::frexp(real, &exponent) * 2147483648.0));
  if (value == int64_t{1} << 31) {
    value /= 2;
    ++exponent;
  }
  if (exponent < -31) return {};
  return {static_cast<int32_t>(value), exponent};
}

struct Range {
  int32_t min = -128, max = 127;
};

Range RangeOf(ir::Activation activation, float scale, int32_t zero_point) {
  const auto quantized = [&](float real) {
    return zero_point + static_cast<int32_t>(std::round(real / scale));
  };
  Range range;
  switch (activation) {
    case ir::Activation::kNone:
      break;
    case ir::Activation::kRelu:
      range.min = std::max(range.min, quantized(0.0F));
      break;
    case ir::Activation::kReluN1To1:
      range = {std::max(range.min, quantized(-1.0F)), std::min(range.max, quantized(1.0F))};
      break;
    case ir::Activation::kRelu6:
      range = {std::max(range.min, quantized(0.0F)), std::min(range.max, quantized(6.0F))};
      break;
  }
  return range;
}

// The scaling of a layer, with the tables that naive_scaling points to.
struct Scaling {
  naive_scaling values{};
  std::vector<int32_t> multipliers{}, shifts{};
};

naive_image ImageOf(const ir::Tensor& tensor) {
  return {tensor.shape[0], tensor.shape[1], tensor.shape[2], tensor.shape[3]};
}

naive_window WindowOf(const ir::Window2d& w) {
  return {w.kernel_h,   w.kernel_w,   w.stride_h,    w.stride_w,
          w.dilation_h, w.dilation_w, w.padding.top, w.padding.left};
}

bool IsInt8(const ir::Tensor& tensor) {
  return tensor.dtype == ir::DType::kInt8 && tensor.quantization.scales.size() == 1;
}

}  // namespace

// Turns a graph's operators into the steps of a NaiveModel.
class Preparation {
 public:
  explicit Preparation(const ir::Graph& graph) : graph_(graph) {
    for (const ir::Tensor& tensor : graph.tensors) {
      model_.tensors_.push_back(
          tensor.data ? *tensor.data
                      : std::vector<uint8_t>(static_cast<size_t>(ir::ByteSize(tensor))));
    }
    for (ir::TensorId id : graph.inputs) model_.inputs_.push_back(static_cast<size_t>(id));
    for (ir::TensorId id : graph.outputs) model_.outputs_.push_back(static_cast<size_t>(id));
  }

  bool Add(const ir::Op& op) {
    op_ = &op;
    if (op.kind == ir::OpKind::kReshape) return Reshape();
    if (!IsInt8(In(0)) || !IsInt8(Out())) return false;
    switch (op.kind) {
      case ir::OpKind::kConv2d:
        return Conv();
      case ir::OpKind::kDepthwiseConv2d:
        return Depthwise();
      case ir::OpKind::kFullyConnected:
        return FullyConnected();
      case ir::OpKind::kAdd:
        return Add();
      case ir::OpKind::kAveragePool2d:
      case ir::OpKind::kMaxPool2d:
        return Pool();
      case ir::OpKind::kSoftmax:
        return Softmax();
      case ir::OpKind::kQuantize:
        return Requantize();
      default:
        return false;
    }
  }

  NaiveModel Take() { return std::move(model_); }

 private:
  const ir::Tensor& In(size_t i) const { return graph_[op_->inputs[i]]; }
  const ir::Tensor& Out() const { return graph_[op_->outputs[0]]; }
  bool HasIn(size_t i) const { return i < op_->inputs.size() && op_->inputs[i] != ir::kNoTensor; }
  template <class T>
  T* Pointer(ir::TensorId id) {
    return reinterpret_cast<T*>(model_.tensors_[static_cast<size_t>(id)].data());
  }
  const int8_t* InData(size_t i) { return Pointer<const int8_t>(op_->inputs[i]); }
  const int32_t* Bias() { return HasIn(2) ? Pointer<const int32_t>(op_->inputs[2]) : nullptr; }
  int8_t* OutData() { return Pointer<int8_t>(op_->outputs[0]); }
  void Step(std::function<void()> step) { model_.steps_.push_back(std::move(step)); }

  std::shared_ptr<Scaling> ScalingOf(ir::Activation activation, bool is_float_product) const {
    const float in = In(0).quantization.scales[0];
    const float out = Out().quantization.scales[0];
    auto scaling = std::make_shared<Scaling>();
    for (float weights : In(1).quantization.scales) {
      const double product = is_float_product ? static_cast<double>(in * weights)
                                              : static_cast<double>(in) * double{weights};
      const Multiplier m = MultiplierOf(product / double{out});
      scaling->multipliers.push_back(m.value);
      scaling->shifts.push_back(m.shift);
    }
    const int32_t zero_point = Out().quantization.zero_points[0];
    const Range range = RangeOf(activation, out, zero_point);
    scaling->values = {.in_zero_point = In(0).quantization.zero_points[0],
                       .out_zero_point = zero_point,
                       .act_min = range.min,
                       .act_max = range.max,
                       .multipliers = nullptr,
                       .shifts = nullptr};
    return scaling;
  }

  // The same, with a row for every output channel.
  std::shared_ptr<Scaling> ChannelScalingOf(ir::Activation activation, int32_t channels) const {
    auto scaling = ScalingOf(activation, false);
    if (scaling->multipliers.size() == 1) {
      scaling->multipliers.resize(static_cast<size_t>(channels), scaling->multipliers[0]);
      scaling->shifts.resize(static_cast<size_t>(channels), scaling->shifts[0]);
    }
    return WithTables(std::move(scaling));
  }

  static std::shared_ptr<Scaling> WithTables(std::shared_ptr<Scaling> scaling) {
    scaling->values.multipliers = scaling->multipliers.data();
    scaling->values.shifts = scaling->shifts.data();
    return scaling;
  }

  bool Conv() {
    const auto& attributes = std::get<ir::Conv2dAttrs>(op_->attributes);
    const naive_image in_shape = ImageOf(In(0));
    const naive_image out_shape = ImageOf(Out());
    Step([p = WindowOf(attributes.window), s = ChannelScalingOf(attributes.activation, out_shape.c),
          in_shape, out_shape, group_in = In(1).shape[3], in = InData(0), weights = InData(1),
          bias = Bias(), out = OutData()] {
      naive_conv(&p, &s->values, &in_shape, in, weights, bias, &out_shape, out, group_in);
    });
    return true;
  }

  bool Depthwise() {
    const auto& attributes = std::get<ir::DepthwiseConv2dAttrs>(op_->attributes);
    const naive_image in_shape = ImageOf(In(0));
    const naive_image out_shape = ImageOf(Out());
    Step([p = WindowOf(attributes.window), s = ChannelScalingOf(attributes.activation, out_shape.c),
          in_shape, out_shape, depth_multiplier = attributes.depth_multiplier, in = InData(0),
          weights = InData(1), bias = Bias(), out = OutData()] {
      naive_depthwise(&p, &s->values, &in_shape, in, weights, bias, &out_shape, out,
                      depth_multiplier);
    });
    return true;
  }

  bool FullyConnected() {
    if (!In(1).data) return false;
    const auto& attributes = std::get<ir::FullyConnectedAttrs>(op_->attributes);
    const int32_t outputs = In(1).shape[0];
    const int32_t depth = In(1).shape[1];
    const auto batches = static_cast<int32_t>(ir::ElementCount(In(0)) / depth);
    const bool per_tensor = In(1).quantization.scales.size() == 1;
    Step([s = WithTables(ScalingOf(attributes.activation, per_tensor)), step = per_tensor ? 0 : 1,
          batches, depth, outputs, in = InData(0), weights = InData(1), bias = Bias(),
          out = OutData()] {
      naive_fully_connected(&s->values, step, batches, depth, outputs, in, weights, bias, out);
    });
    return true;
  }

  bool Add() {
    if (!IsInt8(In(1)) || In(0).shape != In(1).shape) return false;
    const float a = In(0).quantization.scales[0];
    const float b = In(1).quantization.scales[0];
    const float out = Out().quantization.scales[0];
    const double twice_max = 2.0 * std::max(a, b);
    const Multiplier ma = MultiplierOf(a / twice_max);
    const Multiplier mb = MultiplierOf(b / twice_max);
    const Multiplier mo = MultiplierOf(twice_max / (static_cast<double>(1 << 20) * double{out}));
    const int32_t zero_point = Out().quantization.zero_points[0];
    const Range range =
        RangeOf(std::get<ir::BinaryAttrs>(op_->attributes).activation, out, zero_point);
    const naive_add_params p = {.zero_point_a = In(0).quantization.zero_points[0],
                                .zero_point_b = In(1).quantization.zero_points[0],
                                .zero_point_out = zero_point,
                                .multiplier_a = ma.value,
                                .multiplier_b = mb.value,
                                .multiplier_out = mo.value,
                                .shift_a = ma.shift,
                                .shift_b = mb.shift,
                                .shift_out = mo.shift,
                                .act_min = range.min,
                                .act_max = range.max};
    Step([p, count = static_cast<int32_t>(ir::ElementCount(Out())), in = InData(0),
          in_b = InData(1), result = OutData()] { naive_add(&p, count, in, in_b, result); });
    return true;
  }

  bool Pool() {
    const auto& attributes = std::get<ir::Pool2dAttrs>(op_->attributes);
    const Range range = RangeOf(attributes.activation, Out().quantization.scales[0],
                                Out().quantization.zero_points[0]);
    const auto kernel =
        op_->kind == ir::OpKind::kAveragePool2d ? &naive_average_pool : &naive_max_pool;
    Step([kernel, p = WindowOf(attributes.window), range, in_shape = ImageOf(In(0)),
          out_shape = ImageOf(Out()), in = InData(0),
          out = OutData()] { kernel(&p, range.min, range.max, &in_shape, in, &out_shape, out); });
    return true;
  }

  bool Softmax() {
    const double beta = std::get<ir::SoftmaxAttrs>(op_->attributes).beta;
    const double scale = beta * double{In(0).quantization.scales[0]} * (1 << 26);
    const Multiplier m = MultiplierOf(std::min(scale, 2147483647.0));
    const double radius = 31.0 * (1 << 26) / std::exp2(m.shift);
    const int32_t depth = In(0).shape.back();
    Step([m, diff_min = -static_cast<int32_t>(std::floor(radius)), depth,
          rows = static_cast<int32_t>(ir::ElementCount(In(0)) / depth), in = InData(0),
          out = OutData()] { naive_softmax(m.value, m.shift, diff_min, rows, depth, in, out); });
    return true;
  }

  bool Requantize() {
    const ir::Quantization& in = In(0).quantization;
    const ir::Quantization& out = Out().quantization;
    Step([m = MultiplierOf(double{in.scales[0]} / double{out.scales[0]}),
          in_zero_point = in.zero_points[0], out_zero_point = out.zero_points[0],
          count = static_cast<int32_t>(ir::ElementCount(Out())), data = InData(0),
          result = OutData()] {
      naive_requantize(m.value, m.shift, in_zero_point, out_zero_point, count, data, result);
    });
    return true;
  }

  bool Reshape() {
    Step([size = static_cast<size_t>(ir::ByteSize(Out())), in = InData(0), out = OutData()] {
      std::memcpy(out, in, size);
    });
    return true;
  }

  const ir::Graph& graph_;
  const ir::Op* op_ = nullptr;
  NaiveModel model_{};
};

void NaiveModel::Run() const {
  for (const auto& step : steps_) step();
}

std::optional<NaiveModel> NaiveModel::Make(const ir::Graph& graph, std::string* why) {
  Preparation preparation(graph);
  for (const ir::Op& op : graph.ops) {
    if (preparation.Add(op)) continue;
    *why = ir::Describe(graph, op);
    return std::nullopt;
  }
  return preparation.Take();
}

}  // namespace usmp::benchmarks
