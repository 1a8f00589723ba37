#include "import/tflite/slices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace usmp::import::tflite {
namespace {

using Shape = std::vector<int32_t>;

// The whole of a tensor.
ir::StridedSliceAttrs Whole(const Shape& shape) {
  return {.begin = Shape(shape.size(), 0), .count = shape, .stride = Shape(shape.size(), 1)};
}

// [begin, begin + count) of one dimension, within it or reported.
void SetPart(OpReader& reader, size_t data, int32_t axis, int64_t begin, int64_t count) {
  const Shape& shape = reader.Input(data).shape;
  const auto d = static_cast<size_t>(axis);
  if (begin < 0 || count < 0 || begin > shape[d] || count > shape[d] - begin) {
    return reader.Broken(
        fmt::format("its part of {} elements from {} on is not inside dimension "
                    "{} of its input of shape [{}]",
                    count, begin, axis, fmt::join(shape, ",")));
  }
  ir::StridedSliceAttrs attributes = Whole(shape);
  attributes.begin[d] = static_cast<int32_t>(begin);
  attributes.count[d] = static_cast<int32_t>(count);
  reader.op().inputs = {reader.op().inputs[data]};
  reader.SetOutputShape(attributes.count);
  reader.op().attributes = std::move(attributes);
}

// The one integer of operand `index`, an axis of operand `data`.
std::optional<int32_t> AxisOperand(OpReader& reader, size_t index, size_t data) {
  const auto axes = reader.ConstantIntegers(index, "axis");
  if (!axes) return std::nullopt;
  if (axes->size() != 1) {
    reader.Broken(fmt::format("its axis has {} elements instead of 1", axes->size()));
    return std::nullopt;
  }
  return reader.ReadAxis(axes->front(), reader.Input(data).shape.size());
}

// One index of a STRIDED_SLICE, as Python understands a[begin:end:stride].
struct Range {
  int64_t begin = 0, end = 0, stride = 1;
  bool has_begin = true, has_end = true, is_one = false;
};

// First element and number of elements in a dimension of `size`.
std::pair<int64_t, int64_t> Elements(const Range& range, int64_t size) {
  const bool forward = range.stride > 0;
  const int64_t low = forward ? 0 : -1;
  const int64_t high = forward ? size : size - 1;
  const auto place = [&](int64_t index) {
    return std::clamp(index < 0 ? index + size : index, low, high);
  };
  if (range.is_one) return {range.begin < 0 ? range.begin + size : range.begin, 1};
  const int64_t begin = range.has_begin ? place(range.begin) : (forward ? low : high);
  const int64_t end = range.has_end ? place(range.end) : (forward ? high : low);
  const int64_t step = forward ? range.stride : -range.stride;
  const int64_t span = forward ? end - begin : begin - end;
  return {begin, span <= 0 ? 0 : (span + step - 1) / step};
}

// The lists of a STRIDED_SLICE, and its masks by index of the lists.
struct Slicing {
  std::vector<int64_t> begin{}, end{}, stride{};
  uint32_t begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_mask = 0;
  bool ends_are_counts = false;

