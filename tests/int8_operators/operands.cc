#include "int8_operators/operands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "lower/lower.h"

namespace usmp::testing {

ir::Tensor Quantized(std::vector<int32_t> shape, Affine affine, ir::DType type) {
  return {.dtype = type,
          .shape = std::move(shape),
          .quantization = {.scales = {affine.scale}, .zero_points = {affine.zero_point}}};
}

ir::Tensor Float(std::vector<int32_t> shape) {
  return {.dtype = ir::DType::kFloat32, .shape = std::move(shape)};
}

ir::Tensor WithData(ir::Tensor tensor, ByteVector bytes) {
  tensor.data = std::make_shared<const ByteVector>(std::move(bytes));
  return tensor;
}

int RandomInt(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

Affine RandomAffine(Random& random) {
  constexpr int32_t kZeroPoints[] = {-128, 0, 127};
  const double exponent = std::uniform_real_distribution<double>(-9.0, 1.0)(random);
  const int choice = RandomInt(random, 0, 5);
  return {static_cast<float>(std::exp2(exponent)),
          choice < 3 ? kZeroPoints[choice] : RandomInt(random, -128, 127)};
}

ByteVector RandomBytes(Random& random, int64_t count) {
  constexpr uint8_t kExtremes[] = {0x80, 0x7F, 0x00};
  ByteVector bytes(static_cast<size_t>(count));
  int left = 0;
  uint8_t extreme = 0;
  for (uint8_t& byte : bytes) {
    if (left == 0 && RandomInt(random, 0, 15) == 0) {
      left = RandomInt(random, 1, 40);
      extreme = kExtremes[RandomInt(random, 0, 2)];
    }
    byte = left > 0 ? extreme : static_cast<uint8_t>(random() >> 24);
    left -= left > 0 ? 1 : 0;
  }
  return bytes;
}

lower::Program LowerOrDie(const ir::Graph& graph) {
  auto program = lower::Lower(graph);
  if (program) return *std::move(program);
  ADD_FAILURE() << program.error().diagnostics[0].message;
  return {};
}

ByteVector LowerAndRun(const ir::Graph& graph, const std::vector<ByteVector>& inputs) {
  const lower::Program program = LowerOrDie(graph);
  if (program.calls.empty()) return {};
  return RunProgram(program, inputs)[0];
}

std::string WhyNot(const ir::Graph& graph) {
  const auto program = lower::Lower(graph);
  if (program) return "";
  EXPECT_EQ(program.error().diagnostics.size(), 1U);
  return program.error().diagnostics[0].message;
}

}  // namespace usmp::testing
