// Convolutions and pools over the parities of padding, stride, dilation and channel counts.
#include <gtest/gtest.h>

#include "e2e/compare.h"
#include "e2e/models.h"

namespace usmp::testing {
namespace {

using oracle::Activation;
using oracle::Model;
using oracle::Type;

constexpr int32_t kChannelCounts[] = {1, 2, 3, 4, 5, 8, 15, 16, 17, 33};

struct Shape {
  int32_t height, width, filter_h, filter_w, stride_h, stride_w, dilation_h, dilation_w;
};
// Windows that fit evenly and unevenly, that leave a rest, that are larger than the image (SAME),
// strides larger than the window, one row, one column, one pixel.
constexpr Shape kShapes[] = {
    {5, 5, 3, 3, 1, 1, 1, 1}, {6, 5, 3, 3, 2, 2, 1, 1},   {5, 6, 2, 2, 1, 1, 1, 1},
    {6, 6, 2, 3, 2, 1, 1, 1}, {7, 8, 3, 3, 1, 1, 2, 2},   {8, 7, 3, 2, 2, 1, 1, 3},
    {4, 4, 1, 1, 1, 1, 1, 1}, {5, 4, 1, 1, 2, 2, 1, 1},   {2, 2, 5, 5, 1, 1, 1, 1},
    {3, 9, 4, 1, 3, 1, 1, 1}, {1, 9, 1, 3, 1, 2, 1, 1},   {9, 1, 3, 1, 2, 1, 1, 1},
    {1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 3, 3, 1, 1, 1, 1},   {7, 7, 2, 2, 3, 4, 1, 1},
    {3, 3, 3, 3, 1, 1, 3, 3}, {20, 2, 17, 2, 1, 1, 1, 1}, {6, 40, 3, 18, 1, 1, 1, 1},
};
constexpr Activation kActivations[] = {Activation::kNone, Activation::kRelu, Activation::kRelu6,
                                       Activation::kReluN1To1};
constexpr int32_t kZeroPoints[] = {3, -128, 127, 0};

// Runs through the other dimensions of a case as `number` grows, each at its own pace.
void Vary(WindowCase& c, size_t number) {
  c.activation = kActivations[number % 4];
  c.in_zero_point = kZeroPoints[number / 2 % 4];
  c.out_zero_point = kZeroPoints[number / 3 % 4];
  c.batch = number % 5 == 4 ? 2 : 1;
  c.bias = number % 7 != 6;
  c.per_channel = number % 3 != 2;
}

WindowCase CaseOf(const std::string& kind, Type type, const Shape& shape, bool same) {
  return {.kind = kind,
          .type = type,
          .height = shape.height,
          .width = shape.width,
          .filter_h = shape.filter_h,
          .filter_w = shape.filter_w,
          .stride_h = shape.stride_h,
          .stride_w = shape.stride_w,
          .dilation_h = shape.dilation_h,
          .dilation_w = shape.dilation_w,
          .same = same};
}

std::vector<Model> ModelsOfEveryShape(const std::string& kind, Type type) {
  const bool is_pool = kind == "AVERAGE_POOL_2D" || kind == "MAX_POOL_2D";
  std::vector<Model> models;
  Random random(1);
  for (const Shape& shape : kShapes) {
    if (is_pool && (shape.dilation_h > 1 || shape.dilation_w > 1)) continue;
    for (bool same : {false, true}) {
      WindowCase c = CaseOf(kind, type, shape, same);
      if (!HasOutput(c)) continue;
      Vary(c, models.size());
      c.channels = kChannelCounts[models.size() % 4];
      c.out_channels = kChannelCounts[(models.size() + 3) % 6];
      models.push_back(WindowModel(c, random));
    }
  }
  return models;
}

std::vector<Model> ModelsOfEveryChannelCount(const std::string& kind, Type type) {
  std::vector<Model> models;
  Random random(2);
  for (int32_t channels : kChannelCounts) {
    for (int32_t filter : {1, 3}) {
      WindowCase c = CaseOf(kind, type, {5, 4, filter, filter, 1, 1, 1, 1}, true);
      Vary(c, models.size());
      c.channels = channels;
      c.out_channels = kChannelCounts[(models.size() * 7 + 4) % 10];
      models.push_back(WindowModel(c, random));
    }
  }
  return models;
}

struct KindAndType {
  const char* kind;
  Type type;
};

class Window : public ::testing::TestWithParam<KindAndType> {};

TEST_P(Window, EveryShape) {
  ExpectOracleOutputs(ModelsOfEveryShape(GetParam().kind, GetParam().type));
}

TEST_P(Window, EveryChannelCount) {
  ExpectOracleOutputs(ModelsOfEveryChannelCount(GetParam().kind, GetParam().type));
}

INSTANTIATE_TEST_SUITE_P(All, Window,
                         ::testing::Values(KindAndType{"CONV_2D", Type::kInt8},
                                           KindAndType{"CONV_2D", Type::kFloat32},
                                           KindAndType{"DEPTHWISE_CONV_2D", Type::kInt8},
                                           KindAndType{"DEPTHWISE_CONV_2D", Type::kFloat32},
                                           KindAndType{"AVERAGE_POOL_2D", Type::kInt8},
                                           KindAndType{"AVERAGE_POOL_2D", Type::kFloat32},
                                           KindAndType{"MAX_POOL_2D", Type::kInt8},
                                           KindAndType{"MAX_POOL_2D", Type::kFloat32}),
                         [](const auto& row) {
                           return std::string(row.param.kind) +
                                  (row.param.type == Type::kInt8 ? "_int8" : "_float32");
                         });

TEST(Conv2d, Groups) {
  std::vector<Model> models;
  Random random(3);
  for (Type type : {Type::kInt8, Type::kFloat32}) {
    for (int32_t groups : {2, 3, 6}) {
      for (int32_t per_group : {1, 2, 5}) {
        WindowCase c = CaseOf("CONV_2D", type, {5, 6, 3, 3, 2, 1, 1, 1}, true);
        Vary(c, models.size());
        c.groups = groups;
        c.channels = 6 * (1 + groups % 2);
        c.out_channels = groups * per_group;
        models.push_back(WindowModel(c, random));
      }
    }
  }
  ExpectOracleOutputs(models);
}

TEST(DepthwiseConv2d, Multipliers) {
  std::vector<Model> models;
  Random random(4);
  for (Type type : {Type::kInt8, Type::kFloat32}) {
    for (int32_t multiplier : {2, 3, 4, 8, 17}) {
      for (int32_t channels : {1, 3, 8}) {
        WindowCase c =
            CaseOf("DEPTHWISE_CONV_2D", type, {6, 5, 3, 3, 1, 2, 1, 1}, models.size() % 2 == 0);
        Vary(c, models.size());
        c.channels = channels;
        c.depth_multiplier = multiplier;
        models.push_back(WindowModel(c, random));
      }
    }
  }
  ExpectOracleOutputs(models);
}

// The corners of the int8 arithmetic: every zero point with every other, in and out.
TEST(Conv2d, ZeroPointExtremes) {
  std::vector<Model> models;
  Random random(5);
  for (const char* kind : {"CONV_2D", "DEPTHWISE_CONV_2D"}) {
    for (int32_t in : kZeroPoints) {
      for (int32_t out : kZeroPoints) {
        WindowCase c = CaseOf(kind, Type::kInt8, {4, 4, 3, 3, 1, 1, 1, 1}, true);
        c.in_zero_point = in;
        c.out_zero_point = out;
        models.push_back(WindowModel(c, random));
      }
    }
  }
  ExpectOracleOutputs(models);
}

}  // namespace
}  // namespace usmp::testing
