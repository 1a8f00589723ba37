#include "overlap/random_operator.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "support/one_operator.h"

namespace usmp::testing {
namespace {

using Shape = std::vector<int32_t>;

ir::Tensor MakeTensor(bool is_float, Shape shape, float scale = 1.0F, int32_t zero_point = 0) {
  if (is_float) return {.dtype = ir::DType::kFloat32, .shape = std::move(shape)};
  return {.dtype = ir::DType::kInt8,
          .shape = std::move(shape),
          .quantization = {.scales = {scale}, .zero_points = {zero_point}}};
}

ir::Tensor Constant(Random& random, ir::Tensor tensor) {
  tensor.data = std::make_shared<const std::vector<uint8_t>>(RandomValues(random, tensor));
  return tensor;
}

struct Axis {
  int32_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1, before = 0;
};

// Pools have windows that are never wholly outside, and no dilation.
Axis RandomAxis(Random& random, bool is_pool) {
  Axis axis;
  do {
    axis = {.in = RandomInt(random, 1, 9),
            .kernel = RandomInt(random, 1, 3),
            .stride = RandomInt(random, 1, 2),
            .dilation = is_pool ? 1 : RandomInt(random, 1, 2)};
    const int32_t reach = (axis.kernel - 1) * axis.dilation;
    axis.before = RandomInt(random, 0, reach);
    const int32_t after = RandomInt(random, 0, reach);
    axis.out = (axis.in + axis.before + after - reach - 1) / axis.stride + 1;
    if (axis.in + axis.before + after <= reach) axis.out = 0;
  } while (axis.out < 1);
  return axis;
}

struct Spatial {
  Axis h{}, w{};
  int32_t batches = 1;

