// One output element from one or two input elements.
#include <cmath>

#include "oracle/fixed_point.h"
#include "oracle/operators.h"

namespace usmp::oracle {
namespace {

// The element of an operand that a (possibly broadcast) output index reads.
size_t BroadcastPosition(const std::vector<int32_t>& shape, const std::vector<int32_t>& out_index) {
  std::vector<int32_t> index;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int32_t i = out_index[out_index.size() - shape.size() + d];
    index.push_back(shape[d] == 1 ? 0 : i);
  }
  return static_cast<size_t>(Position(shape, index));
}

template <class T, class Function>
std::vector<T> Binary(const Context& c, const std::vector<T>& a, const std::vector<T>& b,
                      const Function& function) {
  std::vector<T> out;
  for (int64_t i = 0; i < Count(c.Out()); ++i) {
    const std::vector<int32_t> index = Index(c.Out().shape, i);
    out.push_back(function(a[BroadcastPosition(c.In(0).shape, index)],
                           b[BroadcastPosition(c.In(1).shape, index)]));
  }
  return out;
}

template <class Function>
Data BinaryFloat(const Context& c, const Function& function) {
  return FromFloats(Binary(c, c.InFloats(0), c.InFloats(1), [&](float a, float b) {
    return static_cast<float>(Activate(c.op.activation, function(double{a}, double{b})));
  }));
}

struct SumMultipliers {
  Multiplier a{}, b{}, out{};
};

// ADD forms its ratios in double.
SumMultipliers AddMultipliers(const Context& c) {
  const double a = c.In(0).scales[0];
  const double b = c.In(1).scales[0];
  const double twice = 2 * std::max(a, b);
  return {Quantize(a / twice), Quantize(b / twice),
          Quantize(twice / ((1 << 20) * double{c.Out().scales[0]}))};
}

// SUB forms the same ratios in float.
SumMultipliers SubMultipliers(const Context& c) {
  const float a = c.In(0).scales[0];
  const float b = c.In(1).scales[0];
  const float twice = 2 * std::max(a, b);
  const float scaled_out = (1 << 20) * c.Out().scales[0];
  const float to_a = a / twice;
  const float to_b = b / twice;
  const float to_out = twice / scaled_out;
  return {Quantize(double{to_a}), Quantize(double{to_b}), Quantize(double{to_out})};
}

Data SumInt8(const Context& c, const SumMultipliers& by, int32_t sign) {
  const auto [low, high] = IntRange(c.op.activation, c.Out());
  return FromInts(
      c.Out(), Binary(c, c.InInts(0), c.InInts(1), [&](int32_t a, int32_t b) {
        const int32_t scaled_a = Multiply((a - c.In(0).zero_points[0]) * (1 << 20), by.a);
        const int32_t scaled_b = Multiply((b - c.In(1).zero_points[0]) * (1 << 20), by.b);
        const int32_t y = Multiply(scaled_a + sign * scaled_b, by.out) + c.Out().zero_points[0];
        return std::clamp(y, low, high);
      }));
}

// An integer to another scale and zero point, within [low, high]; `ratio`: of the scales.
Data Rescale(const Context& c, double ratio, int32_t low, int32_t high) {
  const Multiplier by = Quantize(ratio);
  std::vector<int32_t> out;
  for (int32_t x : c.InInts(0)) {
    const int32_t y = Multiply(x - c.In(0).zero_points[0], by) + c.Out().zero_points[0];
    out.push_back(std::clamp(y, low, high));
  }
  return FromInts(c.Out(), out);
}

template <class Function>
Data UnaryFloat(const Context& c, const Function& function) {
  std::vector<float> out;
  for (float x : c.InFloats(0)) out.push_back(static_cast<float>(function(double{x})));
  return FromFloats(out);
}

template <class Function>
Data UnaryInt8(const Context& c, const Function& function) {
  std::vector<int32_t> out;
  for (int32_t x : c.InInts(0)) {
    out.push_back(function(x - c.In(0).zero_points[0], c.In(0).scales[0]));
  }
  return FromInts(c.Out(), out);
}

Data Rectify(const Context& c, Activation activation) {
  if (c.is_float()) {
    return UnaryFloat(c, [&](double x) { return Activate(activation, x); });
  }
  const auto [low, high] = IntRange(activation, c.Out());
  const float ratio = c.In(0).scales[0] / c.Out().scales[0];  // TFLM divides before it widens
  return Rescale(c, ratio, low, high);
}

std::pair<int32_t, int32_t> TypeRange(Type type) {
  return type == Type::kUInt8 ? std::pair{0, 255} : std::pair{-128, 127};
}

}  // namespace

Data Add(const Context& c) {
  if (c.is_float()) return BinaryFloat(c, [](double a, double b) { return a + b; });
  return SumInt8(c, AddMultipliers(c), 1);
}

Data Sub(const Context& c) {
  if (c.is_float()) return BinaryFloat(c, [](double a, double b) { return a - b; });
  return SumInt8(c, SubMultipliers(c), -1);
}

Data Mul(const Context& c) {
  if (c.is_float()) return BinaryFloat(c, [](double a, double b) { return a * b; });
  const auto [low, high] = IntRange(c.op.activation, c.Out());
  const Multiplier by =
      Quantize(double{c.In(0).scales[0]} * double{c.In(1).scales[0]} / double{c.Out().scales[0]});
  return FromInts(c.Out(), Binary(c, c.InInts(0), c.InInts(1), [&](int32_t a, int32_t b) {
                    const int32_t product =
                        (a - c.In(0).zero_points[0]) * (b - c.In(1).zero_points[0]);
                    return std::clamp(Multiply(product, by) + c.Out().zero_points[0], low, high);
                  }));
}

Data Logistic(const Context& c) {
  if (c.is_float()) return UnaryFloat(c, [](double x) { return 1 / (1 + std::exp(-x)); });
  return UnaryInt8(c, LogisticInt8);
}

Data Tanh(const Context& c) {
  if (c.is_float()) return UnaryFloat(c, [](double x) { return std::tanh(x); });
  return UnaryInt8(c, TanhInt8);
}

Data Relu(const Context& c) { return Rectify(c, Activation::kRelu); }
Data Relu6(const Context& c) { return Rectify(c, Activation::kRelu6); }

Data Quantize(const Context& c) {
  const auto [low, high] = TypeRange(c.Out().type);
  if (c.In(0).type != Type::kFloat32) {
    return Rescale(c, double{c.In(0).scales[0]} / double{c.Out().scales[0]}, low, high);
  }
  std::vector<int32_t> out;
  for (float x : c.InFloats(0)) {
    const float scaled = x / c.Out().scales[0];
    const int32_t y = static_cast<int32_t>(std::round(scaled)) + c.Out().zero_points[0];
    out.push_back(std::clamp(y, low, high));
  }
  return FromInts(c.Out(), out);
}

Data Dequantize(const Context& c) {
  std::vector<float> out;
  for (int32_t x : c.InInts(0)) {
    out.push_back(static_cast<float>(double{c.In(0).scales[0]} * (x - c.In(0).zero_points[0])));
  }
  return FromFloats(out);
}

}  // namespace usmp::oracle
