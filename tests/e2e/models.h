// Models of one operator each, with random weights, for the comparison with the oracle.
#ifndef USMP_TESTS_E2E_MODELS_H_
#define USMP_TESTS_E2E_MODELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/model.h"

namespace usmp::testing {

// The same numbers everywhere: a 32-bit linear congruential generator.
class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed) {}
  uint32_t Bits();
  int32_t Int(int32_t low, int32_t high);  // both included
  float Real(float low, float high);

 private:
  uint32_t state_;
};

// Bytes for a tensor: any int8 or uint8 value; floats in [-4, 4).
oracle::Data RandomData(const oracle::Tensor& tensor, Random& random);

struct Affine {
  float scale = 0.05F;
  int32_t zero_point = 0;
};
oracle::Tensor Activations(std::vector<int32_t> shape, oracle::Type type, Affine affine = {});
oracle::Tensor Int32Constant(std::vector<int32_t> shape, const std::vector<int32_t>& values);

struct WindowCase {
  std::string kind = "CONV_2D";  // CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D, MAX_POOL_2D
  oracle::Type type = oracle::Type::kInt8;
  int32_t batch = 1, height = 5, width = 5, channels = 3;
  int32_t out_channels = 4;  // of a convolution
  int32_t filter_h = 3, filter_w = 3;
  int32_t stride_h = 1, stride_w = 1;
  int32_t dilation_h = 1, dilation_w = 1;
  bool same = false;
  int32_t groups = 1;
  int32_t depth_multiplier = 1;
  bool bias = true;
  bool per_channel = true;
  oracle::Activation activation = oracle::Activation::kNone;
  int32_t in_zero_point = 3, out_zero_point = -5;
};
// False: a VALID window larger than the image.
bool HasOutput(const WindowCase& c);
oracle::Model WindowModel(const WindowCase& c, Random& random);

struct DenseCase {
  oracle::Type type = oracle::Type::kInt8;
  int32_t batch = 1, depth = 8, outputs = 4;
  bool bias = true;
  bool per_channel = false;
  oracle::Activation activation = oracle::Activation::kNone;
  int32_t in_zero_point = 3, out_zero_point = -5;
};
oracle::Model DenseModel(const DenseCase& c, Random& random);

struct BinaryCase {
  std::string kind = "ADD";  // ADD, SUB, MUL
  oracle::Type type = oracle::Type::kInt8;
  std::vector<int32_t> a{1, 2, 2, 3}, b{1, 2, 2, 3};
  bool constant_b = false;
  oracle::Activation activation = oracle::Activation::kNone;
  Affine in_a{0.05F, 3}, in_b{0.08F, -7}, out{0.1F, 1};
};
oracle::Model BinaryModel(const BinaryCase& c, Random& random);

// LOGISTIC, TANH, RELU, RELU6, SOFTMAX, QUANTIZE, DEQUANTIZE: one tensor in, one of the same shape
// out.
oracle::Model UnaryModel(const std::string& kind, const oracle::Tensor& in,
                         const oracle::Tensor& out, float beta = 1.0F);

oracle::Model MeanModel(const oracle::Tensor& in, const std::vector<int32_t>& axes, bool keep_dims,
                        Affine out);
// `paddings`: before and after for each dimension. `value`: PADV2 with that constant, one element.
oracle::Model PadModel(const oracle::Tensor& in, const std::vector<int32_t>& paddings,
                       const oracle::Data& value = {});
oracle::Model ConcatenationModel(const std::vector<oracle::Tensor>& in, int32_t axis);

}  // namespace usmp::testing

#endif  // USMP_TESTS_E2E_MODELS_H_