  ir::Window2d Window() const {
    return {.kernel_h = h.kernel,
            .kernel_w = w.kernel,
            .stride_h = h.stride,
            .stride_w = w.stride,
            .dilation_h = h.dilation,
            .dilation_w = w.dilation,
            .padding = {.top = h.before, .left = w.before}};
  }
  Shape In(int32_t channels) const { return {batches, h.in, w.in, channels}; }
  Shape Out(int32_t channels) const { return {batches, h.out, w.out, channels}; }
};

Spatial RandomSpatial(Random& random, bool is_pool) {
  return {RandomAxis(random, is_pool), RandomAxis(random, is_pool), RandomInt(random, 1, 2)};
}

float SumScale(int64_t taps) { return 100.0F * std::sqrt(static_cast<float>(taps)); }

template <bool kIsFloat>
ir::Graph Convolution(Random& random) {
  Spatial s = RandomSpatial(random, /*is_pool=*/false);
  if (RandomInt(random, 0, 3) == 0) {
    s.h = {.in = s.h.in, .out = s.h.in};
    s.w = {.in = s.w.in, .out = s.w.in};
  }
  const int32_t groups = RandomInt(random, 0, 3) == 0 ? RandomInt(random, 2, 3) : 1;
  const int32_t group_in = RandomInt(random, 1, 9);
  const int32_t out = groups * RandomInt(random, 1, 11);
  const Shape weights{out, s.h.kernel, s.w.kernel, group_in};
  const float scale = SumScale(int64_t{s.h.kernel} * s.w.kernel * group_in);
  return OneOperator(ir::OpKind::kConv2d,
                     {MakeTensor(kIsFloat, s.In(groups * group_in)),
                      Constant(random, MakeTensor(kIsFloat, weights))},
                     MakeTensor(kIsFloat, s.Out(out), scale),
                     ir::Conv2dAttrs{.window = s.Window(), .groups = groups});
}

template <bool kIsFloat>
ir::Graph Depthwise(Random& random) {
  const Spatial s = RandomSpatial(random, /*is_pool=*/false);
  const int32_t multiplier = RandomInt(random, 0, 3) == 0 ? RandomInt(random, 2, 3) : 1;
  const int32_t channels = RandomInt(random, 1, 19);
  const Shape weights{1, s.h.kernel, s.w.kernel, channels * multiplier};
  const float scale = SumScale(int64_t{s.h.kernel} * s.w.kernel);
  return OneOperator(
      ir::OpKind::kDepthwiseConv2d,
      {MakeTensor(kIsFloat, s.In(channels)), Constant(random, MakeTensor(kIsFloat, weights))},
      MakeTensor(kIsFloat, s.Out(channels * multiplier), scale),
      ir::DepthwiseConv2dAttrs{.window = s.Window(), .depth_multiplier = multiplier});
}

template <bool kIsFloat, ir::OpKind kKind>
ir::Graph Pool(Random& random) {
  Spatial s = RandomSpatial(random, /*is_pool=*/true);
  s.h.before = s.w.before = 0;
  s.h.out = (s.h.in - s.h.kernel) / s.h.stride + 1;
  s.w.out = (s.w.in - s.w.kernel) / s.w.stride + 1;
  if (s.h.in < s.h.kernel || s.w.in < s.w.kernel) return Pool<kIsFloat, kKind>(random);
  if (RandomInt(random, 0, 1) == 0) {  // a border that every window leaves
    s.h = {.in = s.h.in, .out = s.h.in, .kernel = 3, .before = 1};
    s.w = {.in = s.w.in, .out = s.w.in, .kernel = 3, .before = 1};
  }
  const int32_t channels =
      RandomInt(random, 0, 3) == 0 ? RandomInt(random, 60, 140) : RandomInt(random, 1, 40);
  return OneOperator(kKind, {MakeTensor(kIsFloat, s.In(channels))},
                     MakeTensor(kIsFloat, s.Out(channels)), ir::Pool2dAttrs{.window = s.Window()});
}

// Any shape of more elements than a vector has, the innermost dimension longer than 1.
Shape RandomShape(Random& random, int max_rank, int max_extent) {
  Shape shape(static_cast<size_t>(RandomInt(random, 1, max_rank)));
  int64_t count = 1;
  for (int32_t& extent : shape) count *= extent = RandomInt(random, 1, max_extent);
  return count > 4 && shape.back() > 1 ? shape : RandomShape(random, max_rank, max_extent);
}

template <bool kIsFloat, ir::OpKind kKind>
ir::Graph Binary(Random& random) {
  const Shape out = RandomShape(random, 4, 5);
  Shape shapes[2] = {out, out};
  if (RandomInt(random, 0, 1) == 0) {
    for (int32_t& extent : shapes[RandomInt(random, 0, 1)]) {
      if (RandomInt(random, 0, 1) == 0) extent = 1;
    }
  }
  const float scale = kKind == ir::OpKind::kMul ? 100.0F : 1.5F;
  return OneOperator(kKind, {MakeTensor(kIsFloat, shapes[0]), MakeTensor(kIsFloat, shapes[1])},
                     MakeTensor(kIsFloat, out, scale), ir::BinaryAttrs{});
}

template <bool kIsFloat, ir::OpKind kKind>
ir::Graph Unary(Random& random) {
  const Shape shape = RandomShape(random, 3, 7);
  ir::Tensor output = MakeTensor(kIsFloat, shape, 0.9F);
  float in_scale = 1.0F;
  if (kKind == ir::OpKind::kLogistic) {
    output = MakeTensor(kIsFloat, shape, 1.0F / 256, -128);
    in_scale = 0.03F;
  }
  if (kKind == ir::OpKind::kTanh) {
    output = MakeTensor(kIsFloat, shape, 1.0F / 128);
    in_scale = 0.02F;
  }
  return OneOperator(kKind, {MakeTensor(kIsFloat, shape, in_scale)}, output, ir::NoAttrs{});
}

template <bool kIsFloat>
ir::Graph Softmax(Random& random) {
  const Shape shape = RandomShape(random, 3, 9);
  return OneOperator(ir::OpKind::kSoftmax, {MakeTensor(kIsFloat, shape, 0.01F)},
                     MakeTensor(kIsFloat, shape, 1.0F / 256, -128), ir::SoftmaxAttrs{});
}

template <bool kFromFloat, bool kToFloat, ir::OpKind kKind>
ir::Graph Convert(Random& random) {
  const Shape shape = RandomShape(random, 3, 7);
  return OneOperator(kKind, {MakeTensor(kFromFloat, shape)},
                     MakeTensor(kToFloat, shape, kFromFloat ? 0.02F : 1.1F), ir::NoAttrs{});
}

template <bool kIsFloat>
ir::Graph Mean(Random& random) {
  Shape shape = RandomShape(random, 4, 6);
  if (RandomInt(random, 0, 2) == 0) shape.back() = RandomInt(random, 10, 50);
  Shape out = shape;
  ir::ReduceAttrs attributes{.keep_dims = true};
  float elements = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (RandomInt(random, 0, 1) == 0) continue;
    attributes.axes.push_back(static_cast<int32_t>(d));
    out[d] = 1;
    elements *= static_cast<float>(shape[d]);
  }
  return OneOperator(ir::OpKind::kMean, {MakeTensor(kIsFloat, shape)},
                     MakeTensor(kIsFloat, out, 1.0F / std::sqrt(elements)), attributes);
}

template <bool kIsFloat>
ir::Graph Pad(Random& random) {
  const Shape shape = RandomShape(random, 4, 5);
  Shape out = shape;
  ir::PadAttrs attributes;
  for (int32_t& extent : out) {
    attributes.before.push_back(RandomInt(random, 0, 1) * RandomInt(random, 0, 2));
    attributes.after.push_back(RandomInt(random, 0, 1) * RandomInt(random, 0, 2));
    extent += attributes.before.back() + attributes.after.back();
  }
  return OneOperator(ir::OpKind::kPad, {MakeTensor(kIsFloat, shape)}, MakeTensor(kIsFloat, out),
                     attributes);
}

template <bool kIsFloat>
ir::Graph Concatenation(Random& random) {
  const Shape shape = RandomShape(random, 3, 5);
  const int32_t axis = RandomInt(random, 0, static_cast<int>(shape.size()) - 1);
  std::vector<ir::Tensor> inputs;
  Shape out = shape;
  out[static_cast<size_t>(axis)] = 0;
  for (int i = RandomInt(random, 1, 3); i > 0; --i) {
    Shape part = shape;
    part[static_cast<size_t>(axis)] = RandomInt(random, 1, 4);
    out[static_cast<size_t>(axis)] += part[static_cast<size_t>(axis)];
    inputs.push_back(MakeTensor(kIsFloat, part));
  }
  return OneOperator(ir::OpKind::kConcatenation, inputs, MakeTensor(kIsFloat, out),
                     ir::ConcatAttrs{.axis = axis});
}

template <bool kIsFloat>
ir::Graph StridedSlice(Random& random) {
  const Shape shape = RandomShape(random, 4, 6);
  ir::StridedSliceAttrs attributes;
  for (int32_t extent : shape) {
    const int32_t stride = RandomInt(random, 0, 2) == 0 ? RandomInt(random, 1, extent) : 1;
    attributes.begin.push_back(RandomInt(random, 0, 1) * RandomInt(random, 0, extent - 1));
    const int32_t most = (extent - 1 - attributes.begin.back()) / stride + 1;
    attributes.count.push_back(RandomInt(random, 0, 1) == 0 ? most : RandomInt(random, 1, most));
    attributes.stride.push_back(stride);
  }
  const Shape out = attributes.count;
  return OneOperator(ir::OpKind::kStridedSlice, {MakeTensor(kIsFloat, shape)},
                     MakeTensor(kIsFloat, out), attributes);
}

template <bool kIsFloat>
ir::Graph FullyConnected(Random& random) {
  const int32_t in = RandomInt(random, 1, 12);
  const int32_t out = RandomInt(random, 1, 9);
  const int32_t batches = RandomInt(random, 1, 6);
  return OneOperator(
      ir::OpKind::kFullyConnected,
      {MakeTensor(kIsFloat, {batches, in}), Constant(random, MakeTensor(kIsFloat, {out, in}))},
      MakeTensor(kIsFloat, {batches, out}, SumScale(in)), ir::FullyConnectedAttrs{});
}

}  // namespace

