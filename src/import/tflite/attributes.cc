// The operators of the file, one function for each kind of option table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "import/tflite/op_reader.h"
#include "import/tflite/slices.h"

namespace usmp::import::tflite {
namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();

template <class Options>
ir::Window2d Strides(const Options& options) {
  return {.stride_h = options.stride_h(), .stride_w = options.stride_w()};
}

void MissingOptions(OpReader& reader) {
  reader.Broken("it has no option table, which would hold its stride and padding");
}

// Kernel size and dilation of a convolution. False: reported.
template <class Options>
bool ReadConvWindow(OpReader& reader, const Options& options, ir::Window2d& window) {
  const std::vector<int32_t>& weights = reader.Input(1).shape;
  if (weights.size() != 4) {
    reader.Broken(fmt::format("its weights must have 4 dimensions, but have shape [{}]",
                              fmt::join(weights, ",")));
    return false;
  }
  window = Strides(options);
  window.kernel_h = weights[1];
  window.kernel_w = weights[2];
  window.dilation_h = options.dilation_h();
  window.dilation_w = options.dilation_w();
  return reader.SetPadding(options.padding(), window);
}

// Channels of operand 0, and how many of `unit` they are. Absent: reported.
std::optional<int32_t> ChannelRatio(OpReader& reader, int32_t numerator, int32_t denominator) {
  if (denominator > 0 && numerator > 0 && numerator % denominator == 0) {
    return numerator / denominator;
  }
  reader.Broken(fmt::format("its weights of shape [{}] do not fit its input of shape [{}]",
                            fmt::join(reader.Input(1).shape, ","),
                            fmt::join(reader.Input(0).shape, ",")));
  return std::nullopt;
}

int32_t LastDimension(const ir::Tensor& tensor) {
  return tensor.shape.empty() ? 0 : tensor.shape.back();
}

void ReadConv2d(OpReader& reader) {
  const auto* options = reader.Options<file::Conv2DOptions>();
  if (options == nullptr) return reader.failed() ? void() : MissingOptions(reader);
  ir::Conv2dAttrs attributes;
  const auto activation = reader.ReadActivation(options->activation());
  if (!ReadConvWindow(reader, *options, attributes.window) || !activation) return;
  const auto groups =
      ChannelRatio(reader, LastDimension(reader.Input(0)), LastDimension(reader.Input(1)));
  if (!groups) return;
  attributes.groups = *groups;
  attributes.activation = *activation;
  reader.op().attributes = attributes;
}

void ReadDepthwiseConv2d(OpReader& reader) {
  const auto* options = reader.Options<file::DepthwiseConv2DOptions>();
  if (options == nullptr) return reader.failed() ? void() : MissingOptions(reader);
  ir::DepthwiseConv2dAttrs attributes;
  const auto activation = reader.ReadActivation(options->activation());
  if (!ReadConvWindow(reader, *options, attributes.window) || !activation) return;
  const auto multiplier =
      ChannelRatio(reader, LastDimension(reader.Input(1)), LastDimension(reader.Input(0)));
  if (!multiplier) return;
  attributes.depth_multiplier = *multiplier;
  attributes.activation = *activation;
  reader.op().attributes = attributes;
}

void ReadPool2d(OpReader& reader) {
  const auto* options = reader.Options<file::Pool2DOptions>();
  if (options == nullptr) return reader.failed() ? void() : MissingOptions(reader);
  ir::Pool2dAttrs attributes{.window = Strides(*options)};
  attributes.window.kernel_h = options->filter_h();
  attributes.window.kernel_w = options->filter_w();
  const auto activation = reader.ReadActivation(options->activation());
  if (!reader.SetPadding(options->padding(), attributes.window) || !activation) return;
  attributes.activation = *activation;
  reader.op().attributes = attributes;
}

void ReadFullyConnected(OpReader& reader) {
  ir::FullyConnectedAttrs attributes;
  if (const auto* options = reader.Options<file::FullyConnectedOptions>()) {
    if (options->weights_format() != file::WeightsFormat::DEFAULT) {
      reader.Unsupported("its weights are shuffled; only the default order is supported");
    }
    const auto activation = reader.ReadActivation(options->activation());
    if (!activation) return;
    attributes.activation = *activation;
    attributes.keep_num_dims = options->keep_num_dims();
  }
  reader.op().attributes = attributes;
}

template <class Options>
void ReadBinary(OpReader& reader) {
  ir::BinaryAttrs attributes;
  if (const auto* options = reader.Options<Options>()) {
    const auto activation = reader.ReadActivation(options->activation());
    if (!activation) return;
    attributes.activation = *activation;
  }
  reader.op().attributes = attributes;
}

void ReadMean(OpReader& reader) {
  const auto axes = reader.ConstantIntegers(1, "axes");
  if (!axes) return;
  ir::ReduceAttrs attributes;
  if (const auto* options = reader.Options<file::ReducerOptions>()) {
    attributes.keep_dims = options->keep_dims();
  }
  for (int64_t axis : *axes) {
    const auto dimension = reader.ReadAxis(axis, reader.Input(0).shape.size());
    if (!dimension) return;
    attributes.axes.push_back(*dimension);
  }
  auto& axes_read = attributes.axes;
  std::ranges::sort(axes_read);
  axes_read.erase(std::unique(axes_read.begin(), axes_read.end()), axes_read.end());
  reader.op().attributes = attributes;
}

// The one element of a constant, as a number; integers as they are stored.
std::optional<double> ConstantNumber(OpReader& reader, size_t index) {
  const ir::Tensor& tensor = reader.Input(index);
  if (tensor.data == nullptr) {
    reader.Unsupported("its padding value is computed at run time; it must be constant");
    return std::nullopt;
  }
  if (ir::ElementCount(tensor) != 1) {
    reader.Broken(fmt::format("its padding value has shape [{}] instead of one element",
                              fmt::join(tensor.shape, ",")));
    return std::nullopt;
  }
  const uint8_t* bytes = tensor.data->data();
  const auto read = [&](auto value) {
    std::memcpy(&value, bytes, sizeof(value));
    return static_cast<double>(value);
  };
  switch (tensor.dtype) {
    case ir::DType::kFloat32:
      return read(float{});
    case ir::DType::kInt8:
      return read(int8_t{});
    case ir::DType::kUInt8:
      return read(uint8_t{});
    case ir::DType::kInt16:
      return read(int16_t{});
    case ir::DType::kInt32:
      return read(int32_t{});
    default:
      break;
  }
  reader.Unsupported(
      fmt::format("its padding value has type {}, which is not supported", ir::Name(tensor.dtype)));
  return std::nullopt;
}

void ReadPad(OpReader& reader) {
  const auto paddings = reader.ConstantIntegers(1, "paddings");
  if (!paddings) return;
  const size_t rank = reader.Input(0).shape.size();
  ir::PadAttrs attributes;
  if (paddings->size() != 2 * rank) {
    return reader.Broken(fmt::format("it has {} paddings for {} dimensions instead of {}",
                                     paddings->size(), rank, 2 * rank));
  }
  for (size_t i = 0; i < paddings->size(); ++i) {
    const int64_t value = (*paddings)[i];
    if (value < 0 || value > kInt32Max) {
      return reader.Broken(fmt::format("its padding {} is not possible", value));
    }
    (i % 2 == 0 ? attributes.before : attributes.after).push_back(static_cast<int32_t>(value));
  }
  if (reader.HasInput(2)) {
    if (reader.Input(2).dtype != reader.Input(0).dtype) {
      return reader.Broken(fmt::format("its padding value is {}, but its input is {}",
                                       ir::Name(reader.Input(2).dtype),
                                       ir::Name(reader.Input(0).dtype)));
    }
    attributes.value = ConstantNumber(reader, 2);
    if (!attributes.value) return;
  }
  reader.op().attributes = attributes;
}

void ReadSoftmax(OpReader& reader) {
  ir::SoftmaxAttrs attributes;
  if (const auto* options = reader.Options<file::SoftmaxOptions>()) {
    attributes.beta = options->beta();
    if (!std::isfinite(attributes.beta)) {
      return reader.Broken(fmt::format("its beta is {}", attributes.beta));
    }
  }
  reader.op().attributes = attributes;
}

void ReadConcatenation(OpReader& reader) {
  ir::ConcatAttrs attributes;
  int32_t axis = 0;
  if (const auto* options = reader.Options<file::ConcatenationOptions>()) {
    axis = options->axis();
    const auto activation = reader.ReadActivation(options->activation());
    if (!activation) return;
    attributes.activation = *activation;
  }
  const auto dimension = reader.ReadAxis(axis, reader.Input(0).shape.size());
  if (!dimension) return;
  attributes.axis = *dimension;
  reader.op().attributes = attributes;
}

// A wanted shape with at most one -1, which takes what is left of `elements`.
void SetReshapeTarget(OpReader& reader, const std::vector<int64_t>& wanted, int64_t elements) {
  std::vector<int32_t> shape;
  int64_t known = 1;
  std::optional<size_t> open;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == -1 && !open) {
      open = i;
      shape.push_back(1);
      continue;
    }
    if (wanted[i] < 0 || wanted[i] > kInt32Max ||
        (wanted[i] > 0 && known > ir::kMaxTensorBytes / wanted[i])) {
      return reader.Broken(
          fmt::format("its new shape [{}] is not possible", fmt::join(wanted, ",")));
    }
    known *= wanted[i];
    shape.push_back(static_cast<int32_t>(wanted[i]));
  }
  if (open) {
    if (known == 0 || elements % known != 0) {
      return reader.Broken(fmt::format("its new shape [{}] does not fit {} elements",
                                       fmt::join(wanted, ","), elements));
    }
    shape[*open] = static_cast<int32_t>(elements / known);
  }
  reader.SetOutputShape(std::move(shape));
}