  static bool Bit(uint32_t mask, size_t i) { return i < 32 && (mask >> i & 1) != 0; }
  Range At(size_t i) const {
    Range range{begin[i],           end[i], stride[i], !Bit(begin_mask, i), !Bit(end_mask, i),
                Bit(shrink_mask, i)};
    if (ends_are_counts) range.end += range.begin;
    return range;
  }
};

// Adds a dimension of the input to the attributes, and to the output's shape unless it shrinks.
bool AppendRange(OpReader& reader, const Range& range, int64_t size, ir::StridedSliceAttrs& out,
                 Shape& shape) {
  const auto [begin, count] = Elements(range, size);
  const bool outside = range.is_one && (begin < 0 || begin >= size);
  if (range.stride == 0 || std::abs(range.stride) > std::numeric_limits<int32_t>::max() ||
      outside) {
    reader.Broken(fmt::format("its index {}:{}:{} of a dimension of {} elements is not possible",
                              range.begin, range.end, range.stride, size));
    return false;
  }
  out.begin.push_back(static_cast<int32_t>(count == 0 ? 0 : begin));
  out.count.push_back(static_cast<int32_t>(count));
  out.stride.push_back(count > 1 ? static_cast<int32_t>(range.stride) : 1);
  if (!range.is_one) shape.push_back(out.count.back());
  return true;
}

void SetSlicing(OpReader& reader, const Slicing& slicing) {
  const Shape& in = reader.Input(0).shape;
  const size_t indices = slicing.begin.size();
  size_t used = 0;  // dimensions of the input that the indices name
  for (size_t i = 0; i < indices; ++i) {
    const bool names_none =
        Slicing::Bit(slicing.ellipsis_mask, i) || Slicing::Bit(slicing.new_axis_mask, i);
    used += names_none ? 0 : 1;
  }
  if (used > in.size()) {
    return reader.Broken(
        fmt::format("it has {} indices for an input of shape [{}]", used, fmt::join(in, ",")));
  }
  ir::StridedSliceAttrs attributes;
  Shape shape;
  size_t d = 0;
  const auto append_all = [&](size_t dimensions) {
    for (; dimensions > 0; --dimensions, ++d) {
      AppendRange(reader, {.has_begin = false, .has_end = false}, in[d], attributes, shape);
    }
  };
  for (size_t i = 0; i < indices; ++i) {
    if (Slicing::Bit(slicing.ellipsis_mask, i)) {
      append_all(in.size() - used);
      used = in.size();
    } else if (Slicing::Bit(slicing.new_axis_mask, i)) {
      shape.push_back(1);
    } else if (!AppendRange(reader, slicing.At(i), in[d++], attributes, shape)) {
      return;
    }
  }
  append_all(in.size() - d);
  reader.SetOutputShape(std::move(shape));
  reader.op().attributes = std::move(attributes);
}

}  // namespace

void ReadTranspose(OpReader& reader) {
  const auto order = reader.ConstantIntegers(1, "order of dimensions");
  if (!order) return;
  ir::TransposeAttrs attributes;
  for (int64_t axis : *order) {
    const auto dimension = reader.ReadAxis(axis, reader.Input(0).shape.size());
    if (!dimension) return;
    attributes.permutation.push_back(*dimension);
  }
  reader.op().attributes = std::move(attributes);
}

void ReadStridedSlice(OpReader& reader) {
  const auto begin = reader.ConstantIntegers(1, "begins");
  const auto end = reader.ConstantIntegers(2, "ends");
  const auto stride = reader.ConstantIntegers(3, "strides");
  if (!begin || !end || !stride) return;
  if (begin->size() != end->size() || begin->size() != stride->size()) {
    return reader.Broken(fmt::format("it has {} begins, {} ends and {} strides", begin->size(),
                                     end->size(), stride->size()));
  }
  Slicing slicing{.begin = *begin, .end = *end, .stride = *stride};
  if (const auto* options = reader.Options<file::StridedSliceOptions>()) {
    slicing.begin_mask = static_cast<uint32_t>(options->begin_mask());
    slicing.end_mask = static_cast<uint32_t>(options->end_mask());
    slicing.ellipsis_mask = static_cast<uint32_t>(options->ellipsis_mask());
    slicing.new_axis_mask = static_cast<uint32_t>(options->new_axis_mask());
    slicing.shrink_mask = static_cast<uint32_t>(options->shrink_axis_mask());
    slicing.ends_are_counts = options->offset();
  }
  for (const auto* list : {&slicing.begin, &slicing.end, &slicing.stride}) {
    for (int64_t index : *list) {
      if (index >= std::numeric_limits<int32_t>::min() &&
          index <= std::numeric_limits<int32_t>::max()) {
        continue;
      }
      return reader.Broken(fmt::format("its index {} is not possible", index));
    }
  }
  SetSlicing(reader, slicing);
}

