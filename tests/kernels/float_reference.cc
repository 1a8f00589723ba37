#include "kernels/float_reference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <sstream>
#include <variant>

namespace usmp::kernels_test {
namespace {

class Sum {
 public:
  void Add(double a, double b) {
    sum_ += a * b;
    magnitude_ += std::abs(a * b);
    ++terms_;
  }
  // Over `divisor`, then clamped: neither makes an error grow.
  Bounded Value(ir::Activation activation, double divisor = 1) const;

 private:
  double sum_ = 0, magnitude_ = 0;
  int terms_ = 0;
};

double Clamp(ir::Activation activation, double x) {
  switch (activation) {
    case ir::Activation::kNone:
      return x;
    case ir::Activation::kRelu:
      return std::max(x, 0.0);
    case ir::Activation::kReluN1To1:
      return std::clamp(x, -1.0, 1.0);
    case ir::Activation::kRelu6:
      return std::clamp(x, 0.0, 6.0);
  }
  return x;
}

Bounded Sum::Value(ir::Activation activation, double divisor) const {
  return {Clamp(activation, sum_ / divisor), (terms_ + 2) * kUnitRoundoff * magnitude_ / divisor};
}

size_t Offset(const std::vector<int32_t>& shape, int n, int y, int x, int c) {
  return ((static_cast<size_t>(n) * shape[1] + y) * shape[2] + x) * shape[3] + c;
}

// Calls `tap(iy, ix, ky, kx)` for every tap of output pixel (y, x) that lies inside the image.
void ForEachTap(const ir::Window2d& w, const std::vector<int32_t>& in_shape, int y, int x,
                const std::function<void(int, int, int, int)>& tap) {
  for (int ky = 0; ky < w.kernel_h; ++ky) {
    for (int kx = 0; kx < w.kernel_w; ++kx) {
      const int iy = y * w.stride_h + ky * w.dilation_h - w.padding.top;
      const int ix = x * w.stride_w + kx * w.dilation_w - w.padding.left;
      if (iy >= 0 && iy < in_shape[1] && ix >= 0 && ix < in_shape[2]) tap(iy, ix, ky, kx);
    }
  }
}

std::vector<Bounded> ForEachOutput(const std::vector<int32_t>& shape,
                                   const std::function<Bounded(int, int, int, int)>& compute) {
  std::vector<Bounded> out;
  for (int n = 0; n < shape[0]; ++n) {
    for (int y = 0; y < shape[1]; ++y) {
      for (int x = 0; x < shape[2]; ++x) {
        for (int c = 0; c < shape[3]; ++c) out.push_back(compute(n, y, x, c));
      }
    }
  }
  return out;
}

void AddBias(const FloatOp& op, int channel, Sum& sum) {
  if (op.inputs.size() > 2) sum.Add(op.inputs[2].values[static_cast<size_t>(channel)], 1.0);
}

}  // namespace

std::vector<Bounded> ReferenceConv2d(const FloatOp& op) {
  const auto& attributes = std::get<ir::Conv2dAttrs>(op.attributes);
  const FloatTensor& input = op.inputs[0];
  const FloatTensor& weights = op.inputs[1];
  const int group_in = weights.shape[3];
  const int group_out = weights.shape[0] / attributes.groups;
  return ForEachOutput(op.out_shape, [&](int n, int y, int x, int o) {
    Sum sum;
    ForEachTap(attributes.window, input.shape, y, x, [&](int iy, int ix, int ky, int kx) {
      for (int i = 0; i < group_in; ++i) {
        const int channel = o / group_out * group_in + i;
        sum.Add(input.values[Offset(input.shape, n, iy, ix, channel)],
                weights.values[Offset(weights.shape, o, ky, kx, i)]);
      }
    });
    AddBias(op, o, sum);
    return sum.Value(attributes.activation);
  });
}

std::vector<Bounded> ReferenceDepthwiseConv2d(const FloatOp& op) {
  const auto& attributes = std::get<ir::DepthwiseConv2dAttrs>(op.attributes);
  const FloatTensor& input = op.inputs[0];
  const FloatTensor& weights = op.inputs[1];
  return ForEachOutput(op.out_shape, [&](int n, int y, int x, int o) {
    Sum sum;
    ForEachTap(attributes.window, input.shape, y, x, [&](int iy, int ix, int ky, int kx) {
      sum.Add(input.values[Offset(input.shape, n, iy, ix, o / attributes.depth_multiplier)],
              weights.values[Offset(weights.shape, 0, ky, kx, o)]);
    });
    AddBias(op, o, sum);
    return sum.Value(attributes.activation);
  });
}

std::vector<Bounded> ReferenceFullyConnected(const FloatOp& op) {
  const std::vector<float>& input = op.inputs[0].values;
  const std::vector<float>& weights = op.inputs[1].values;
  const auto out_depth = static_cast<size_t>(op.inputs[1].shape[0]);
  const auto in_depth = static_cast<size_t>(op.inputs[1].shape[1]);
  std::vector<Bounded> out;
  for (size_t b = 0; b < input.size() / in_depth; ++b) {
    for (size_t o = 0; o < out_depth; ++o) {
      Sum sum;
      for (size_t i = 0; i < in_depth; ++i) {
        sum.Add(input[b * in_depth + i], weights[o * in_depth + i]);
      }
      AddBias(op, static_cast<int>(o), sum);
      out.push_back(sum.Value(std::get<ir::FullyConnectedAttrs>(op.attributes).activation));
    }
  }
  return out;
}

std::vector<Bounded> ReferencePool(const FloatOp& op) {
  const auto& attributes = std::get<ir::Pool2dAttrs>(op.attributes);
  const FloatTensor& input = op.inputs[0];
  return ForEachOutput(op.out_shape, [&](int n, int y, int x, int c) -> Bounded {
    Sum sum;
    int count = 0;
    double largest = -std::numeric_limits<double>::infinity();
    ForEachTap(attributes.window, input.shape, y, x, [&](int iy, int ix, int, int) {
      const double value = input.values[Offset(input.shape, n, iy, ix, c)];
      sum.Add(value, 1.0);
      largest = std::max(largest, value);
      ++count;
    });
    if (op.kind == ir::OpKind::kMaxPool2d) return {Clamp(attributes.activation, largest), 0};
    return sum.Value(attributes.activation, count);
  });
}

std::string Compare(const std::vector<float>& got, const std::vector<Bounded>& expected) {
  std::ostringstream complaint;
  if (got.size() != expected.size()) {
    complaint << got.size() << " elements instead of " << expected.size();
    return complaint.str();
  }
  for (size_t i = 0; i < got.size(); ++i) {
    const double difference = std::abs(static_cast<double>(got[i]) - expected[i].value);
    if (difference <= expected[i].error) continue;
    complaint << "element " << i << " is " << got[i] << " instead of " << expected[i].value
              << ", off by " << difference << " where " << expected[i].error << " is allowed";
    return complaint.str();
  }
  return {};
}

}  // namespace usmp::kernels_test
