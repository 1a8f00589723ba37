// Operators that only move bytes.
#include "oracle/operators.h"

namespace usmp::oracle {
namespace {

// The bytes of element `position` of `data`, appended to `out`.
void AppendElement(const Data& data, int64_t position, int64_t size, Data& out) {
  const auto begin = data.begin() + position * size;
  out.insert(out.end(), begin, begin + size);
}

}  // namespace

Data Pad(const Context& c) {
  const auto& shape = c.In(0).shape;
  const auto paddings = c.InInts(1);  // [rank][2]
  const int64_t size = Size(c.Out().type);
  Data border(static_cast<size_t>(size));
  if (c.Has(2)) {
    border = c.InData(2);
  } else if (c.Out().type != Type::kFloat32) {
    border[0] = static_cast<uint8_t>(c.Out().zero_points[0]);
  }
  Data out;
  for (int64_t i = 0; i < Count(c.Out()); ++i) {
    std::vector<int32_t> index = Index(c.Out().shape, i);
    bool inside = true;
    for (size_t d = 0; d < shape.size(); ++d) {
      index[d] -= paddings[2 * d];
      inside = inside && index[d] >= 0 && index[d] < shape[d];
    }
    if (inside) {
      AppendElement(c.InData(0), Position(shape, index), size, out);
    } else {
      AppendElement(border, 0, size, out);
    }
  }
  return out;
}

Data Slice(const Context& c) {
  const auto begins = c.InInts(1);
  Data out;
  for (int64_t i = 0; i < Count(c.Out()); ++i) {
    std::vector<int32_t> index = Index(c.Out().shape, i);
    for (size_t d = 0; d < index.size(); ++d) index[d] += begins[d];
    AppendElement(c.InData(0), Position(c.In(0).shape, index), Size(c.Out().type), out);
  }
  return out;
}

Data Reshape(const Context& c) { return c.InData(0); }

Data Concatenation(const Context& c) {
  const int64_t size = Size(c.Out().type);
  const auto rank = static_cast<int32_t>(c.Out().shape.size());
  const auto axis = static_cast<size_t>(c.op.axis < 0 ? c.op.axis + rank : c.op.axis);
  Data out;
  for (int64_t i = 0; i < Count(c.Out()); ++i) {
    std::vector<int32_t> index = Index(c.Out().shape, i);
    size_t operand = 0;
    while (index[axis] >= c.In(operand).shape[axis]) index[axis] -= c.In(operand++).shape[axis];
    AppendElement(c.InData(operand), Position(c.In(operand).shape, index), size, out);
  }
  return out;
}

}  // namespace usmp::oracle
