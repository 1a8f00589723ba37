#include "lower/broadcast.h"

#include <algorithm>
#include <cstddef>

#include "lower/scan.h"

namespace usmp::lower {
namespace {

constexpr size_t kLoops = 5;

struct Loop {
  int64_t count = 1;
  bool walks_a = false;  // else a is repeated
  bool walks_b = false;
};

// The shape with ones in front.
std::vector<int32_t> Extend(const std::vector<int32_t>& shape, size_t rank) {
  std::vector<int32_t> extended(rank - shape.size(), 1);
  extended.insert(extended.end(), shape.begin(), shape.end());
  return extended;
}

}  // namespace

std::optional<Broadcast> PlanBroadcast(const std::vector<int32_t>& a, const std::vector<int32_t>& b,
                                       const std::vector<int32_t>& out) {
  const size_t rank = out.size();
  if (a.size() > rank || b.size() > rank) return std::nullopt;
  const std::vector<int32_t> a_shape = Extend(a, rank);
  const std::vector<int32_t> b_shape = Extend(b, rank);
  std::vector<Loop> loops;
  for (size_t d = 0; d < rank; ++d) {
    const bool a_fits = a_shape[d] == out[d] || a_shape[d] == 1;
    const bool b_fits = b_shape[d] == out[d] || b_shape[d] == 1;
    if (!a_fits || !b_fits || (a_shape[d] != out[d] && b_shape[d] != out[d])) return std::nullopt;
    if (out[d] == 1) continue;
    const Loop loop{out[d], a_shape[d] != 1, b_shape[d] != 1};
    if (!loops.empty() && loops.back().walks_a == loop.walks_a &&
        loops.back().walks_b == loop.walks_b) {
      loops.back().count *= loop.count;
    } else {
      loops.push_back(loop);
    }
  }
  if (loops.empty()) loops.push_back({.count = 1, .walks_a = true, .walks_b = true});
  if (loops.size() > kLoops) return std::nullopt;
  loops.insert(loops.begin(), kLoops - loops.size(), Loop{});

  Broadcast plan{std::vector<int64_t>(kLoops), std::vector<int64_t>(kLoops),
                 std::vector<int64_t>(kLoops)};
  int64_t a_stride = 1;
  int64_t b_stride = 1;
  for (size_t d = kLoops; d-- > 0;) {
    plan.counts[d] = loops[d].count;
    plan.a_strides[d] = loops[d].walks_a ? a_stride : 0;
    plan.b_strides[d] = loops[d].walks_b ? b_stride : 0;
    if (loops[d].walks_a) a_stride *= loops[d].count;
    if (loops[d].walks_b) b_stride *= loops[d].count;
  }
  return plan;
}

void MayOverlapFullOperands(OpBuilder& builder, const Operand& a, const Operand& b) {
  const int64_t count = ElementCount(builder.Output());
  const Bytes bytes = ElementBytes(builder.Output().dtype);
  const ScanDistances distances = ElementwiseDistances(count, bytes, bytes);
  if (ElementCount(builder.Input(0)) == count) builder.MayOverlap(a, distances);
  if (ElementCount(builder.Input(1)) == count) builder.MayOverlap(b, distances);
}

}  // namespace usmp::lower
