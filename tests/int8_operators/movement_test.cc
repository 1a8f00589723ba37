// MEAN, PAD, CONCATENATION, RESHAPE, QUANTIZE and DEQUANTIZE.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "int8_operators/operands.h"
#include "support/one_operator.h"

namespace usmp::testing {
namespace {

std::vector<int32_t> RandomShape(Random& random, int max_rank, int max_extent) {
  std::vector<int32_t> shape(static_cast<size_t>(RandomInt(random, 1, max_rank)));
  for (int32_t& dimension : shape) dimension = RandomInt(random, 1, max_extent);
  return shape;
}

int64_t Count(const std::vector<int32_t>& shape) {
  int64_t count = 1;
  for (int32_t dimension : shape) count *= dimension;
  return count;
}

// Row-major coordinates of element `index`.
std::vector<int32_t> Coordinates(int64_t index, const std::vector<int32_t>& shape) {
  std::vector<int32_t> result(shape.size());
  for (size_t d = shape.size(); d-- > 0; index /= shape[d]) {
    result[d] = static_cast<int32_t>(index % shape[d]);
  }
  return result;
}

size_t Index(const std::vector<int32_t>& coordinates, const std::vector<int32_t>& shape) {
  int64_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + coordinates[d];
  return static_cast<size_t>(index);
}

TEST(MeanInt8, EqualsTheReference) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<int32_t> shape = RandomShape(random, 5, 6);
    if (i % 3 == 0) shape.back() = RandomInt(random, 10, 50);
    std::vector<int32_t> axes;
    std::vector<int32_t> kept = shape;  // ones where reduced
    int64_t elements = 1;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (RandomInt(random, 0, 1) == 0) continue;
      axes.push_back(static_cast<int32_t>(d));
      kept[d] = 1;
      elements *= shape[d];
    }
    const Affine in = RandomAffine(random);
    const Affine out = i % 4 == 0 ? in : RandomAffine(random);
    const ByteVector bytes = RandomBytes(random, Count(shape));
    const auto graph = OneOperator(ir::OpKind::kMean, {Quantized(shape, in)}, Quantized(kept, out),
                                   ir::ReduceAttrs{.axes = axes, .keep_dims = true});
    const ByteVector result = LowerAndRun(graph, {bytes});
    std::vector<int32_t> sums(static_cast<size_t>(Count(kept)));
    for (int64_t k = 0; k < Count(shape); ++k) {
      std::vector<int32_t> at = Coordinates(k, shape);
      for (int32_t axis : axes) at[static_cast<size_t>(axis)] = 0;
      sums[Index(at, kept)] += static_cast<int8_t>(bytes[static_cast<size_t>(k)]);
    }
    ASSERT_EQ(result.size(), sums.size());
    for (size_t k = 0; k < sums.size(); ++k) {
      ASSERT_EQ(static_cast<int8_t>(result[k]), ReferenceMean(sums[k], elements, in, out))
          << "case " << i << ", element " << k;
    }
  }
}

TEST(PadInt8, EqualsTheReference) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const std::vector<int32_t> shape = RandomShape(random, 5, 5);
    ir::PadAttrs pad;
    std::vector<int32_t> out_shape;
    for (int32_t dimension : shape) {
      const bool none = RandomInt(random, 0, 1) == 0;
      pad.before.push_back(none ? 0 : RandomInt(random, 0, 2));
      pad.after.push_back(none ? 0 : RandomInt(random, 0, 3));
      out_shape.push_back(pad.before.back() + dimension + pad.after.back());
    }
    const Affine q = RandomAffine(random);
    int32_t value = q.zero_point;
    if (i % 2 == 1) {
      value = RandomInt(random, -128, 127);
      pad.value = value;
    }
    const ByteVector bytes = RandomBytes(random, Count(shape));
    ByteVector expected(static_cast<size_t>(Count(out_shape)), static_cast<uint8_t>(value));
    for (int64_t k = 0; k < Count(shape); ++k) {
      std::vector<int32_t> at = Coordinates(k, shape);
      for (size_t d = 0; d < at.size(); ++d) at[d] += pad.before[d];
      expected[Index(at, out_shape)] = bytes[static_cast<size_t>(k)];
    }
    EXPECT_EQ(LowerAndRun(OneOperator(ir::OpKind::kPad, {Quantized(shape, q)},
                                      Quantized(out_shape, q), pad),
                          {bytes}),
              expected)
        << i;
  }
}

