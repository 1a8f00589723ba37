#include "emit/poison.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
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

// One operand of a member that reads the rows of another strip.
struct RowReader {
  size_t strip = 0;
  const lower::RowInput* input = nullptr;
};

// The rows that a strip makes.
struct Ring {
  BufferId buffer{};
  lower::RowPlace place{};
};

Ring RingOf(const lower::Strip& strip) {
  const lower::Member& last = strip.members.back();
  const auto made =
      std::ranges::find(last.call.operands, lower::Access::kWrite, &lower::Operand::access);
  return {*made->buffer, *last.places[static_cast<size_t>(made - last.call.operands.begin())]};
}

std::vector<RowReader> ReadersOf(const lower::Group& group, BufferId ring) {
  std::vector<RowReader> readers;
  for (size_t s = 0; s < group.strips.size(); ++s) {
    for (const lower::Member& member : group.strips[s].members) {
      for (const lower::RowInput& input : member.call.rows->inputs) {
        if (member.call.operands[input.operand].buffer == ring) readers.push_back({s, &input});
      }
    }
  }
  return readers;
}

}  // namespace

void WriteDeadRuns(const EmitInput& input, const lower::Strip& strip, std::string_view indent,
                   std::string& text) {
  std::optional<BufferId> runs;
  for (const lower::Member& member : strip.members) {
    for (size_t i = 0; i < member.places.size(); ++i) {
      const bool is_run = member.places[i] && member.places[i]->ring_rows == 0;
      if (is_run) runs = member.call.operands[i].buffer;
    }
  }
  if (!runs) return;
  fmt::format_to(std::back_inserter(text), "{}memset({}, 0xA5, {}); /* dead */\n", indent,
                 Address(input, *runs), input.program[*runs].size_bytes());
}

void WriteDeadRows(const EmitInput& input, const lower::Group& group, size_t index,
                   std::string_view indent, std::string& text) {
  const auto out = std::back_inserter(text);
  for (size_t maker = 0; maker < index; ++maker) {
    const Ring ring = RingOf(group.strips[maker]);
    const std::vector<RowReader> readers = ReadersOf(group, ring.buffer);
    if (std::ranges::find(readers, index, &RowReader::strip) == readers.end()) continue;
    fmt::format_to(out, "{}{{\n{}  int32_t dead = {};\n", indent, indent,
                   group.strips[maker].height);
    for (const RowReader& reader : readers) {
      fmt::format_to(
          out, "{0}  if (made[{1}] < {2}) dead = usmp_min_s32(dead, made[{1}] * {3} - {4});\n",
          indent, reader.strip, group.strips[reader.strip].height, reader.input->stride_h,
          reader.input->pad_top);
    }
    // Of the rows that share a place, only the latest is there.
    fmt::format_to(
        out,
        "{0}  for (int32_t row = usmp_max_s32(0, made[{1}] - {2}); row < dead; ++row) {{\n"
        "{0}    memset({3} + (ptrdiff_t)(row % {2}) * {4}, 0xA5, {4}); /* dead */\n{0}  "
        "}}\n{0}}}\n",
        indent, maker, ring.place.ring_rows, Address(input, ring.buffer), ring.place.row_bytes);
  }
}

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
