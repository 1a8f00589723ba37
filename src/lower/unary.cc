#include "lower/unary.h"

#include <algorithm>
#include <optional>

#include "lower/linear_fit.h"

namespace usmp::lower {
namespace {

// What turns a byte of that type into the int8 value that stands for it.
int32_t Flip(const ir::Tensor& tensor) { return tensor.dtype == ir::DType::kUInt8 ? 0x80 : 0; }

bool IsIdentity(const UnaryTable& table) {
  for (int i = 0; i < 256; ++i) {
    if (table[static_cast<size_t>(i)] != i - 128) return false;
  }
  return true;
}

}  // namespace

UnaryTable TabulateRescale(int32_t in_zero_point, FixedPointMultiplier by, int32_t out_zero_point,
                           QuantizedRange range) {
  UnaryTable table{};
  for (int32_t x = -128; x < 128; ++x) {
    const int64_t y =
        int64_t{MultiplyByQuantizedMultiplier(x - in_zero_point, by)} + out_zero_point;
    table[static_cast<size_t>(x + 128)] =
        static_cast<int8_t>(std::clamp<int64_t>(y, range.min, range.max));
  }
  return table;
}

void CallUnary(OpBuilder& builder, const UnaryTable& table, double ratio) {
  const int32_t in_flip = Flip(builder.Input(0));
  const int32_t out_flip = Flip(builder.Output());
  const int64_t count = ElementCount(builder.Input(0));
  if (IsIdentity(table) && in_flip == out_flip) {
    CallCopy(builder, count);
    return;
  }
  const auto [min, max] = std::ranges::minmax(table);
  const std::optional<LinearFormula> formula = FitUnary(table, ratio, min, max);
  if (!formula) {
    CallLookup(builder, table);
    return;
  }
  const Operand input = builder.Read(0);
  builder.Call("rescale_s8",
               {{"count", count},
                {"multiplier", formula->a_multiplier},
                {"offset", formula->offset},
                {"shift", formula->shift},
                {"min", min},
                {"max", max},
                {"in_flip", in_flip},
                {"out_flip", out_flip}},
               {input, builder.Write()});
  builder.MayOverlap(input, ElementwiseDistances(count, 1, 1));
  builder.ByPixels();
}

void CallCopy(OpBuilder& builder, Bytes bytes) {
  const Operand input = builder.Read(0);
  builder.Call("copy", {{"bytes", bytes}}, {input, builder.Write()});
  builder.MayOverlap(input, {.forward = -bytes});  // memmove
}

void CallLookup(OpBuilder& builder, const UnaryTable& table) {
  UnaryTable by_byte{};
  for (int byte = 0; byte < 256; ++byte) {
    const auto x = static_cast<int8_t>(byte ^ Flip(builder.Input(0)));
    by_byte[static_cast<size_t>(byte)] =
        static_cast<int8_t>(table[static_cast<size_t>(x + 128)] ^ Flip(builder.Output()));
  }
  const Operand input = builder.Read(0);
  const int64_t count = ElementCount(builder.Input(0));
  builder.Call(
      "lookup_s8", {{"count", count}},
      {input, builder.Constant("table", std::span<const int8_t>(by_byte)), builder.Write()});
  builder.MayOverlap(input, ElementwiseDistances(count, 1, 1));
  builder.ByPixels();
}

}  // namespace usmp::lower
