#include "kernels/float_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "lower/lower.h"

namespace usmp::kernels_test {
namespace {

struct Field {
  std::string_view name{};
  size_t offset = 0;
  size_t count = 1;
  bool is_float = false;
};

template <class Params>
struct Fields;  // ::kAll, the members of a parameter struct

#define USMP_FIELD(member)                                                             \
  Field {                                                                              \
#member, offsetof(Struct, member), sizeof(Struct::member) / 4,                     \
        std::is_same_v < std::remove_all_extents_t < decltype(Struct::member)>, float> \
  }
#define USMP_WINDOW_FIELDS                                                                      \
  USMP_FIELD(batches), USMP_FIELD(in_h), USMP_FIELD(in_w), USMP_FIELD(in_pixel_stride),         \
      USMP_FIELD(out_h), USMP_FIELD(out_w), USMP_FIELD(out_pixel_stride), USMP_FIELD(kernel_h), \
      USMP_FIELD(kernel_w), USMP_FIELD(stride_h), USMP_FIELD(stride_w), USMP_FIELD(dilation_h), \
      USMP_FIELD(dilation_w), USMP_FIELD(pad_top), USMP_FIELD(pad_left), USMP_FIELD(reverse),   \
      USMP_FIELD(act_min), USMP_FIELD(act_max)
#define USMP_FIELDS_OF(kernel, ...)                \
  template <>                                      \
  struct Fields<usmp_##kernel##_params> {          \
    using Struct = usmp_##kernel##_params;         \
    static constexpr Field kAll[] = {__VA_ARGS__}; \
  };

USMP_FIELDS_OF(conv2d_f32, USMP_WINDOW_FIELDS, USMP_FIELD(groups), USMP_FIELD(in_channels),
               USMP_FIELD(out_channels), USMP_FIELD(inner_begin), USMP_FIELD(inner_end),
               USMP_FIELD(run_pixels))
USMP_FIELDS_OF(depthwise_conv2d_f32, USMP_WINDOW_FIELDS, USMP_FIELD(channels),
               USMP_FIELD(inner_begin), USMP_FIELD(inner_end), USMP_FIELD(run_pixels))
USMP_FIELDS_OF(pool2d_f32, USMP_WINDOW_FIELDS, USMP_FIELD(channels), USMP_FIELD(is_average))
USMP_FIELDS_OF(fully_connected_f32, USMP_FIELD(batches), USMP_FIELD(in_depth),
               USMP_FIELD(out_depth), USMP_FIELD(act_min), USMP_FIELD(act_max))
USMP_FIELDS_OF(binary_f32, USMP_FIELD(is_product), USMP_FIELD(a_factor), USMP_FIELD(b_factor),
               USMP_FIELD(count), USMP_FIELD(a_stride), USMP_FIELD(b_stride), USMP_FIELD(act_min),
               USMP_FIELD(act_max))
USMP_FIELDS_OF(mean_f32, USMP_FIELD(kept), USMP_FIELD(kept_stride), USMP_FIELD(reduced),
               USMP_FIELD(reduced_stride), USMP_FIELD(count))
USMP_FIELDS_OF(pad_f32, USMP_FIELD(in), USMP_FIELD(before), USMP_FIELD(out), USMP_FIELD(in_inner),
               USMP_FIELD(before_inner), USMP_FIELD(out_inner), USMP_FIELD(reverse),
               USMP_FIELD(value))
USMP_FIELDS_OF(softmax_f32, USMP_FIELD(rows), USMP_FIELD(depth), USMP_FIELD(beta))
USMP_FIELDS_OF(logistic_f32, USMP_FIELD(count))
USMP_FIELDS_OF(tanh_f32, USMP_FIELD(count))
USMP_FIELDS_OF(relu_f32, USMP_FIELD(count))
USMP_FIELDS_OF(relu6_f32, USMP_FIELD(count))

void Store(const lower::ParamValue& value, const Field& field, std::byte* to) {
  if (const auto* real = std::get_if<float>(&value)) {
    ASSERT_TRUE(field.is_float && field.count == 1) << field.name;
    std::memcpy(to, real, sizeof(float));
    return;
  }
  std::vector<int64_t> values;
  if (const auto* integer = std::get_if<int64_t>(&value)) values = {*integer};
  if (const auto* array = std::get_if<std::vector<int64_t>>(&value)) values = *array;
  ASSERT_FALSE(field.is_float) << field.name;
  ASSERT_EQ(values.size(), field.count) << field.name;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto narrow = static_cast<int32_t>(values[i]);
    ASSERT_EQ(narrow, values[i]) << field.name;
    std::memcpy(to + i * sizeof(narrow), &narrow, sizeof(narrow));
  }
}

