// The operators one by one. Each takes the model, the operator and the bytes of every tensor so
// far, and returns the bytes of its output.
#ifndef USMP_ORACLE_OPERATORS_H_
#define USMP_ORACLE_OPERATORS_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/model.h"

namespace usmp::oracle {

struct Context {
  const Model& model;
  const Op& op;
  const std::vector<Data>& values;  // by tensor index

  bool Has(size_t input) const { return input < op.inputs.size() && op.inputs[input] >= 0; }
  const Tensor& In(size_t i) const { return model.tensors[static_cast<size_t>(op.inputs[i])]; }
  const Tensor& Out() const { return model.tensors[static_cast<size_t>(op.outputs[0])]; }
  std::vector<int32_t> InInts(size_t i) const {
    return Ints(In(i), values[static_cast<size_t>(op.inputs[i])]);
  }
  std::vector<float> InFloats(size_t i) const {
    return Floats(values[static_cast<size_t>(op.inputs[i])]);
  }
  const Data& InData(size_t i) const { return values[static_cast<size_t>(op.inputs[i])]; }
  bool is_float() const { return Out().type == Type::kFloat32; }
};

// What a fused activation leaves of an int8 output.
std::pair<int32_t, int32_t> IntRange(Activation activation, const Tensor& output);
double Activate(Activation activation, double value);

// Position of a multi-dimensional index in row-major order, and the index of a position.
int64_t Position(const std::vector<int32_t>& shape, const std::vector<int32_t>& index);
std::vector<int32_t> Index(const std::vector<int32_t>& shape, int64_t position);

// Elements that SAME padding puts before an input of `size`; VALID: none.
int32_t PaddingBefore(bool same, int32_t size, int32_t out_size, int32_t filter, int32_t stride,
                      int32_t dilation);

// window.cc
Data Conv2d(const Context& c);
Data DepthwiseConv2d(const Context& c);
Data AveragePool2d(const Context& c);
Data MaxPool2d(const Context& c);
// dense.cc
Data FullyConnected(const Context& c);
Data Mean(const Context& c);
Data Softmax(const Context& c);
// elementwise.cc
Data Add(const Context& c);
Data Sub(const Context& c);
Data Mul(const Context& c);
Data Logistic(const Context& c);
Data Tanh(const Context& c);
Data Relu(const Context& c);
Data Relu6(const Context& c);
Data Quantize(const Context& c);
Data Dequantize(const Context& c);
// movement.cc
Data Pad(const Context& c);
Data Slice(const Context& c);
Data Reshape(const Context& c);
Data Concatenation(const Context& c);

}  // namespace usmp::oracle

#endif  // USMP_ORACLE_OPERATORS_H_
