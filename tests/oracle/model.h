// A tiny model description for tests: tensors, operators in execution order, what goes in and out.
//
// The vocabulary is that of the TensorFlow Lite schema (SAME and VALID, filters as they are
// stored), so that a model file can be written from it and the oracle can compute it without
// anything of the compiler's.
#ifndef USMP_ORACLE_MODEL_H_
#define USMP_ORACLE_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

namespace usmp::oracle {

using Data = std::vector<uint8_t>;  // row-major, little-endian

enum class Type : uint8_t { kFloat32, kInt8, kUInt8, kInt32 };
int64_t Size(Type type);  // bytes of an element

struct Tensor {
  std::string name{};
  Type type = Type::kInt8;
  std::vector<int32_t> shape{};
  std::vector<float> scales{};         // empty: not quantized; several: per channel
  std::vector<int32_t> zero_points{};  // as many as scales
  int32_t axis = 0;                    // of per-channel scales
  Data data{};                         // a constant's bytes
};
int64_t Count(const Tensor& tensor);
int64_t Bytes(const Tensor& tensor);

enum class Activation : uint8_t { kNone, kRelu, kReluN1To1, kRelu6 };

// One struct for the attributes of every operator; each reads its own.
struct Op {
  std::string kind{};             // TensorFlow Lite's name: "CONV_2D"
  std::vector<int32_t> inputs{};  // tensor indices; -1: absent
  std::vector<int32_t> outputs{};
  Activation activation = Activation::kNone;
  bool same_padding = false;
  int32_t stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  int32_t filter_h = 1, filter_w = 1;  // pools
  int32_t depth_multiplier = 1;
  int32_t axis = 0;  // CONCATENATION
  bool keep_dims = false;
  float beta = 1.0F;
};

struct Model {
  std::string name{};
  std::vector<Tensor> tensors{};
  std::vector<Op> ops{};
  std::vector<int32_t> inputs{}, outputs{};
};

// Elements of a tensor, whatever its integer type; float tensors by Floats.
std::vector<int32_t> Ints(const Tensor& tensor, const Data& data);
std::vector<float> Floats(const Data& data);
Data FromInts(const Tensor& tensor, const std::vector<int32_t>& values);
Data FromFloats(const std::vector<float>& values);

}  // namespace usmp::oracle

#endif  // USMP_ORACLE_MODEL_H_