ir::Graph GraphOf(const FloatOp& op) {
  ir::Graph graph;
  ir::Op node{.kind = op.kind, .attributes = op.attributes};
  for (const FloatTensor& input : op.inputs) {
    ir::Tensor tensor{.name = "input", .shape = input.shape};
    const ir::TensorId id{static_cast<uint32_t>(graph.tensors.size())};
    if (input.is_constant) {
      std::vector<uint8_t> bytes(input.values.size() * sizeof(float));
      std::memcpy(bytes.data(), input.values.data(), bytes.size());
      tensor.data = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
    } else {
      graph.inputs.push_back(id);
    }
    graph.tensors.push_back(std::move(tensor));
    node.inputs.push_back(id);
  }
  const ir::TensorId out{static_cast<uint32_t>(graph.tensors.size())};
  graph.tensors.push_back({.name = "output", .shape = op.out_shape});
  node.outputs = {out};
  graph.outputs = {out};
  graph.ops.push_back(std::move(node));
  return graph;
}

// Which values a buffer starts with: a constant's, an input's, or none.
std::vector<float> InitialValues(const FloatOp& op, const lower::Program& program, BufferId id) {
  const lower::Buffer& buffer = program[id];
  std::vector<float> values(static_cast<size_t>(buffer.count),
                            std::numeric_limits<float>::quiet_NaN());
  if (!buffer.data.empty()) std::memcpy(values.data(), buffer.data.data(), buffer.data.size());
  const auto input = std::ranges::find(program.inputs, id);
  if (input == program.inputs.end()) return values;
  auto position = input - program.inputs.begin();
  for (const FloatTensor& tensor : op.inputs) {
    if (!tensor.is_constant && position-- == 0) return tensor.values;
  }
  return values;
}

}  // namespace

FloatCall::FloatCall(const FloatOp& op) {
  const Result<lower::Program> program = lower::Lower(GraphOf(op));
  if (!program) {
    ADD_FAILURE() << program.error().diagnostics[0].message;
    return;
  }
  EXPECT_EQ(program->calls.size(), 1U);
  call_ = program->calls[0];
  for (const lower::Operand& operand : call_.operands) {
    Memory memory;
    if (operand.buffer && operand.access == lower::Access::kScratch) {
      memory.words.resize(static_cast<size_t>((*program)[*operand.buffer].count));
    } else if (operand.buffer) {
      memory.floats = InitialValues(op, *program, *operand.buffer);
    }
    memory_.push_back(std::move(memory));
  }
}

template <class Params>
Params FloatCall::ParamsAs() const {
  Params params{};
  EXPECT_EQ(call_.params.size(), std::size(Fields<Params>::kAll)) << call_.kernel;
  for (const Field& field : Fields<Params>::kAll) {
    const auto given = std::ranges::find(call_.params, field.name, &lower::Param::name);
    if (given == call_.params.end()) {
      ADD_FAILURE() << call_.kernel << " needs " << field.name;
      continue;
    }
    Store(given->value, field, reinterpret_cast<std::byte*>(&params) + field.offset);
  }
  return params;
}
template usmp_conv2d_f32_params FloatCall::ParamsAs() const;
template usmp_depthwise_conv2d_f32_params FloatCall::ParamsAs() const;
template usmp_pool2d_f32_params FloatCall::ParamsAs() const;

std::vector<void*> FloatCall::operands() {
  std::vector<void*> pointers;
  for (Memory& memory : memory_) {
    void* const words = memory.words.empty() ? nullptr : memory.words.data();
    pointers.push_back(memory.floats.empty() ? words : memory.floats.data());
  }
  return pointers;
}

std::vector<float> FloatCall::Run(bool reverse) {
  if (memory_.empty()) return {};
  std::ranges::fill(memory_.back().floats, std::numeric_limits<float>::quiet_NaN());
  const std::vector<void*> pointers = operands();
  const auto run = [&]<class Params>(std::string_view kernel,
                                     void (*function)(const Params*, void* const*)) {
    if (call_.kernel != kernel) return false;
    Params params = ParamsAs<Params>();
    if constexpr (requires { params.reverse; }) params.reverse = reverse ? 1 : 0;
    function(&params, pointers.data());
    return true;
  };
  EXPECT_TRUE(
      run("conv2d_f32", run_conv2d_f32) || run("depthwise_conv2d_f32", run_depthwise_conv2d_f32) ||
      run("pool2d_f32", run_pool2d_f32) || run("fully_connected_f32", run_fully_connected_f32) ||
      run("binary_f32", run_binary_f32) || run("mean_f32", run_mean_f32) ||
      run("pad_f32", run_pad_f32) || run("softmax_f32", run_softmax_f32) ||
      run("logistic_f32", run_logistic_f32) || run("tanh_f32", run_tanh_f32) ||
      run("relu_f32", run_relu_f32) || run("relu6_f32", run_relu6_f32))
      << call_.kernel;
  return memory_.back().floats;
}

std::vector<float> RunOp(const FloatOp& op) { return FloatCall(op).Run(); }

}  // namespace usmp::kernels_test