TEST(Concatenation, CopiesEveryTypeAlongEveryAxis) {
  Random random(3);
  constexpr ir::DType kTypes[] = {ir::DType::kInt8,  ir::DType::kUInt8, ir::DType::kInt16,
                                  ir::DType::kInt32, ir::DType::kInt64, ir::DType::kFloat32,
                                  ir::DType::kBool};
  for (int i = 0; i < 200; ++i) {
    const ir::DType type = kTypes[i % 7];
    const auto element = static_cast<size_t>(ir::ElementBytes(type));
    std::vector<int32_t> out_shape = RandomShape(random, 4, 4);
    const int axis = RandomInt(random, 0, static_cast<int>(out_shape.size()) - 1);
    int32_t& extent = out_shape[static_cast<size_t>(axis)];
    extent = 0;
    std::vector<ir::Tensor> inputs;
    std::vector<std::vector<int32_t>> shapes(static_cast<size_t>(RandomInt(random, 1, 4)),
                                             out_shape);
    for (auto& shape : shapes) {
      shape[static_cast<size_t>(axis)] = RandomInt(random, 1, 3);
      extent += shape[static_cast<size_t>(axis)];
    }
    std::vector<ByteVector> operands;
    std::vector<ByteVector> variables;
    for (const auto& shape : shapes) {
      operands.push_back(RandomBytes(random, Count(shape) * ir::ElementBytes(type)));
      inputs.push_back(Quantized(shape, {0.5F, 0}, type));
      if (RandomInt(random, 0, 3) == 0) {
        inputs.back() = WithData(inputs.back(), operands.back());
      } else {
        variables.push_back(operands.back());
      }
    }
    ByteVector expected(static_cast<size_t>(Count(out_shape)) * element);
    int32_t start = 0;
    for (size_t n = 0; n < shapes.size(); ++n) {
      for (int64_t k = 0; k < Count(shapes[n]); ++k) {
        std::vector<int32_t> at = Coordinates(k, shapes[n]);
        at[static_cast<size_t>(axis)] += start;
        std::memcpy(&expected[Index(at, out_shape) * element],
                    &operands[n][static_cast<size_t>(k) * element], element);
      }
      start += shapes[n][static_cast<size_t>(axis)];
    }
    EXPECT_EQ(LowerAndRun(
                  OneOperator(ir::OpKind::kConcatenation, inputs,
                              Quantized(out_shape, {0.5F, 0}, type), ir::ConcatAttrs{.axis = axis}),
                  variables),
              expected)
        << i;
  }
}

TEST(Concatenation, RefusesToRescale) {
  const auto graph = OneOperator(ir::OpKind::kConcatenation,
                                 {Quantized({2}, {0.5F, 0}), Quantized({2}, {0.25F, 0})},
                                 Quantized({4}, {0.5F, 0}), ir::ConcatAttrs{});
  EXPECT_EQ(WhyNot(graph), "input 1 and the output differ in scale or zero point");
}

TEST(Reshape, FromInputToOutputIsACopy) {
  const ByteVector bytes = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(LowerAndRun(OneOperator(ir::OpKind::kReshape, {Quantized({2, 3}, {})},
                                    Quantized({6}, {}), ir::NoAttrs{}),
                        {bytes}),
            bytes);
}

int32_t Value(uint8_t byte, ir::DType type) {
  return type == ir::DType::kUInt8 ? byte : static_cast<int8_t>(byte);
}

Affine RandomAffineOf(Random& random, ir::DType type) {
  Affine affine = RandomAffine(random);
  if (type == ir::DType::kUInt8) affine.zero_point += 128;
  return affine;
}

TEST(Quantize, BetweenEightBitTypesForEveryInput) {
  Random random(4);
  ByteVector bytes(256);
  for (size_t i = 0; i < 256; ++i) bytes[i] = static_cast<uint8_t>(i);
  constexpr ir::DType kTypes[] = {ir::DType::kInt8, ir::DType::kUInt8};
  for (int i = 0; i < 2000; ++i) {
    const ir::DType from = kTypes[i % 2];
    const ir::DType to = kTypes[i / 2 % 2];
    const Affine in = RandomAffineOf(random, from);
    Affine out = RandomAffineOf(random, to);
    if (i % 5 == 0) out.scale = in.scale;
    if (i % 5 == 1) out.scale = in.scale * 4;  // ties
    const double ratio = double{in.scale} / double{out.scale};
    const int min = to == ir::DType::kUInt8 ? 0 : -128;
    const ByteVector result =
        LowerAndRun(OneOperator(ir::OpKind::kQuantize, {Quantized({256}, in, from)},
                                Quantized({256}, out, to), ir::NoAttrs{}),
                    {bytes});
    for (size_t k = 0; k < 256; ++k) {
      ASSERT_EQ(Value(result[k], to),
                ReferenceRescale(Value(bytes[k], from), in, out, ratio, min, min + 255))
          << "case " << i << ", byte " << k;
    }
  }
}

