#include "e2e/models.h"

#include <algorithm>
#include <cmath>

namespace usmp::testing {
namespace {

using oracle::Data;
using oracle::Model;
using oracle::Op;
using oracle::Tensor;
using oracle::Type;

// A scale that spreads the sum of `terms` products of random bytes over the output's range.
float OutScale(float in_scale, float weight_scale, int64_t terms) {
  return in_scale * weight_scale * 74.0F * 74.0F * std::sqrt(static_cast<float>(terms)) / 50.0F;
}

constexpr float kInScale = 0.05F;
constexpr float kWeightScale = 0.01F;

// Weights with a scale for each of `channels` along `axis`, or one for all.
Tensor Weights(std::vector<int32_t> shape, Type type, int32_t axis, bool per_channel, int64_t terms,
               Random& random) {
  Tensor weights = {.name = "weights", .type = type, .shape = std::move(shape)};
  if (type == Type::kFloat32) {
    const float most = 1.0F / std::sqrt(static_cast<float>(terms));
    std::vector<float> values(static_cast<size_t>(Count(weights)));
    for (float& value : values) value = random.Real(-most, most);
    weights.data = oracle::FromFloats(values);
    return weights;
  }
  const int32_t scales = per_channel ? weights.shape[static_cast<size_t>(axis)] : 1;
  weights.axis = axis;
  for (int32_t i = 0; i < scales; ++i)
    weights.scales.push_back(kWeightScale * random.Real(0.3F, 1.0F));
  weights.zero_points.assign(weights.scales.size(), 0);
  std::vector<int32_t> values(static_cast<size_t>(Count(weights)));
  for (int32_t& value : values) value = random.Int(-127, 127);
  weights.data = oracle::FromInts(weights, values);
  return weights;
}

Tensor Bias(const Tensor& weights, int32_t channels, int64_t terms, Random& random) {
  Tensor bias = {.name = "bias", .shape = {channels}};
  if (weights.type == Type::kFloat32) {
    bias.type = Type::kFloat32;
    std::vector<float> values(static_cast<size_t>(channels));
    for (float& value : values) value = random.Real(-1.0F, 1.0F);
    bias.data = oracle::FromFloats(values);
    return bias;
  }
  bias.type = Type::kInt32;
  for (float scale : weights.scales) bias.scales.push_back(kInScale * scale);
  bias.zero_points.assign(bias.scales.size(), 0);
  const auto most = static_cast<int32_t>(74 * 74 * std::sqrt(static_cast<float>(terms)));
  std::vector<int32_t> values(static_cast<size_t>(channels));
  for (int32_t& value : values) value = random.Int(-most, most);
  bias.data = oracle::FromInts(bias, values);
  return bias;
}

// Input, weights, perhaps a bias, output: what convolutions and FULLY_CONNECTED have in common.
Model Weighted(Op op, Tensor in, Tensor weights, Tensor out, int32_t channels, int64_t terms,
               bool bias, Random& random) {
  Model model = {.tensors = {std::move(in), std::move(out), std::move(weights)},
                 .inputs = {0},
                 .outputs = {1}};
  op.inputs = {0, 2, -1};
  op.outputs = {1};
  if (bias) {
    model.tensors.push_back(Bias(model.tensors[2], channels, terms, random));
    op.inputs[2] = 3;
  }
  model.ops = {std::move(op)};
  return model;
}

int32_t OutSize(int32_t size, int32_t filter, int32_t stride, int32_t dilation, bool same) {
  if (same) return (size + stride - 1) / stride;
  const int32_t covered = (filter - 1) * dilation + 1;
  return size < covered ? 0 : (size - covered) / stride + 1;
}

Op WindowOp(const WindowCase& c) {
  return {.kind = c.kind,
          .inputs = {0},
          .outputs = {1},
          .activation = c.activation,
          .same_padding = c.same,
          .stride_h = c.stride_h,
          .stride_w = c.stride_w,
          .dilation_h = c.dilation_h,
          .dilation_w = c.dilation_w,
          .filter_h = c.filter_h,
          .filter_w = c.filter_w,
          .depth_multiplier = c.depth_multiplier};
}

std::vector<int32_t> OutShape(const WindowCase& c, int32_t channels) {
  return {c.batch, OutSize(c.height, c.filter_h, c.stride_h, c.dilation_h, c.same),
          OutSize(c.width, c.filter_w, c.stride_w, c.dilation_w, c.same), channels};
}

Model ConvolutionModel(const WindowCase& c, bool depthwise, Random& random) {
  const int32_t out_channels = depthwise ? c.channels * c.depth_multiplier : c.out_channels;
  const int32_t depth = depthwise ? 1 : c.channels / c.groups;
  const int64_t terms = int64_t{c.filter_h} * c.filter_w * depth;
  const std::vector<int32_t> shape =
      depthwise ? std::vector<int32_t>{1, c.filter_h, c.filter_w, out_channels}
                : std::vector<int32_t>{out_channels, c.filter_h, c.filter_w, depth};
  const Affine out = {OutScale(kInScale, kWeightScale, terms), c.out_zero_point};
  return Weighted(
      WindowOp(c),
      Activations({c.batch, c.height, c.width, c.channels}, c.type, {kInScale, c.in_zero_point}),
      Weights(shape, c.type, depthwise ? 3 : 0, c.per_channel, terms, random),
      Activations(OutShape(c, out_channels), c.type, out), out_channels, terms, c.bias, random);
}

}  // namespace

uint32_t Random::Bits() {
  state_ = state_ * 1664525U + 1013904223U;
  return state_ >> 8;
}

int32_t Random::Int(int32_t low, int32_t high) {
  return low + static_cast<int32_t>(Bits() % static_cast<uint32_t>(high - low + 1));
}

float Random::Real(float low, float high) {
  return low + (high - low) * static_cast<float>(Bits()) / 16777216.0F;
}

Data RandomData(const Tensor& tensor, Random& random) {
  if (tensor.type == Type::kFloat32) {
    std::vector<float> values(static_cast<size_t>(Count(tensor)));
    for (float& value : values) value = random.Real(-4.0F, 4.0F);
    return oracle::FromFloats(values);
  }
  Data data(static_cast<size_t>(Bytes(tensor)));
  for (uint8_t& byte : data) byte = static_cast<uint8_t>(random.Bits() >> 12);
  return data;
}

Tensor Activations(std::vector<int32_t> shape, Type type, Affine affine) {
  Tensor tensor = {.name = "t", .type = type, .shape = std::move(shape)};
  if (type == Type::kFloat32) return tensor;
  tensor.scales = {affine.scale};
  tensor.zero_points = {affine.zero_point};
  return tensor;
}

Tensor Int32Constant(std::vector<int32_t> shape, const std::vector<int32_t>& values) {
  Tensor tensor = {.name = "parameters", .type = Type::kInt32, .shape = std::move(shape)};
  tensor.data = oracle::FromInts(tensor, values);
  return tensor;
}

bool HasOutput(const WindowCase& c) {
  const std::vector<int32_t> shape = OutShape(c, 1);
  return shape[1] > 0 && shape[2] > 0;
}

Model WindowModel(const WindowCase& c, Random& random) {
  if (c.kind == "CONV_2D") return ConvolutionModel(c, /*depthwise=*/false, random);
  if (c.kind == "DEPTHWISE_CONV_2D") return ConvolutionModel(c, /*depthwise=*/true, random);
  const Affine affine = {kInScale, c.in_zero_point};  // a pool never rescales
  return {.tensors = {Activations({c.batch, c.height, c.width, c.channels}, c.type, affine),
                      Activations(OutShape(c, c.channels), c.type, affine)},
          .ops = {WindowOp(c)},
          .inputs = {0},
          .outputs = {1}};
}

Model DenseModel(const DenseCase& c, Random& random) {
  const Affine out = {OutScale(kInScale, kWeightScale, c.depth), c.out_zero_point};
  return Weighted({.kind = "FULLY_CONNECTED", .activation = c.activation},
                  Activations({c.batch, c.depth}, c.type, {kInScale, c.in_zero_point}),
                  Weights({c.outputs, c.depth}, c.type, 0, c.per_channel, c.depth, random),
                  Activations({c.batch, c.outputs}, c.type, out), c.outputs, c.depth, c.bias,
                  random);
}

Model BinaryModel(const BinaryCase& c, Random& random) {
  const size_t rank = std::max(c.a.size(), c.b.size());
  std::vector<int32_t> shape(rank, 1);
  for (const auto* operand : {&c.a, &c.b}) {
    for (size_t d = 0; d < operand->size(); ++d) {
      int32_t& size = shape[rank - operand->size() + d];
      size = std::max(size, (*operand)[d]);
    }
  }
  Model model = {
      .tensors = {Activations(c.a, c.type, c.in_a), Activations(c.b, c.type, c.in_b),
                  Activations(shape, c.type, c.out)},
      .ops = {{.kind = c.kind, .inputs = {0, 1}, .outputs = {2}, .activation = c.activation}},
      .inputs = {0, 1},
      .outputs = {2}};
  if (c.constant_b) {
    model.tensors[1].data = RandomData(model.tensors[1], random);
    model.inputs = {0};
  }
  return model;
}

Model UnaryModel(const std::string& kind, const Tensor& in, const Tensor& out, float beta) {
  return {.tensors = {in, out},
          .ops = {{.kind = kind, .inputs = {0}, .outputs = {1}, .beta = beta}},
          .inputs = {0},
          .outputs = {1}};
}

Model MeanModel(const Tensor& in, const std::vector<int32_t>& axes, bool keep_dims, Affine out) {
  const auto rank = static_cast<int32_t>(in.shape.size());
  std::vector<int32_t> shape;
  for (int32_t d = 0; d < rank; ++d) {
    const bool reduced =
        std::ranges::any_of(axes, [&](int32_t a) { return a == d || a + rank == d; });
    if (!reduced) shape.push_back(in.shape[static_cast<size_t>(d)]);
    if (reduced && keep_dims) shape.push_back(1);
  }
  return {.tensors = {in, Int32Constant({static_cast<int32_t>(axes.size())}, axes),
                      Activations(shape, in.type, out)},
          .ops = {{.kind = "MEAN", .inputs = {0, 1}, .outputs = {2}, .keep_dims = keep_dims}},
          .inputs = {0},
          .outputs = {2}};
}

Model PadModel(const Tensor& in, const std::vector<int32_t>& paddings, const Data& value) {
  Tensor out = in;
  for (size_t d = 0; d < in.shape.size(); ++d)
    out.shape[d] += paddings[2 * d] + paddings[2 * d + 1];
  const auto rank = static_cast<int32_t>(in.shape.size());
  Model model = {.tensors = {in, Int32Constant({rank, 2}, paddings), out},
                 .ops = {{.kind = "PAD", .inputs = {0, 1}, .outputs = {2}}},
                 .inputs = {0},
                 .outputs = {2}};
  if (!value.empty()) {
    Tensor border = in;
    border.shape = {1};
    border.data = value;
    model.tensors.push_back(border);
    model.ops[0].kind = "PADV2";
    model.ops[0].inputs.push_back(3);
  }
  return model;
}

Model ConcatenationModel(const std::vector<Tensor>& in, int32_t axis) {
  const auto rank = static_cast<int32_t>(in[0].shape.size());
  const auto along = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  Tensor out = in[0];
  out.shape[along] = 0;
  Model model = {.tensors = in, .ops = {{.kind = "CONCATENATION", .axis = axis}}};
  for (size_t i = 0; i < in.size(); ++i) {
    out.shape[along] += in[i].shape[along];
    model.inputs.push_back(static_cast<int32_t>(i));
  }
  model.ops[0].inputs = model.inputs;
  model.outputs = {static_cast<int32_t>(in.size())};
  model.ops[0].outputs = model.outputs;
  model.tensors.push_back(out);
  return model;
}

}  // namespace usmp::testing
