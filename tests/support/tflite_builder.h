// Writes .tflite models for tests: single operators, small networks, and broken files.
//
//   TfliteBuilder b;
//   int x = b.Input({.name = "x", .shape = {1, 4, 4, 1}, .scales = {0.5F}, .zero_points = {-1}});
//   int w = b.Constant({.shape = {2, 3, 3, 1}, .scales = {0.1F}}, ToBytes<int8_t>({...}));
//   int y = b.Op("CONV_2D", {x, w, kAbsent}, {.name = "y", .shape = {1, 2, 2, 2}, .scales =
//   {1.0F}},
//                Conv2dOptions{.padding = Padding::kValid});
//   b.Output(y);
//   std::vector<uint8_t> file = b.Build();
//
// Nothing is checked: a model may be as wrong as a test needs it to be, and what the functions
// below cannot express is done on model() directly (tests that do so include the generated schema
// header).
#ifndef USMP_TESTS_SUPPORT_TFLITE_BUILDER_H_
#define USMP_TESTS_SUPPORT_TFLITE_BUILDER_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/graph.h"

namespace usmp::tflite_file {
struct ModelT;
struct OperatorT;
struct SubGraphT;
struct TensorT;
}  // namespace usmp::tflite_file

namespace usmp::testing {

// Little-endian, as the file wants it.
template <class T>
std::vector<uint8_t> ToBytes(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

struct TensorSpec {
  std::string name{};
  ir::DType type = ir::DType::kInt8;
  std::vector<int32_t> shape{};
  std::vector<float> scales{};  // empty: no quantization parameters
  std::vector<int64_t> zero_points{};
  int32_t axis = 0;                        // quantized dimension
  std::vector<int32_t> shape_signature{};  // empty: none is written
  bool is_variable = false;
};

enum class Padding : uint8_t { kSame, kValid };
enum class Activation : uint8_t { kNone, kRelu, kReluN1To1, kRelu6, kTanh, kSignBit };

struct Conv2dOptions {
  Padding padding = Padding::kSame;
  int32_t stride_h = 1, stride_w = 1;
  int32_t dilation_h = 1, dilation_w = 1;
  Activation activation = Activation::kNone;
};
struct DepthwiseConv2dOptions {
  Padding padding = Padding::kSame;
  int32_t stride_h = 1, stride_w = 1;
  int32_t dilation_h = 1, dilation_w = 1;
  int32_t depth_multiplier = 1;
  Activation activation = Activation::kNone;
};
struct Pool2dOptions {
  Padding padding = Padding::kValid;
  int32_t stride_h = 1, stride_w = 1;
  int32_t filter_h = 1, filter_w = 1;
  Activation activation = Activation::kNone;
};
struct FullyConnectedOptions {
  Activation activation = Activation::kNone;
  bool keep_num_dims = false;
  bool shuffled_weights = false;
};
struct BinaryOptions {  // ADD, SUB, MUL
  Activation activation = Activation::kNone;
};
struct SoftmaxOptions {
  float beta = 1.0F;
};
struct ConcatenationOptions {
  int32_t axis = 0;
  Activation activation = Activation::kNone;
};
struct ReshapeOptions {
  std::vector<int32_t> new_shape{};
};
struct SqueezeOptions {
  std::vector<int32_t> dims{};
};
struct ReducerOptions {  // MEAN
  bool keep_dims = false;
};
using OpOptions =
    std::variant<std::monostate, Conv2dOptions, DepthwiseConv2dOptions, Pool2dOptions,
                 FullyConnectedOptions, BinaryOptions, SoftmaxOptions, ConcatenationOptions,
                 ReshapeOptions, SqueezeOptions, ReducerOptions>;

inline constexpr int kAbsent = -1;  // an optional operand that is not there

class TfliteBuilder {
 public:
  TfliteBuilder();
  ~TfliteBuilder();
  TfliteBuilder(TfliteBuilder&&) noexcept;
  TfliteBuilder& operator=(TfliteBuilder&&) noexcept;

  // Each adds a tensor and returns its index.
  int Tensor(const TensorSpec& spec);  // neither input, output nor constant
  int Input(const TensorSpec& spec);
  int Constant(const TensorSpec& spec, std::vector<uint8_t> data);
  // Appends an operator that writes a new tensor, and returns that tensor. `name` is TensorFlow
  // Lite's
  // ("CONV_2D"), or "CUSTOM:Name". Without options, the operator has no option table.
  int Op(std::string_view name, const std::vector<int>& inputs, const TensorSpec& output,
         const OpOptions& options = {});
  // The same with outputs that exist already.
  void OpInto(std::string_view name, const std::vector<int>& inputs,
              const std::vector<int>& outputs, const OpOptions& options = {});
  void Output(int tensor);

  std::vector<uint8_t> Build() const;

  // The model as it will be written, for what only broken files have.
  tflite_file::ModelT& model() { return *model_; }
  tflite_file::SubGraphT& graph();
  tflite_file::TensorT& tensor(int index);
  tflite_file::OperatorT& op(int index);

 private:
  std::unique_ptr<tflite_file::ModelT> model_;
};

}  // namespace usmp::testing

#endif  // USMP_TESTS_SUPPORT_TFLITE_BUILDER_H_
