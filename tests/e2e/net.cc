#include "e2e/net.h"

#include <algorithm>

namespace usmp::testing {
namespace {

using oracle::Model;
using oracle::Op;
using oracle::Tensor;

// Every tensor between operators has the same scale and zero point: they can be added and joined
// freely.
constexpr Affine kAffine = {0.05F, 3};

}  // namespace

int32_t Net::Input(const std::vector<int32_t>& shape, const std::string& name) {
  Tensor tensor = Activations(shape, type_, kAffine);
  tensor.name = name;
  model_.tensors.push_back(tensor);
  model_.inputs.push_back(static_cast<int32_t>(model_.tensors.size()) - 1);
  return model_.inputs.back();
}

int32_t Net::Constant(const std::vector<int32_t>& shape) {
  Tensor tensor = Activations(shape, type_, kAffine);
  tensor.data = RandomData(tensor, random_);
  model_.tensors.push_back(tensor);
  return static_cast<int32_t>(model_.tensors.size()) - 1;
}

int32_t Net::Graft(const Model& single, const std::vector<int32_t>& operands) {
  std::vector<int32_t> renumbered;
  for (size_t i = 0; i < single.tensors.size(); ++i) {
    const auto input = std::ranges::find(single.inputs, static_cast<int32_t>(i));
    if (input != single.inputs.end()) {
      renumbered.push_back(operands[static_cast<size_t>(input - single.inputs.begin())]);
      continue;
    }
    renumbered.push_back(static_cast<int32_t>(model_.tensors.size()));
    model_.tensors.push_back(single.tensors[i]);
  }
  Op op = single.ops[0];
  for (int32_t& input : op.inputs) input = input < 0 ? -1 : renumbered[static_cast<size_t>(input)];
  op.outputs = {renumbered[static_cast<size_t>(op.outputs[0])]};
  model_.ops.push_back(op);
  Tensor& result = model_.tensors[static_cast<size_t>(op.outputs[0])];
  const bool has_own_scale = op.kind == "SOFTMAX" || op.kind == "LOGISTIC" || op.kind == "TANH";
  if (!result.scales.empty() && !has_own_scale) {
    result.scales = {kAffine.scale};
    result.zero_points = {kAffine.zero_point};
  }
  return op.outputs[0];
}

int32_t Net::Conv(int32_t x, int32_t channels, int32_t filter, int32_t stride) {
  const std::vector<int32_t> shape = ShapeOf(x);
  return Graft(WindowModel({.type = type_,
                            .batch = shape[0],
                            .height = shape[1],
                            .width = shape[2],
                            .channels = shape[3],
                            .out_channels = channels,
                            .filter_h = filter,
                            .filter_w = filter,
                            .stride_h = stride,
                            .stride_w = stride,
                            .same = true,
                            .activation = oracle::Activation::kRelu},
                           random_),
               {x});
}

int32_t Net::Depthwise(int32_t x, int32_t filter) {
  const std::vector<int32_t> shape = ShapeOf(x);
  return Graft(WindowModel({.kind = "DEPTHWISE_CONV_2D",
                            .type = type_,
                            .batch = shape[0],
                            .height = shape[1],
                            .width = shape[2],
                            .channels = shape[3],
                            .filter_h = filter,
                            .filter_w = filter,
                            .same = true},
                           random_),
               {x});
}

int32_t Net::Dense(int32_t x, int32_t outputs) {
  const std::vector<int32_t> shape = ShapeOf(x);
  return Graft(DenseModel({.type = type_, .batch = shape[0], .depth = shape[1], .outputs = outputs},
                          random_),
               {x});
}

int32_t Net::Binary(const std::string& kind, int32_t a, int32_t b) {
  return Graft(
      BinaryModel({.kind = kind, .type = type_, .a = ShapeOf(a), .b = ShapeOf(b)}, random_),
      {a, b});
}

int32_t Net::Unary(const std::string& kind, int32_t x) {
  Affine out = kAffine;
  if (kind == "SOFTMAX" || kind == "LOGISTIC") out = {1.0F / 256, -128};
  if (kind == "TANH") out = {1.0F / 128, 0};
  const std::vector<int32_t> shape = ShapeOf(x);
  return Graft(UnaryModel(kind, Activations(shape, type_), Activations(shape, type_, out)), {x});
}

int32_t Net::Pool(const std::string& kind, int32_t x, int32_t filter, int32_t stride) {
  const std::vector<int32_t> shape = ShapeOf(x);
  return Graft(WindowModel({.kind = kind,
                            .type = type_,
                            .batch = shape[0],
                            .height = shape[1],
                            .width = shape[2],
                            .channels = shape[3],
                            .filter_h = filter,
                            .filter_w = filter,
                            .stride_h = stride,
                            .stride_w = stride},
                           random_),
               {x});
}

int32_t Net::Reshape(int32_t x, const std::vector<int32_t>& shape) {
  Model single = UnaryModel("RESHAPE", Activations(ShapeOf(x), type_), Activations(shape, type_));
  single.tensors.push_back(Int32Constant({static_cast<int32_t>(shape.size())}, shape));
  single.ops[0].inputs.push_back(2);
  return Graft(single, {x});
}

int32_t Net::Squeeze(int32_t x) {
  std::vector<int32_t> shape;
  for (int32_t d : ShapeOf(x)) {
    if (d != 1) shape.push_back(d);
  }
  return Graft(UnaryModel("SQUEEZE", Activations(ShapeOf(x), type_), Activations(shape, type_)),
               {x});
}

int32_t Net::ExpandDims(int32_t x, int32_t axis) {
  std::vector<int32_t> shape = ShapeOf(x);
  shape.insert(shape.begin() + axis, 1);
  Model single =
      UnaryModel("EXPAND_DIMS", Activations(ShapeOf(x), type_), Activations(shape, type_));
  single.tensors.push_back(Int32Constant({1}, {axis}));
  single.ops[0].inputs.push_back(2);
  return Graft(single, {x});
}

int32_t Net::Concat(const std::vector<int32_t>& parts, int32_t axis) {
  std::vector<Tensor> tensors;
  for (int32_t part : parts) tensors.push_back(Activations(ShapeOf(part), type_));
  return Graft(ConcatenationModel(tensors, axis), parts);
}

int32_t Net::Slice(int32_t x, const std::vector<int32_t>& begin, const std::vector<int32_t>& size) {
  const auto rank = static_cast<int32_t>(begin.size());
  return Graft({.tensors = {Activations(ShapeOf(x), type_), Int32Constant({rank}, begin),
                            Int32Constant({rank}, size), Activations(size, type_)},
                .ops = {{.kind = "SLICE", .inputs = {0, 1, 2}, .outputs = {3}}},
                .inputs = {0},
                .outputs = {3}},
               {x});
}

int32_t Net::Pad(int32_t x, int32_t border) {
  return Graft(
      PadModel(Activations(ShapeOf(x), type_), {0, 0, border, border, border, border, 0, 0}), {x});
}

const std::vector<int32_t>& Net::ShapeOf(int32_t tensor) const {
  return model_.tensors[static_cast<size_t>(tensor)].shape;
}

void Net::Rename(int32_t tensor, const std::string& name) {
  model_.tensors[static_cast<size_t>(tensor)].name = name;
}

Model Net::Finish(const std::vector<int32_t>& outputs) {
  model_.outputs = outputs;
  return model_;
}

Model RandomNet(oracle::Type type, uint32_t seed) {
  Net net(type, seed);
  Random random(seed * 77);
  std::vector<int32_t> tensors = {net.Input({1, 4, 5, 3}), net.Input({1, 4, 5, 3}, "second")};
  std::vector<int32_t> outputs;
  const auto any = [&] { return tensors[random.Bits() % tensors.size()]; };
  for (int i = 0; i < 12; ++i) {
    const char* const binaries[] = {"ADD", "SUB", "MUL"};
    switch (random.Int(0, 6)) {
      case 0:
        tensors.push_back(net.Conv(any(), 3, 3));
        break;
      case 1:
        tensors.push_back(net.Depthwise(any(), 3));
        break;
      case 2:
        tensors.push_back(net.Binary(binaries[random.Int(0, 2)], any(), any()));
        break;
      case 3:
        tensors.push_back(net.Unary("RELU", any()));
        break;
      case 4:
        tensors.push_back(net.Pool("MAX_POOL_2D", net.Pad(any(), 1), 3, 1));
        break;
      case 5:
        tensors.push_back(net.Conv(net.Concat({any(), any(), any()}, 3), 3, 1));
        break;
      default:
        tensors.push_back(net.Reshape(net.Reshape(any(), {60}), {1, 4, 5, 3}));
        break;
    }
    if (random.Int(0, 5) == 0) outputs.push_back(tensors.back());
  }
  outputs.push_back(tensors.back());
  return net.Finish(outputs);
}

}  // namespace usmp::testing