void ReadReshape(OpReader& reader) {
  const auto* options = reader.Options<file::ReshapeOptions>();
  if (reader.failed() || !reader.infers_shapes()) return;  // the file's output shape is the target
  const int64_t elements = ir::ElementCount(reader.Input(0));
  if (reader.HasInput(1) && reader.Input(1).data != nullptr) {
    if (const auto wanted = reader.ConstantIntegers(1, "new shape")) {
      SetReshapeTarget(reader, *wanted, elements);
    }
  } else if (!reader.HasInput(1) && options != nullptr && options->new_shape() != nullptr) {
    SetReshapeTarget(reader, {options->new_shape()->begin(), options->new_shape()->end()},
                     elements);
  } else if (reader.output_has_unknown_size()) {
    // Computed from the input's shape at run time. With every unknown dimension 1, which is what
    // the batch is, the file's shape may be right.
    if (ir::ElementCount(reader.Output()) != elements) {
      reader.Unsupported("its new shape is computed at run time; it must be constant");
    } else {
      reader.SetOutputShape(reader.Output().shape);
    }
  }
}

void ReadSqueeze(OpReader& reader) {
  const auto* options = reader.Options<file::SqueezeOptions>();
  if (reader.failed() || !reader.infers_shapes()) return;
  const std::vector<int32_t>& in = reader.Input(0).shape;
  std::vector<bool> removed(in.size());
  if (options != nullptr && options->squeeze_dims() != nullptr &&
      options->squeeze_dims()->size() > 0) {
    for (int32_t axis : *options->squeeze_dims()) {
      const auto dimension = reader.ReadAxis(axis, in.size());
      if (!dimension) return;
      removed[*dimension] = true;
    }
  } else {
    for (size_t i = 0; i < in.size(); ++i) removed[i] = in[i] == 1;
  }
  std::vector<int32_t> shape;
  for (size_t i = 0; i < in.size(); ++i) {
    if (removed[i] && in[i] != 1) {
      return reader.Broken(fmt::format("it removes dimension {} of shape [{}], which is not 1", i,
                                       fmt::join(in, ",")));
    }
    if (!removed[i]) shape.push_back(in[i]);
  }
  reader.SetOutputShape(std::move(shape));
}

