#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lower/float_common.h"
#include "lower/float_ops.h"
#include "lower/window.h"

namespace usmp::lower {
namespace {

constexpr size_t kMeanLoops = 3;   // kept and reduced dimensions of the kernel, each
constexpr int64_t kMeanBlock = 4;  // neighbors that are averaged together, if there are so many
constexpr size_t kPadLoops = 5;    // dimensions of the kernel, the last included

// Neighboring dimensions that are both kept, or both reduced, as one.
struct Extent {
  int64_t count = 1;
  int64_t stride = 1;
  bool reduced = false;
};

std::vector<Extent> Extents(const std::vector<int32_t>& shape, const std::vector<int32_t>& axes) {
  std::vector<Extent> extents;
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1) continue;
    const bool reduced = std::ranges::find(axes, static_cast<int32_t>(d)) != axes.end();
    if (!extents.empty() && extents.back().reduced == reduced) {
      extents.back().count *= shape[d];
    } else {
      extents.push_back({shape[d], stride, reduced});
    }
    stride *= shape[d];
  }
  std::ranges::reverse(extents);
  return extents;
}

struct Loops {
  std::vector<int64_t> counts{}, strides{};
};

// The kept or the reduced extents as exactly kMeanLoops loops, the innermost last.
std::optional<Loops> LoopsOf(const std::vector<Extent>& extents, bool reduced) {
  Loops loops;
  for (const Extent& extent : extents) {
    if (extent.reduced != reduced) continue;
    loops.counts.push_back(extent.count);
    loops.strides.push_back(extent.stride);
  }
  if (loops.counts.size() > kMeanLoops) return {};
  const size_t missing = kMeanLoops - loops.counts.size();
  loops.counts.insert(loops.counts.begin(), missing, 1);
  loops.strides.insert(loops.strides.begin(), missing, 1);
  return loops;
}

struct PadDimension {
  int64_t in = 1, before = 0, after = 0;
  bool IsPadded() const { return before > 0 || after > 0; }
  int64_t out() const { return before + in + after; }
};

// A dimension that is not padded is part of the one before it.
std::vector<PadDimension> PadDimensions(const std::vector<int32_t>& shape,
                                        const ir::PadAttrs& attributes) {
  std::vector<PadDimension> merged{{}};
  for (size_t d = 0; d < shape.size(); ++d) {
    const PadDimension next{shape[d], attributes.before[d], attributes.after[d]};
    if (!next.IsPadded()) {
      PadDimension& last = merged.back();
      last = {last.in * next.in, last.before * next.in, last.after * next.in};
    } else {
      merged.push_back(next);
    }
  }
  return merged;
}

}  // namespace

Result<void> LowerMeanFloat32(OpBuilder& builder) {
  if (auto checked = CheckFloat32(builder); !checked) return checked;
  const std::vector<Extent> extents =
      Extents(builder.Input(0).shape, builder.Attributes<ir::ReduceAttrs>().axes);
  const std::optional<Loops> kept = LoopsOf(extents, /*reduced=*/false);
  const std::optional<Loops> reduced = LoopsOf(extents, /*reduced=*/true);
  if (!kept || !reduced) {
    return builder.Unsupported("the axes alternate with the others more than three times");
  }
  int64_t count = 1;
  for (int64_t extent : reduced->counts) count *= extent;
  const Operand input = builder.Read(0);
  builder.Call("mean_f32",
               {{"kept", kept->counts},
                {"kept_stride", kept->strides},
                {"reduced", reduced->counts},
                {"reduced_stride", reduced->strides},
                {"count", static_cast<float>(count)}},
               {input, builder.Write()});
  const int64_t block = kept->counts.back() < kMeanBlock ? 1 : kMeanBlock;
  builder.MayOverlap(input, ReductionDistances({kept->counts, kept->strides, block},
                                               ElementCount(builder.Input(0)), sizeof(float)));
  builder.ByRows(MeanByRows(builder));
  return {};
}

Result<void> LowerPadFloat32(OpBuilder& builder) {
  const ir::Tensor& input = builder.Input(0);
  if (auto checked = CheckFloat32(builder); !checked) return checked;
  const auto& attributes = builder.Attributes<ir::PadAttrs>();
  std::vector<PadDimension> dimensions = PadDimensions(input.shape, attributes);
  if (dimensions.size() > kPadLoops)
    return builder.Unsupported("more than five dimensions are padded");
  dimensions.insert(dimensions.begin(), kPadLoops - dimensions.size(), PadDimension{});
  std::vector<int64_t> in, before, out;
  for (size_t d = 0; d + 1 < kPadLoops; ++d) {
    in.push_back(dimensions[d].in);
    before.push_back(dimensions[d].before);
    out.push_back(dimensions[d].out());
  }
  const PadDimension& inner = dimensions.back();
  const Operand operand = builder.Read(0);
  builder.Call("pad_f32",
               {{"in", in},
                {"before", before},
                {"out", out},
                {"in_inner", inner.in},
                {"before_inner", inner.before},
                {"out_inner", inner.out()},
                {"reverse", 0},
                {"value", static_cast<float>(attributes.value.value_or(0.0))}},
               {operand, builder.Write()});
  builder.MayOverlap(operand, PadDistances({.in = in,
                                            .before = before,
                                            .out = out,
                                            .in_row = inner.in,
                                            .before_row = inner.before,
                                            .out_row = inner.out(),
                                            .reversible = true},
                                           sizeof(float)));
  return {};
}

}  // namespace usmp::lower
