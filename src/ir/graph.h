// The graph: what a model computes. The only thing importers know; passes turn one graph into
// another.
//
// Layout is NHWC; convolution weights are OHWI ([out, kh, kw, in/groups]), depthwise weights
// [1, kh, kw, channels * multiplier], fully connected weights [out, in]. Padding is explicit.
#ifndef USMP_IR_GRAPH_H_
#define USMP_IR_GRAPH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "usmp/buffers.h"

namespace usmp::ir {

// kOther: a type of the model's format that nothing here computes with (strings, resources, ...).
enum class DType : uint8_t {
  kFloat32,
  kInt8,
  kUInt8,
  kInt16,
  kInt32,
  kInt64,
  kBool,
  kFloat16,
  kInt4,
  kOther,
};
std::string_view Name(DType type);  // "int8"
Bytes ElementBytes(DType type);     // 1 for kInt4: unpacked; 0 for kOther
bool IsInteger(DType type);         // may carry a Quantization; not kBool

// Affine: real = scale * (q - zero_point). One scale: per tensor; several: per channel along
// `axis`.
struct Quantization {
  std::vector<float> scales{};         // empty: not quantized
  std::vector<int32_t> zero_points{};  // as many as scales
  int32_t axis = 0;
};

using Data = std::shared_ptr<const std::vector<uint8_t>>;  // little-endian, row-major

struct Tensor {
  std::string name{};  // as in the model: any text, not unique, maybe empty
  DType dtype = DType::kFloat32;
  std::vector<int32_t> shape{};  // every dimension >= 0 and known; a scalar has none
  Quantization quantization{};
  Data data{};                // set iff constant; exactly the tensor's bytes
  int32_t source_index = -1;  // in the model file; -1: made by a pass
};
// Product of the shape; kMaxTensorBytes + 1 where it is more, as it may be before VerifyGraph.
int64_t ElementCount(const Tensor& tensor);
Bytes ByteSize(const Tensor& tensor);
// Bytes of a tensor of `shape`; absent if a dimension is negative or it would be over
// kMaxTensorBytes, so that sums and products of sizes cannot overflow in the rest of the compiler.
inline constexpr Bytes kMaxTensorBytes = 0x7FFFFFFF;
std::optional<Bytes> CheckedByteSize(const std::vector<int32_t>& shape, DType type);

enum class TensorId : uint32_t {};

enum class Activation : uint8_t { kNone, kRelu, kReluN1To1, kRelu6 };

// Explicit padding of a two-dimensional window, in elements.
struct Padding2d {
  int32_t top = 0, bottom = 0, left = 0, right = 0;
};
struct Window2d {
  int32_t kernel_h = 1, kernel_w = 1;
  int32_t stride_h = 1, stride_w = 1;
  int32_t dilation_h = 1, dilation_w = 1;
  Padding2d padding{};
};

// Attributes of the operators, one struct for each shape of attributes. Operands are listed as they
// stand in Op::inputs; "bias?" may be absent (kNoTensor).
struct Conv2dAttrs {  // input, weights, bias?; groups = input channels / weights' last dimension
  Window2d window{};
  int32_t groups = 1;
  Activation activation = Activation::kNone;
};
struct DepthwiseConv2dAttrs {  // input, weights, bias?
  Window2d window{};
  int32_t depth_multiplier = 1;
  Activation activation = Activation::kNone;
};
struct FullyConnectedAttrs {  // input, weights, bias?
  Activation activation = Activation::kNone;
  bool keep_num_dims =
      false;  // the output keeps the input's leading dimensions; else [batches, out]
};
struct BinaryAttrs {  // a, b: broadcast as numpy does
  Activation activation = Activation::kNone;
};
struct Pool2dAttrs {  // input
  Window2d window{};
  Activation activation = Activation::kNone;
};
struct ReduceAttrs {            // input
  std::vector<int32_t> axes{};  // ascending, distinct, in [0, rank)
  bool keep_dims = false;
};
struct PadAttrs {                          // input
  std::vector<int32_t> before{}, after{};  // one per dimension, >= 0
  // The padding value in the tensor's own encoding: a quantized value as it is stored; absent: the
  // input's zero point (0 for float).
  std::optional<double> value{};
};
struct SoftmaxAttrs {  // input; along the last dimension
  float beta = 1.0F;
};
struct ConcatAttrs {  // inputs
  int32_t axis = 0;   // in [0, rank)
  Activation activation = Activation::kNone;
};
// The elements begin, begin + stride, ... of every dimension, `count` of them. The output has them
// in that order, and may have another shape of as many elements: dimensions of one element come and
// go.
struct StridedSliceAttrs {                          // input
  std::vector<int32_t> begin{}, count{}, stride{};  // one per dimension of the input
};
struct TransposeAttrs {                // input
  std::vector<int32_t> permutation{};  // output dimension d is the input's permutation[d]
};
// What a function of the user computes. Any number of operands, as in the model; several may be
// absent, and there may be several outputs.
struct OffloadAttrs {
  int32_t offload = 0;             // index into the list that the importer was given
  std::string name{};              // "CONV_2D", "CUSTOM:MyOp"
  std::vector<uint8_t> options{};  // of a custom operator, as in the model
  std::optional<Window2d> window{};
  Activation activation = Activation::kNone;
};
struct NoAttrs {};

using Attributes = std::variant<NoAttrs, Conv2dAttrs, DepthwiseConv2dAttrs, FullyConnectedAttrs,
                                BinaryAttrs, Pool2dAttrs, ReduceAttrs, PadAttrs, SoftmaxAttrs,
                                ConcatAttrs, StridedSliceAttrs, TransposeAttrs, OffloadAttrs>;

enum class OpKind : uint8_t {
#define USMP_OP(kind, name, attributes, summary) kind,
#include "ir/ops.def"
#undef USMP_OP
};
std::string_view Name(OpKind kind);     // "CONV_2D"
std::string_view Summary(OpKind kind);  // one line

inline constexpr TensorId kNoTensor{0xFFFFFFFF};  // an optional operand that is absent

struct Op {
  OpKind kind{};
  std::vector<TensorId> inputs{};
  std::vector<TensorId> outputs{};
  Attributes attributes{};
  int32_t source_index = -1;  // in the model file
};

std::string_view OperatorName(const Op& op);  // as in the model: "CONV_2D", "CUSTOM:MyOp"

// In execution order: an op reads only graph inputs, constants and outputs of earlier ops, and
// every tensor is written at most once. VerifyGraph (verify.h) checks it.
struct Graph {
  std::string name{};
  std::vector<Tensor> tensors{};  // by TensorId
  std::vector<Op> ops{};
  std::vector<TensorId> inputs{};
  std::vector<TensorId> outputs{};  // may repeat, and may name an input or a constant

  Tensor& operator[](TensorId id) { return tensors[static_cast<size_t>(id)]; }
  const Tensor& operator[](TensorId id) const { return tensors[static_cast<size_t>(id)]; }
};

// A name of the model as it is shown to people: one line, no control characters, at most 60 bytes.
std::string DisplayName(std::string_view name);
// "op 17 CONV_2D 'block3/conv'": the `where` of a diagnostic. The label is the first output's name.
std::string Describe(const Graph& graph, const Op& op);
// "tensor 5 'block3/conv' int8[1,8,8,16]"
std::string Describe(const Graph& graph, TensorId id);

}  // namespace usmp::ir

#endif  // USMP_IR_GRAPH_H_
