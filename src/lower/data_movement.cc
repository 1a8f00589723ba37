#include <cmath>
#include <string>
#include <vector>

#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/scan.h"
#include "lower/tensor_checks.h"
#include "lower/unary.h"

namespace usmp::lower {
namespace {

constexpr size_t kPadLoops = 5;

struct PadWalk {
  std::vector<int64_t> in_counts{}, before{}, after{};  // the outermost first
};

// Dimensions without padding join the one before them: its padding is then counted in their
// elements.
PadWalk PlanPad(const std::vector<int32_t>& shape, const ir::PadAttrs& attributes) {
  PadWalk walk;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t before = attributes.before[d];
    const int64_t after = attributes.after[d];
    if (!walk.in_counts.empty() && before == 0 && after == 0) {
      walk.in_counts.back() *= shape[d];
      walk.before.back() *= shape[d];
      walk.after.back() *= shape[d];
    } else {
      walk.in_counts.push_back(shape[d]);
      walk.before.push_back(before);
      walk.after.push_back(after);
    }
  }
  while (walk.in_counts.size() < kPadLoops) {
    walk.in_counts.insert(walk.in_counts.begin(), 1);
    walk.before.insert(walk.before.begin(), 0);
    walk.after.insert(walk.after.begin(), 0);
  }
  return walk;
}

PadScan ScanOf(const PadWalk& walk) {
  PadScan scan{.in = walk.in_counts, .before = walk.before, .copies_first = true};
  for (size_t d = 0; d < walk.in_counts.size(); ++d) {
    scan.out.push_back(walk.before[d] + walk.in_counts[d] + walk.after[d]);
  }
  const auto pop = [](std::vector<int64_t>& counts) {
    const int64_t last = counts.back();
    counts.pop_back();
    return last;
  };
  scan.in_row = pop(scan.in);
  scan.before_row = pop(scan.before);
  scan.out_row = pop(scan.out);
  return scan;
}

Result<void> CheckPad(const OpBuilder& builder) {
  const auto& attributes = builder.Attributes<ir::PadAttrs>();
  const std::vector<int32_t>& in = builder.Input(0).shape;
  const std::vector<int32_t>& out = builder.Output().shape;
  if (attributes.before.size() != in.size() || attributes.after.size() != in.size() ||
      out.size() != in.size()) {
    return builder.Unsupported("the padding needs a pair for every dimension");
  }
  for (size_t d = 0; d < in.size(); ++d) {
    if (int64_t{attributes.before[d]} + in[d] + attributes.after[d] != out[d]) {
      return builder.Unsupported("the output's shape is not the input's with the padding");
    }
  }
  return {};
}

Result<void> LowerPadInt8(OpBuilder& builder) {
  if (auto ok = CheckInt8(builder); !ok) return ok;
  if (auto ok = CheckPad(builder); !ok) return ok;
  const auto& attributes = builder.Attributes<ir::PadAttrs>();
  const double value = attributes.value.value_or(builder.Output().quantization.zero_points[0]);
  if (!(value >= -128 && value <= 127)) {
    return builder.Unsupported("the padding value is not an int8 value");
  }
  const PadWalk walk = PlanPad(builder.Input(0).shape, attributes);
  if (walk.in_counts.size() > kPadLoops) {
    return builder.Unsupported("padding of more than five dimensions");
  }
  const Operand input = builder.Read(0);
  builder.Call("pad_s8",
               {{"in_count", walk.in_counts},
                {"before", walk.before},
                {"after", walk.after},
                {"value", static_cast<int64_t>(value)}},
               {input, builder.Write()});
  builder.MayOverlap(input, PadDistances(ScanOf(walk), 1));
  return {};
}

bool SameQuantization(const ir::Tensor& a, const ir::Tensor& b) {
  return a.quantization.scales == b.quantization.scales &&
         a.quantization.zero_points == b.quantization.zero_points;
}

// Input `i` must have the output's type and quantization, and its shape apart from the axis.
Result<void> CheckConcatenated(const OpBuilder& builder, size_t i, size_t axis) {
  if (!builder.HasInput(i)) return builder.Unsupported("an input is missing");
  const ir::Tensor& input = builder.Input(i);
  const ir::Tensor& output = builder.Output();
  if (input.dtype != output.dtype || input.dtype == ir::DType::kInt4) {
    return UnsupportedTypes(builder);
  }
  const std::string which = "input " + std::to_string(i);
  if (input.dtype != ir::DType::kFloat32 && !SameQuantization(input, output)) {
    return builder.Unsupported(which + " and the output differ in scale or zero point");
  }
  bool fits = input.shape.size() == output.shape.size();
  for (size_t d = 0; fits && d < input.shape.size(); ++d) {
    fits = d == axis || input.shape[d] == output.shape[d];
  }
  if (!fits) return builder.Unsupported(which + " does not fit the output's shape");
  return {};
}

Result<void> CheckConcatenation(const OpBuilder& builder) {
  const auto& attributes = builder.Attributes<ir::ConcatAttrs>();
  const ir::Tensor& output = builder.Output();
  const auto axis = static_cast<size_t>(attributes.axis);
  if (axis >= output.shape.size()) return builder.Unsupported("the axis is not a dimension");
  if (attributes.activation != ir::Activation::kNone) {
    return builder.Unsupported("a concatenation with an activation");
  }
  int64_t sum = 0;
  for (size_t i = 0; i < builder.op().inputs.size(); ++i) {
    if (auto ok = CheckConcatenated(builder, i, axis); !ok) return ok;
    sum += builder.Input(i).shape[axis];
  }
  if (sum != output.shape[axis]) {
    return builder.Unsupported("the inputs do not add up to the output along the axis");
  }
  return {};
}

// Bytes of the dimensions from `axis` on.
int64_t RowBytes(const ir::Tensor& tensor, int32_t axis) {
  int64_t bytes = ElementBytes(tensor.dtype);
  for (size_t d = static_cast<size_t>(axis); d < tensor.shape.size(); ++d) bytes *= tensor.shape[d];
  return bytes;
}

}  // namespace

