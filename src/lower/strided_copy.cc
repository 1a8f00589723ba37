// STRIDED_SLICE and TRANSPOSE: nested loops over the output that step through the input.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lower/kernels.h"
#include "lower/quantized.h"
#include "lower/scan.h"
#include "lower/tensor_checks.h"
#include "lower/unary.h"

namespace usmp::lower {
namespace {

constexpr size_t kLoops = 5;

struct Loop {
  int64_t count = 1;
  Bytes stride = 0;
};

struct StridedCopy {
  std::vector<Loop> loops{};  // the outermost first
  Bytes offset = 0;
  Bytes run = 1;
};

// Bytes from an element to the next one along each dimension.
std::vector<Bytes> Strides(const ir::Tensor& tensor) {
  std::vector<Bytes> strides(tensor.shape.size());
  Bytes stride = ElementBytes(tensor.dtype);
  for (size_t d = strides.size(); d-- > 0; stride *= tensor.shape[d]) strides[d] = stride;
  return strides;
}

// The same with neighboring loops that go through the input evenly as one, and what lies together
// as runs.
StridedCopy Merged(const std::vector<Loop>& loops, Bytes offset, Bytes element) {
  StridedCopy copy{.offset = offset, .run = element};
  std::vector<Loop> merged;  // the innermost first
  for (size_t d = loops.size(); d-- > 0;) {
    const Loop& loop = loops[d];
    if (loop.count == 1) continue;
    if (merged.empty() && loop.stride == copy.run) {
      copy.run *= loop.count;
    } else if (!merged.empty() && loop.stride == merged.back().count * merged.back().stride) {
      merged.back().count *= loop.count;
    } else {
      merged.push_back(loop);
    }
  }
  copy.loops.assign(merged.rbegin(), merged.rend());
  return copy;
}

// Only where the reads ascend: with every loop, the further along it is, the further they are ahead
// of the writes.
ScanDistances StridedCopyDistances(const StridedCopy& copy, Bytes in_bytes) {
  Bytes lead = -in_bytes;
  Bytes written = copy.run;  // by one turn of the loop
  Bytes read = copy.run;     // from the first byte to the last
  for (size_t d = copy.loops.size(); d-- > 0;) {
    const Loop& loop = copy.loops[d];
    if (loop.stride < read) return {};
    lead = std::max(lead, written - copy.offset - loop.stride);
    written *= loop.count;
    read += (loop.count - 1) * loop.stride;
  }
  return {.forward = lead};
}

Result<void> CallStridedCopy(OpBuilder& builder, const StridedCopy& copy) {
  if (copy.loops.size() > kLoops) {
    return builder.Unsupported("more than five dimensions are not next to each other in memory");
  }
  std::vector<int64_t> counts(kLoops - copy.loops.size(), 1);
  std::vector<int64_t> strides(kLoops - copy.loops.size(), 0);
  for (const Loop& loop : copy.loops) {
    counts.push_back(loop.count);
    strides.push_back(loop.stride);
  }
  const Operand input = builder.Read(0);
  builder.Call(
      "strided_copy",
      {{"count", counts}, {"stride", strides}, {"offset", copy.offset}, {"run_bytes", copy.run}},
      {input, builder.Write()});
  builder.MayOverlap(input, StridedCopyDistances(copy, ByteSize(builder.Input(0))));
  return {};
}

Result<void> CheckMovement(const OpBuilder& builder) {
  if (builder.Input(0).dtype != builder.Output().dtype ||
      builder.Input(0).dtype == ir::DType::kInt4 || builder.Input(0).dtype == ir::DType::kOther) {
    return UnsupportedTypes(builder);
  }
  return {};
}

}  // namespace

Result<void> LowerStridedSlice(OpBuilder& builder) {
  if (auto ok = CheckMovement(builder); !ok) return ok;
  const auto& attributes = builder.Attributes<ir::StridedSliceAttrs>();
  const std::vector<Bytes> strides = Strides(builder.Input(0));
  std::vector<Loop> loops;
  Bytes offset = 0;
  for (size_t d = 0; d < strides.size(); ++d) {
    offset += attributes.begin[d] * strides[d];
    loops.push_back({attributes.count[d], attributes.stride[d] * strides[d]});
  }
  return CallStridedCopy(builder, Merged(loops, offset, ElementBytes(builder.Input(0).dtype)));
}

Result<void> LowerTranspose(OpBuilder& builder) {
  if (auto ok = CheckMovement(builder); !ok) return ok;
  const std::vector<Bytes> strides = Strides(builder.Input(0));
  std::vector<Loop> loops;
  for (int32_t d : builder.Attributes<ir::TransposeAttrs>().permutation) {
    const auto dimension = static_cast<size_t>(d);
    loops.push_back({builder.Input(0).shape[dimension], strides[dimension]});
  }
  return CallStridedCopy(builder, Merged(loops, 0, ElementBytes(builder.Input(0).dtype)));
}

}  // namespace usmp::lower
