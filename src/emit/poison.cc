#include "emit/poison.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "emit/calls.h"

namespace usmp::emit {
namespace {

// Bytes of a pool, half-open.
struct Range {
  Bytes begin = 0, end = 0;
};

struct Occupied {
  std::vector<Range> all{};     // of every buffer
  std::vector<Range> filled{};  // of those that hold something before the first call
};

Occupied RangesIn(const EmitInput& input, PoolId pool) {
  Occupied ranges;
  for (size_t i = 0; i < input.program.buffers.size(); ++i) {
    const lower::Buffer& buffer = input.program.buffers[i];
    const auto& at = input.allocations[i];
    if (!at || at->pool != pool) continue;
    const Range range{at->byte_offset, at->byte_offset + buffer.size_bytes()};
    ranges.all.push_back(range);
    const bool is_filled = buffer.kind == BufferKind::kInput || buffer.kind == BufferKind::kState ||
                           buffer.kind == BufferKind::kDescriptor;
    if (is_filled) ranges.filled.push_back(range);
  }
  std::ranges::sort(ranges.all, {}, &Range::begin);
  std::ranges::sort(ranges.filled, {}, &Range::begin);
  return ranges;
}

// What `ranges` (ascending) have together, without what `removed` (ascending) have.
std::vector<Range> Difference(const std::vector<Range>& ranges, const std::vector<Range>& removed) {
  std::vector<Range> rest;
  const auto add = [&rest](Bytes begin, Bytes end) {
    if (begin >= end) return;
    if (!rest.empty() && rest.back().end == begin) {
      rest.back().end = end;
    } else {
      rest.push_back({begin, end});
    }
  };
  Bytes done = 0;
  for (const Range& range : ranges) {
    done = std::max(done, range.begin);
    for (const Range& hole : removed) {
      if (hole.end <= done) continue;
      add(done, std::min(hole.begin, range.end));
      if (hole.begin >= range.end) break;
      done = hole.end;
    }
    add(done, range.end);
    done = std::max(done, range.end);
  }
  return rest;
}

}  // namespace

void WritePoisonBefore(const EmitInput& input, std::string& text) {
  for (size_t i = 0; i < input.pools.size(); ++i) {
    if (input.pools[i].kind != PoolKind::kWorkspace) continue;
    const Occupied occupied = RangesIn(input, PoolId(i));
    for (const Range& part : Difference(occupied.all, occupied.filled)) {
      fmt::format_to(
          std::back_inserter(text), "  memset({}{}, 0xA5, {});\n", PoolBase(input, input.pools[i]),
          part.begin == 0 ? "" : fmt::format(" + {}", part.begin), part.end - part.begin);
    }
  }
}

}  // namespace usmp::emit
