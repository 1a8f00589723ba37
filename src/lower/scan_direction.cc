#include "lower/scan_direction.h"

#include <algorithm>

#include "support/check.h"

namespace usmp::lower {
namespace {

bool NeedsReverse(const CallOverlap& overlap, const PoolAllocation& input,
                  const PoolAllocation& output, const Program& program) {
  if (input.pool != output.pool) return false;
  const Bytes lead = input.byte_offset - output.byte_offset;
  if (lead >= program[overlap.output].size_bytes() ||
      -lead >= program[overlap.input].size_bytes()) {
    return false;  // no byte in common
  }
  return !overlap.forward_distance || lead < *overlap.forward_distance;
}

}  // namespace

void ChooseScanDirections(std::span<const std::optional<PoolAllocation>> allocations,
                          Program& program) {
  for (Call& call : program.calls) {
    const bool reverse = std::ranges::any_of(call.overlaps, [&](const CallOverlap& overlap) {
      const auto& input = allocations[static_cast<size_t>(overlap.input)];
      const auto& output = allocations[static_cast<size_t>(overlap.output)];
      return input && output && NeedsReverse(overlap, *input, *output, program);
    });
    if (!reverse) continue;
    const auto param = std::ranges::find(call.params, "reverse", &Param::name);
    USMP_CHECK(param != call.params.end());
    param->value = int64_t{1};
  }
}

}  // namespace usmp::lower