Result<void> LowerPad(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerPadFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerPadInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerReshape(OpBuilder& builder) {
  const ir::Tensor& input = builder.Input(0);
  const ir::Tensor& output = builder.Output();
  if (input.dtype != output.dtype) return UnsupportedTypes(builder);
  if (ElementCount(input) != ElementCount(output)) {
    return builder.Unsupported("input and output differ in the number of elements");
  }
  CallCopy(builder, ByteSize(input));
  return {};
}

// A call for each operand: it may die as soon as it has been copied.
Result<void> LowerConcatenation(OpBuilder& builder) {
  if (auto ok = CheckConcatenation(builder); !ok) return ok;
  const ir::Tensor& output = builder.Output();
  const int32_t axis = builder.Attributes<ir::ConcatAttrs>().axis;
  const int64_t out_row_bytes = RowBytes(output, axis);
  int64_t offset = 0;
  for (size_t i = 0; i < builder.op().inputs.size(); ++i) {
    const ir::Tensor& input = builder.Input(i);
    if (ElementCount(input) == 0) continue;
    const int64_t row_bytes = RowBytes(input, axis);
    const int64_t rows = ByteSize(input) / row_bytes;
    const Operand operand = builder.Read(i);
    builder.Call("concatenate",
                 {{"rows", rows},
                  {"in_row_bytes", row_bytes},
                  {"out_row_bytes", out_row_bytes},
                  {"out_offset", offset}},
                 {operand, builder.Write()});
    // Row by row, each by memmove: the furthest ahead when the last one is read.
    const Bytes lead = offset + (rows - 2) * (out_row_bytes - row_bytes);
    builder.MayOverlap(operand, {.forward = rows > 1 ? lead : -ByteSize(input)});
    offset += row_bytes;
  }
  return {};
}

}  // namespace usmp::lower
