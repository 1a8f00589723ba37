#include <algorithm>
#include <bit>
#include <vector>

#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/requantize.h"
#include "lower/tensor_checks.h"
#include "lower/window.h"

namespace usmp::lower {
namespace {

constexpr size_t kKeptLoops = 2;  // besides the innermost run
constexpr size_t kReducedLoops = 3;
constexpr int64_t kBlock = 16;  // neighbors that are averaged together

struct Loops {
  std::vector<int64_t> counts{}, strides{};  // the outermost first
};

// How the input is walked: neighboring dimensions that are reduced alike are one loop.
struct Walk {
  Loops kept{}, reduced{};
  int64_t run = 1;  // elements of the innermost dimension, if it is kept
  int64_t reduced_elements = 1;
};

void Prepend(Loops& loops, int64_t count, int64_t stride) {
  loops.counts.insert(loops.counts.begin(), count);
  loops.strides.insert(loops.strides.begin(), stride);
}

void FillUp(Loops& loops, size_t size) {
  while (loops.counts.size() < size) Prepend(loops, 1, 0);
}

Walk PlanWalk(const std::vector<int32_t>& shape, const std::vector<int32_t>& axes) {
  Walk walk;
  int64_t stride = 1;
  enum { kNothing, kKept, kReduced } last = kNothing;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    if (shape[d] == 1) continue;
    const bool reduce = std::ranges::find(axes, static_cast<int32_t>(d)) != axes.end();
    Loops& loops = reduce ? walk.reduced : walk.kept;
    if (last == (reduce ? kReduced : kKept)) {
      loops.counts.front() *= shape[d];
    } else {
      Prepend(loops, shape[d], stride);
    }
    last = reduce ? kReduced : kKept;
    if (reduce) walk.reduced_elements *= shape[d];
  }
  if (!walk.kept.counts.empty() && walk.kept.strides.back() == 1) {
    walk.run = walk.kept.counts.back();
    walk.kept.counts.pop_back();
    walk.kept.strides.pop_back();
  }
  FillUp(walk.kept, kKeptLoops);
  FillUp(walk.reduced, kReducedLoops);
  return walk;
}

// The multiplier with 1 / elements in it, as the reference folds it.
FixedPointMultiplier DivideBy(FixedPointMultiplier by, int64_t elements) {
  int shift = 63 - std::countl_zero(static_cast<uint64_t>(elements));
  shift = std::min({shift, 32, 31 + by.shift});
  const int64_t multiplier = (int64_t{by.multiplier} << shift) / elements;
  return {static_cast<int32_t>(multiplier), by.shift - shift};
}

Result<void> LowerMeanInt8(OpBuilder& builder) {
  if (auto ok = CheckInt8(builder); !ok) return ok;
  const ir::Tensor& input = builder.Input(0);
  const ir::Quantization& in = input.quantization;
  const ir::Quantization& out = builder.Output().quantization;
  const Walk walk = PlanWalk(input.shape, builder.Attributes<ir::ReduceAttrs>().axes);
  if (walk.kept.counts.size() > kKeptLoops || walk.reduced.counts.size() > kReducedLoops) {
    return builder.Unsupported("too many separate axes");
  }
  if (walk.reduced_elements * ElementCount(builder.Output()) != ElementCount(input)) {
    return builder.Unsupported("the output's shape is not the input's without the axes");
  }
  if (walk.reduced_elements >= (1 << 23)) {
    return builder.Unsupported("the mean of 2^23 elements or more");
  }
  const FixedPointMultiplier by = DivideBy(
      QuantizeMultiplier(double{in.scales[0]} / double{out.scales[0]}), walk.reduced_elements);
  if (by.shift >= 22 ||
      (by.shift > 0 && walk.reduced_elements * 255 >= int64_t{1} << (30 - by.shift))) {
    return builder.Unsupported("the output's scale is too small for the input's");
  }
  const Operand operand = builder.Read(0);
  builder.Call("mean_s8",
               {{"kept_count", walk.kept.counts},
                {"kept_stride", walk.kept.strides},
                {"run", walk.run},
                {"reduced_count", walk.reduced.counts},
                {"reduced_stride", walk.reduced.strides},
                {"offset", -in.zero_points[0] * walk.reduced_elements},
                {"multiplier", by.multiplier},
                {"shift", by.shift},
                {"out_zero_point", out.zero_points[0]}},
               {operand, builder.Write()});
  ReductionScan scan{walk.kept.counts, walk.kept.strides, kBlock};
  scan.counts.push_back(walk.run);
  scan.strides.push_back(1);
  builder.MayOverlap(operand, ReductionDistances(scan, ElementCount(input), 1));
  builder.ByRows(MeanByRows(builder));
  return {};
}

}  // namespace

Result<void> LowerMean(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerMeanFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerMeanInt8(builder);
  return UnsupportedTypes(builder);
}

}  // namespace usmp::lower