void ReadExpandDims(OpReader& reader) {
  if (!reader.infers_shapes()) return;
  const auto axes = reader.ConstantIntegers(1, "axis");
  if (!axes) return;
  if (axes->size() != 1) {
    return reader.Broken(fmt::format("its axis has {} elements instead of 1", axes->size()));
  }
  std::vector<int32_t> shape = reader.Input(0).shape;
  const auto dimension = reader.ReadAxis(axes->front(), shape.size() + 1);
  if (!dimension) return;
  shape.insert(shape.begin() + *dimension, 1);
  reader.SetOutputShape(std::move(shape));
}

// The axis along which PACK inserts a dimension.
void ReadPack(OpReader& reader) {
  int32_t axis = 0;
  if (const auto* options = reader.Options<file::PackOptions>()) axis = options->axis();
  const size_t rank = reader.Input(0).shape.size();
  const auto dimension = reader.ReadAxis(axis, rank + 1);
  if (!dimension) return;
  for (size_t i = 0; i < reader.op().inputs.size(); ++i) {
    if (reader.Input(i).shape.size() != rank) {
      return reader.Broken(fmt::format("its input {} of shape [{}] has another rank than its first",
                                       i, fmt::join(reader.Input(i).shape, ",")));
    }
  }
  for (size_t i = 0; i < reader.op().inputs.size(); ++i) reader.InsertDimension(i, *dimension);
  reader.op().attributes = ir::ConcatAttrs{.axis = *dimension};
}