void ReadSlice(OpReader& reader) {
  const auto begin = reader.ConstantIntegers(1, "begins");
  const auto size = reader.ConstantIntegers(2, "sizes");
  if (!begin || !size) return;
  const Shape& in = reader.Input(0).shape;
  if (begin->size() != in.size() || size->size() != in.size()) {
    return reader.Broken(fmt::format("it has {} begins and {} sizes for an input of shape [{}]",
                                     begin->size(), size->size(), fmt::join(in, ",")));
  }
  ir::StridedSliceAttrs attributes = Whole(in);
  for (size_t d = 0; d < in.size(); ++d) {
    const int64_t first = (*begin)[d];
    const int64_t count =
        (*size)[d] == -1 ? in[d] - std::clamp<int64_t>(first, 0, in[d]) : (*size)[d];
    if (first < 0 || count < 0 || first > in[d] || count > in[d] - first) {
      return reader.Broken(
          fmt::format("its {} elements from {} on are not inside dimension {} of "
                      "its input of shape [{}]",
                      count, first, d, fmt::join(in, ",")));
    }
    attributes.begin[d] = static_cast<int32_t>(count == 0 ? 0 : first);
    attributes.count[d] = static_cast<int32_t>(count);
  }
  reader.SetOutputShape(attributes.count);
  reader.op().attributes = std::move(attributes);
}

void ReadSplit(OpReader& reader) {
  const auto axis = AxisOperand(reader, 0, 1);
  if (!axis) return;
  const int32_t size = reader.Input(1).shape[static_cast<size_t>(*axis)];
  const auto parts = static_cast<int64_t>(reader.part_count());
  if (size % parts != 0) {
    return reader.Broken(
        fmt::format("its dimension of {} elements does not divide into {} parts", size, parts));
  }
  const int64_t count = size / parts;
  SetPart(reader, 1, *axis, static_cast<int64_t>(reader.part()) * count, count);
}

void ReadSplitV(OpReader& reader) {
  auto sizes = reader.ConstantIntegers(1, "sizes");
  if (!sizes) return;
  const auto axis = AxisOperand(reader, 2, 0);
  if (!axis) return;
  if (sizes->size() != reader.part_count()) {
    return reader.Broken(
        fmt::format("it has {} sizes for {} outputs", sizes->size(), reader.part_count()));
  }
  // At most one size of -1 takes what is left.
  int64_t left = reader.Input(0).shape[static_cast<size_t>(*axis)];
  int open = 0;
  for (int64_t& size : *sizes) {
    if (size == -1) ++open;
    if (size < -1 || size > std::numeric_limits<int32_t>::max() || open > 1) {
      return reader.Broken(fmt::format("its sizes [{}] are not possible", fmt::join(*sizes, ",")));
    }
    left -= size == -1 ? 0 : size;
  }
  std::ranges::replace(*sizes, -1, left);
  int64_t begin = 0;
  for (size_t i = 0; i < reader.part(); ++i) begin += (*sizes)[i];
  SetPart(reader, 0, *axis, begin, (*sizes)[reader.part()]);
}

void ReadUnpack(OpReader& reader) {
  int32_t axis = 0;
  if (const auto* options = reader.Options<file::UnpackOptions>()) axis = options->axis();
  const Shape& in = reader.Input(0).shape;
  const auto dimension = reader.ReadAxis(axis, in.size());
  if (!dimension) return;
  const int32_t size = in[static_cast<size_t>(*dimension)];
  if (static_cast<size_t>(size) != reader.part_count()) {
    return reader.Broken(
        fmt::format("its dimension of {} elements is not its number of outputs, {}", size,
                    reader.part_count()));
  }
  Shape shape = in;
  shape.erase(shape.begin() + *dimension);
  SetPart(reader, 0, *dimension, static_cast<int64_t>(reader.part()), 1);
  reader.SetOutputShape(std::move(shape));
}

}  // namespace usmp::import::tflite