ByteVector Bytes(const std::vector<float>& values) {
  ByteVector bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Around every half step, where rounding decides, and far outside the range.
std::vector<float> HardFloats(float scale) {
  std::vector<float> values = {0.0F,
                               -0.0F,
                               1e30F,
                               -1e30F,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity()};
  for (int half = -600; half <= 600; ++half) {
    const float x = static_cast<float>(half) * 0.5F * scale;
    values.insert(values.end(), {x, std::nextafter(x, -1e30F), std::nextafter(x, 1e30F)});
  }
  return values;
}

TEST(Quantize, FromFloatRoundsHalvesAwayFromZero) {
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    const ir::DType type = i % 2 == 0 ? ir::DType::kInt8 : ir::DType::kUInt8;
    const Affine q = RandomAffineOf(random, type);
    const int min = type == ir::DType::kUInt8 ? 0 : -128;
    const std::vector<float> values = HardFloats(q.scale);
    const auto count = static_cast<int32_t>(values.size());
    const ByteVector result = LowerAndRun(OneOperator(ir::OpKind::kQuantize, {Float({count})},
                                                      Quantized({count}, q, type), ir::NoAttrs{}),
                                          {Bytes(values)});
    for (size_t k = 0; k < values.size(); ++k) {
      const double rounded = std::round(values[k] / q.scale);
      const double expected = std::clamp<double>(rounded + q.zero_point, min, min + 255);
      ASSERT_EQ(Value(result[k], type), expected) << values[k] << " / " << q.scale;
    }
  }
}

TEST(Quantize, NotANumberIsTheLeastValue) {
  const auto graph =
      OneOperator(ir::OpKind::kQuantize, {Float({1})}, Quantized({1}, {0.5F, 3}), ir::NoAttrs{});
  EXPECT_EQ(LowerAndRun(graph, {Bytes({std::numeric_limits<float>::quiet_NaN()})}),
            ByteVector{0x80});
}

TEST(Dequantize, EqualsTheProductInDouble) {
  Random random(6);
  ByteVector bytes(256);
  for (size_t i = 0; i < 256; ++i) bytes[i] = static_cast<uint8_t>(i);
  for (int i = 0; i < 300; ++i) {
    const ir::DType type = i % 2 == 0 ? ir::DType::kInt8 : ir::DType::kUInt8;
    const Affine q = RandomAffineOf(random, type);
    const ByteVector result =
        LowerAndRun(OneOperator(ir::OpKind::kDequantize, {Quantized({256}, q, type)}, Float({256}),
                                ir::NoAttrs{}),
                    {bytes});
    for (size_t k = 0; k < 256; ++k) {
      float actual = 0;
      std::memcpy(&actual, &result[k * sizeof(float)], sizeof(float));
      const double scale = q.scale;
      const auto expected = static_cast<float>(scale * (Value(bytes[k], type) - q.zero_point));
      ASSERT_EQ(std::bit_cast<uint32_t>(actual), std::bit_cast<uint32_t>(expected)) << k;
    }
  }
}

TEST(StridedSlice, TakesEveryElementFromItsPlace) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const std::vector<int32_t> shape = RandomShape(random, 5, 6);
    ir::StridedSliceAttrs attributes;
    for (int32_t extent : shape) {
      const int32_t stride = RandomInt(random, 1, 3) * (RandomInt(random, 0, 1) == 0 ? 1 : -1);
      const int32_t begin = RandomInt(random, 0, extent - 1);
      const int32_t room = stride > 0 ? extent - 1 - begin : begin;
      attributes.begin.push_back(begin);
      attributes.stride.push_back(stride);
      attributes.count.push_back(RandomInt(random, 1, room / std::abs(stride) + 1));
    }
    const std::vector<int32_t> out = attributes.count;
    const ByteVector bytes = RandomBytes(random, Count(shape));
    ByteVector expected;
    for (int64_t e = 0; e < Count(out); ++e) {
      std::vector<int32_t> at = Coordinates(e, out);
      for (size_t d = 0; d < at.size(); ++d) {
        at[d] = attributes.begin[d] + at[d] * attributes.stride[d];
      }
      expected.push_back(bytes[Index(at, shape)]);
    }
    const Affine q{0.5F, 3};
    EXPECT_EQ(LowerAndRun(OneOperator(ir::OpKind::kStridedSlice, {Quantized(shape, q)},
                                      Quantized(out, q), attributes),
                          {bytes}),
              expected)
        << "case " << i;
  }
}

TEST(Transpose, PutsEveryElementInItsPlace) {
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const std::vector<int32_t> shape = RandomShape(random, 5, 6);
    ir::TransposeAttrs attributes;
    for (size_t d = 0; d < shape.size(); ++d) {
      attributes.permutation.push_back(static_cast<int32_t>(d));
    }
    std::ranges::shuffle(attributes.permutation, random);
    std::vector<int32_t> out;
    for (int32_t d : attributes.permutation) out.push_back(shape[static_cast<size_t>(d)]);
    const ByteVector bytes = RandomBytes(random, Count(shape));
    ByteVector expected;
    for (int64_t e = 0; e < Count(out); ++e) {
      const std::vector<int32_t> at = Coordinates(e, out);
      std::vector<int32_t> from(shape.size());
      for (size_t d = 0; d < at.size(); ++d) {
        from[static_cast<size_t>(attributes.permutation[d])] = at[d];
      }
      expected.push_back(bytes[Index(from, shape)]);
    }
    const Affine q{0.5F, 3};
    EXPECT_EQ(LowerAndRun(OneOperator(ir::OpKind::kTranspose, {Quantized(shape, q)},
                                      Quantized(out, q), attributes),
                          {bytes}),
              expected)
        << "case " << i;
  }
}

}  // namespace
}  // namespace usmp::testing