using file::BuiltinOperator;
using ir::OpKind;

constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();

constexpr OperatorMapping kMappings[] = {
    {BuiltinOperator::CONV_2D, OpKind::kConv2d, 2, 3, 3, ReadConv2d},
    {BuiltinOperator::DEPTHWISE_CONV_2D, OpKind::kDepthwiseConv2d, 2, 3, 3, ReadDepthwiseConv2d},
    {BuiltinOperator::FULLY_CONNECTED, OpKind::kFullyConnected, 2, 3, 3, ReadFullyConnected},
    {BuiltinOperator::ADD, OpKind::kAdd, 2, 2, 2, ReadBinary<file::AddOptions>},
    {BuiltinOperator::SUB, OpKind::kSub, 2, 2, 2, ReadBinary<file::SubOptions>},
    {BuiltinOperator::MUL, OpKind::kMul, 2, 2, 2, ReadBinary<file::MulOptions>},
    {BuiltinOperator::AVERAGE_POOL_2D, OpKind::kAveragePool2d, 1, 1, 1, ReadPool2d},
    {BuiltinOperator::MAX_POOL_2D, OpKind::kMaxPool2d, 1, 1, 1, ReadPool2d},
    {BuiltinOperator::MEAN, OpKind::kMean, 2, 2, 1, ReadMean},
    {BuiltinOperator::PAD, OpKind::kPad, 2, 2, 1, ReadPad},
    {BuiltinOperator::PADV2, OpKind::kPad, 3, 3, 1, ReadPad},
    {BuiltinOperator::SOFTMAX, OpKind::kSoftmax, 1, 1, 1, ReadSoftmax},
    {BuiltinOperator::LOGISTIC, OpKind::kLogistic, 1, 1, 1, nullptr},
    {BuiltinOperator::TANH, OpKind::kTanh, 1, 1, 1, nullptr},
    {BuiltinOperator::RELU, OpKind::kRelu, 1, 1, 1, nullptr},
    {BuiltinOperator::RELU6, OpKind::kRelu6, 1, 1, 1, nullptr},
    {BuiltinOperator::RESHAPE, OpKind::kReshape, 1, 2, 1, ReadReshape},
    {BuiltinOperator::SQUEEZE, OpKind::kReshape, 1, 1, 1, ReadSqueeze},
    {BuiltinOperator::EXPAND_DIMS, OpKind::kReshape, 2, 2, 1, ReadExpandDims},
    {BuiltinOperator::CONCATENATION, OpKind::kConcatenation, 1, kAnyNumber, kAnyNumber,
     ReadConcatenation},
    {BuiltinOperator::PACK, OpKind::kConcatenation, 1, kAnyNumber, kAnyNumber, ReadPack},
    {BuiltinOperator::TRANSPOSE, OpKind::kTranspose, 2, 2, 1, ReadTranspose},
    {BuiltinOperator::STRIDED_SLICE, OpKind::kStridedSlice, 4, 4, 1, ReadStridedSlice},
    {BuiltinOperator::SLICE, OpKind::kStridedSlice, 3, 3, 1, ReadSlice},
    {BuiltinOperator::SPLIT, OpKind::kStridedSlice, 2, 2, 2, ReadSplit, /*has_parts=*/true},
    {BuiltinOperator::SPLIT_V, OpKind::kStridedSlice, 3, 3, 1, ReadSplitV, /*has_parts=*/true},
    {BuiltinOperator::UNPACK, OpKind::kStridedSlice, 1, 1, 1, ReadUnpack, /*has_parts=*/true},
    {BuiltinOperator::QUANTIZE, OpKind::kQuantize, 1, 1, 1, nullptr},
    {BuiltinOperator::DEQUANTIZE, OpKind::kDequantize, 1, 1, 1, nullptr},
};

}  // namespace

std::span<const OperatorMapping> OperatorMappings() { return kMappings; }

}  // namespace usmp::import::tflite
