// Convolutions and pools: every output element sums over every tap, one at a time.
#include <limits>
#include <stdexcept>

#include "oracle/fixed_point.h"
#include "oracle/operators.h"

namespace usmp::oracle {
namespace {

struct Geometry {
  int32_t filter_h = 0, filter_w = 0;
  int32_t top = 0, left = 0;
};

Geometry GeometryOf(const Context& c, int32_t filter_h, int32_t filter_w) {
  const Op& op = c.op;
  const auto& in = c.In(0).shape;
  const auto& out = c.Out().shape;
  return {filter_h, filter_w,
          PaddingBefore(op.same_padding, in[1], out[1], filter_h, op.stride_h, op.dilation_h),
          PaddingBefore(op.same_padding, in[2], out[2], filter_w, op.stride_w, op.dilation_w)};
}

// Calls tap(fy, fx, position of (b, iy, ix, channel) in the input) for each tap inside the image.
template <class Tap>
void ForEachTap(const Context& c, const Geometry& g, const std::vector<int32_t>& out_index,
                const Tap& tap) {
  const auto& shape = c.In(0).shape;
  for (int32_t fy = 0; fy < g.filter_h; ++fy) {
    for (int32_t fx = 0; fx < g.filter_w; ++fx) {
      const int32_t y = out_index[1] * c.op.stride_h - g.top + fy * c.op.dilation_h;
      const int32_t x = out_index[2] * c.op.stride_w - g.left + fx * c.op.dilation_w;
      if (y < 0 || y >= shape[1] || x < 0 || x >= shape[2]) continue;
      tap(fy, fx, Position(shape, {out_index[0], y, x, 0}));
    }
  }
}

// Every product of one output element: pairs of positions in input and weights.
template <class Product>
void ForEachProduct(const Context& c, const std::vector<int32_t>& out_index, bool depthwise,
                    const Product& product) {
  const auto& weights = c.In(1).shape;
  const Geometry g = GeometryOf(c, weights[1], weights[2]);
  const int32_t oc = out_index[3];
  const int32_t depth = weights[3];
  const int32_t groups = c.In(0).shape[3] / depth;
  ForEachTap(c, g, out_index, [&](int32_t fy, int32_t fx, int64_t pixel) {
    if (depthwise) {
      product(pixel + oc / c.op.depth_multiplier, Position(weights, {0, fy, fx, oc}));
      return;
    }
    const int32_t group = oc / (weights[0] / groups);
    for (int32_t ic = 0; ic < depth; ++ic) {
      product(pixel + group * depth + ic, Position(weights, {oc, fy, fx, ic}));
    }
  });
}

int32_t ConvolvedInt(const Context& c, const std::vector<int32_t>& out_index, bool depthwise,
                     const std::vector<int32_t>& in, const std::vector<int32_t>& weights,
                     const std::vector<int32_t>& bias) {
  const auto oc = static_cast<size_t>(out_index[3]);
  int64_t sum = bias.empty() ? 0 : bias[oc];
  ForEachProduct(c, out_index, depthwise, [&](int64_t x, int64_t w) {
    sum += int64_t{in[static_cast<size_t>(x)] - c.In(0).zero_points[0]} *
           weights[static_cast<size_t>(w)];
  });
  const auto& scales = c.In(1).scales;
  const double scale = static_cast<double>(c.In(0).scales[0]) *
                       static_cast<double>(scales[scales.size() == 1 ? 0 : oc]) /
                       static_cast<double>(c.Out().scales[0]);
  const auto [low, high] = IntRange(c.op.activation, c.Out());
  const int32_t y = Multiply(static_cast<int32_t>(sum), Quantize(scale));
  return std::clamp(y + c.Out().zero_points[0], low, high);
}

Data Convolution(const Context& c, bool depthwise) {
  const auto& shape = c.Out().shape;
  if (c.is_float()) {
    const auto in = c.InFloats(0), weights = c.InFloats(1);
    const auto bias = c.Has(2) ? c.InFloats(2) : std::vector<float>{};
    std::vector<float> out;
    for (int64_t i = 0; i < Count(c.Out()); ++i) {
      const std::vector<int32_t> index = Index(shape, i);
      double sum = bias.empty() ? 0.0 : double{bias[static_cast<size_t>(index[3])]};
      ForEachProduct(c, index, depthwise, [&](int64_t x, int64_t w) {
        sum += double{in[static_cast<size_t>(x)]} * double{weights[static_cast<size_t>(w)]};
      });
      out.push_back(static_cast<float>(Activate(c.op.activation, sum)));
    }
    return FromFloats(out);
  }
  const auto in = c.InInts(0), weights = c.InInts(1);
  const auto bias = c.Has(2) ? c.InInts(2) : std::vector<int32_t>{};
  std::vector<int32_t> out;
  for (int64_t i = 0; i < Count(c.Out()); ++i) {
    out.push_back(ConvolvedInt(c, Index(shape, i), depthwise, in, weights, bias));
  }
  return FromInts(c.Out(), out);
}

// reduce(values of the window that lie inside the image) for each output element.
template <class T, class Reduce>
std::vector<T> Pool(const Context& c, const std::vector<T>& in, const Reduce& reduce) {
  const Geometry g = GeometryOf(c, c.op.filter_h, c.op.filter_w);
  std::vector<T> out;
  for (int64_t i = 0; i < Count(c.Out()); ++i) {
    const std::vector<int32_t> index = Index(c.Out().shape, i);
    std::vector<T> window;
    ForEachTap(c, g, index, [&](int32_t, int32_t, int64_t pixel) {
      window.push_back(in[static_cast<size_t>(pixel + index[3])]);
    });
    out.push_back(reduce(window));
  }
  return out;
}

}  // namespace

Data Conv2d(const Context& c) { return Convolution(c, /*depthwise=*/false); }
Data DepthwiseConv2d(const Context& c) { return Convolution(c, /*depthwise=*/true); }

Data AveragePool2d(const Context& c) {
  if (c.is_float()) {
    return FromFloats(Pool(c, c.InFloats(0), [&](const std::vector<float>& window) {
      double sum = 0;
      for (float x : window) sum += double{x};
      const double mean = sum / static_cast<double>(window.size());
      return static_cast<float>(Activate(c.op.activation, mean));
    }));
  }
  const auto [low, high] = IntRange(c.op.activation, c.Out());
  return FromInts(c.Out(), Pool(c, c.InInts(0), [&](const std::vector<int32_t>& window) {
                    const auto count = static_cast<int32_t>(window.size());
                    int32_t sum = 0;
                    for (int32_t x : window) sum += x;
                    const int32_t mean =
                        sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
                    return std::clamp(mean, low, high);
                  }));
}

Data MaxPool2d(const Context& c) {
  if (c.is_float()) {
    return FromFloats(Pool(c, c.InFloats(0), [&](const std::vector<float>& window) {
      const double largest = *std::max_element(window.begin(), window.end());
      return static_cast<float>(Activate(c.op.activation, largest));
    }));
  }
  const auto [low, high] = IntRange(c.op.activation, c.Out());
  return FromInts(c.Out(), Pool(c, c.InInts(0), [&](const std::vector<int32_t>& window) {
                    return std::clamp(*std::max_element(window.begin(), window.end()), low, high);
                  }));
}

}  // namespace usmp::oracle
