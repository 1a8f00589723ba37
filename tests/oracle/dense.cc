// FULLY_CONNECTED, MEAN and SOFTMAX.
#include <bit>
#include <cmath>
#include <cstddef>

#include "oracle/fixed_point.h"
#include "oracle/operators.h"

namespace usmp::oracle {
namespace {

// One scale for all weights: the product of the scales is rounded to float first. One for each
// output: never.
Multiplier FullyConnectedMultiplier(const Context& c, size_t output) {
  const float in_scale = c.In(0).scales[0];
  const double out_scale = c.Out().scales[0];
  const std::vector<float>& scales = c.In(1).scales;
  if (scales.size() == 1) {
    const float product = in_scale * scales[0];
    return Quantize(double{product} / out_scale);
  }
  return Quantize(double{in_scale} * double{scales[output]} / out_scale);
}

Data FullyConnectedInt8(const Context& c) {
  const auto in = c.InInts(0), weights = c.InInts(1);
  const auto bias = c.Has(2) ? c.InInts(2) : std::vector<int32_t>{};
  const auto outputs = static_cast<size_t>(c.In(1).shape[0]);
  const auto depth = static_cast<size_t>(c.In(1).shape[1]);
  const auto [low, high] = IntRange(c.op.activation, c.Out());
  std::vector<int32_t> out;
  for (size_t b = 0; b < in.size() / depth; ++b) {
    for (size_t o = 0; o < outputs; ++o) {
      int32_t sum = bias.empty() ? 0 : bias[o];
      for (size_t i = 0; i < depth; ++i) {
        sum += (in[b * depth + i] - c.In(0).zero_points[0]) * weights[o * depth + i];
      }
      const int32_t y = Multiply(sum, FullyConnectedMultiplier(c, o)) + c.Out().zero_points[0];
      out.push_back(std::clamp(y, low, high));
    }
  }
  return FromInts(c.Out(), out);
}

// For each output element, the sum of its inputs. Axes may be negative.
template <class Sum, class T>
std::vector<Sum> SumsOverAxes(const Context& c, const std::vector<T>& in) {
  const auto& shape = c.In(0).shape;
  std::vector<int32_t> kept_shape = shape;
  for (int32_t axis : c.InInts(1)) {
    kept_shape[static_cast<size_t>(axis < 0 ? axis + static_cast<int32_t>(shape.size()) : axis)] =
        1;
  }
  std::vector<Sum> sums(static_cast<size_t>(Count(c.Out())));
  for (size_t i = 0; i < in.size(); ++i) {
    std::vector<int32_t> index = Index(shape, static_cast<int64_t>(i));
    for (size_t d = 0; d < index.size(); ++d) index[d] = kept_shape[d] == 1 ? 0 : index[d];
    sums[static_cast<size_t>(Position(kept_shape, index))] += Sum{in[i]};
  }
  return sums;
}

Data MeanInt8(const Context& c) {
  const int64_t count = Count(c.In(0)) / Count(c.Out());
  const Multiplier scale = Quantize(double{c.In(0).scales[0]} / double{c.Out().scales[0]});
  int32_t shift = 63 - std::countl_zero(static_cast<uint64_t>(count));
  shift = std::min({shift, 32, 31 + scale.shift});
  const Multiplier by = {static_cast<int32_t>((int64_t{scale.multiplier} << shift) / count),
                         scale.shift - shift};
  std::vector<int32_t> out;
  for (int32_t sum : SumsOverAxes<int32_t>(c, c.InInts(0))) {
    sum -= static_cast<int32_t>(count) * c.In(0).zero_points[0];
    out.push_back(std::clamp(Multiply(sum, by) + c.Out().zero_points[0], -128, 127));
  }
  return FromInts(c.Out(), out);
}

Data SoftmaxFloat(const Context& c) {
  const auto in = c.InFloats(0);
  const auto depth = static_cast<size_t>(c.In(0).shape.back());
  std::vector<float> out(in.size());
  for (size_t row = 0; row < in.size(); row += depth) {
    const double largest = *std::max_element(in.begin() + static_cast<ptrdiff_t>(row),
                                             in.begin() + static_cast<ptrdiff_t>(row + depth));
    const auto power = [&](size_t i) {
      return std::exp((double{in[row + i]} - largest) * double{c.op.beta});
    };
    double sum = 0;
    for (size_t i = 0; i < depth; ++i) sum += power(i);
    for (size_t i = 0; i < depth; ++i) out[row + i] = static_cast<float>(power(i) / sum);
  }
  return FromFloats(out);
}

}  // namespace

Data FullyConnected(const Context& c) {
  if (!c.is_float()) return FullyConnectedInt8(c);
  const auto in = c.InFloats(0), weights = c.InFloats(1);
  const auto bias = c.Has(2) ? c.InFloats(2) : std::vector<float>{};
  const auto outputs = static_cast<size_t>(c.In(1).shape[0]);
  const auto depth = static_cast<size_t>(c.In(1).shape[1]);
  std::vector<float> out;
  for (size_t b = 0; b < in.size() / depth; ++b) {
    for (size_t o = 0; o < outputs; ++o) {
      double sum = bias.empty() ? 0.0 : double{bias[o]};
      for (size_t i = 0; i < depth; ++i) {
        sum += double{in[b * depth + i]} * double{weights[o * depth + i]};
      }
      out.push_back(static_cast<float>(Activate(c.op.activation, sum)));
    }
  }
  return FromFloats(out);
}

Data Mean(const Context& c) {
  if (!c.is_float()) return MeanInt8(c);
  const auto count = static_cast<double>(Count(c.In(0)) / Count(c.Out()));
  std::vector<float> out;
  for (double sum : SumsOverAxes<double>(c, c.InFloats(0))) {
    out.push_back(static_cast<float>(sum / count));
  }
  return FromFloats(out);
}

Data Softmax(const Context& c) {
  if (c.is_float()) return SoftmaxFloat(c);
  const auto in = c.InInts(0);
  const auto depth = static_cast<size_t>(c.In(0).shape.back());
  std::vector<int32_t> out(in.size());
  for (size_t row = 0; row < in.size(); row += depth) {
    SoftmaxInt8(&in[row], static_cast<int64_t>(depth), c.In(0).scales[0], c.op.beta, &out[row]);
  }
  return FromInts(c.Out(), out);
}

}  // namespace usmp::oracle