int RandomInt(Random& random, int low, int high) {
  return low + static_cast<int>(random() % (static_cast<uint32_t>(high - low) + 1U));
}

const std::vector<OperatorFamily>& OperatorFamilies() {
  using enum ir::OpKind;
  static const std::vector<OperatorFamily> kFamilies = {
      {"ConvolutionInt8", Convolution<false>},
      {"ConvolutionFloat32", Convolution<true>},
      {"DepthwiseInt8", Depthwise<false>},
      {"DepthwiseFloat32", Depthwise<true>},
      {"FullyConnectedInt8", FullyConnected<false>},
      {"FullyConnectedFloat32", FullyConnected<true>},
      {"AveragePoolInt8", Pool<false, kAveragePool2d>},
      {"AveragePoolFloat32", Pool<true, kAveragePool2d>},
      {"MaxPoolInt8", Pool<false, kMaxPool2d>},
      {"MaxPoolFloat32", Pool<true, kMaxPool2d>},
      {"AddInt8", Binary<false, kAdd>},
      {"SubFloat32", Binary<true, kSub>},
      {"MulInt8", Binary<false, kMul>},
      {"MulFloat32", Binary<true, kMul>},
      {"ReluInt8", Unary<false, kRelu>},
      {"ReluFloat32", Unary<true, kRelu>},
      {"Relu6Float32", Unary<true, kRelu6>},
      {"LogisticInt8", Unary<false, kLogistic>},
      {"LogisticFloat32", Unary<true, kLogistic>},
      {"TanhInt8", Unary<false, kTanh>},
      {"TanhFloat32", Unary<true, kTanh>},
      {"SoftmaxInt8", Softmax<false>, /*tolerates_damage=*/false},
      {"SoftmaxFloat32", Softmax<true>},
      {"QuantizeFloat32", Convert<true, false, kQuantize>},
      {"QuantizeInt8", Convert<false, false, kQuantize>},
      {"Dequantize", Convert<false, true, kDequantize>},
      {"MeanInt8", Mean<false>},
      {"MeanFloat32", Mean<true>},
      {"PadInt8", Pad<false>},
      {"PadFloat32", Pad<true>},
      {"StridedSliceInt8", StridedSlice<false>},
      {"StridedSliceFloat32", StridedSlice<true>},
      {"ConcatenationInt8", Concatenation<false>},
      {"ConcatenationFloat32", Concatenation<true>},
  };
  return kFamilies;
}

std::vector<uint8_t> RandomValues(Random& random, const ir::Tensor& tensor) {
  std::vector<uint8_t> bytes(static_cast<size_t>(ByteSize(tensor)));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() >> 24);
  if (tensor.dtype != ir::DType::kFloat32) return bytes;
  for (size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
    const float value = static_cast<float>(RandomInt(random, -1000, 1000)) / 512.0F;
    std::memcpy(&bytes[i], &value, sizeof value);
  }
  return bytes;
}

}  // namespace usmp::testing
