#include "lower/scan.h"

#include <algorithm>
#include <limits>

namespace usmp::lower {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::min();

// The first and the last tap inside the image, positions along one axis.
struct Taps {
  int64_t first = 0, last = 0;
};
std::optional<Taps> TapsOf(int64_t base, int64_t taps, int64_t dilation, int64_t extent) {
  Taps found{base, base + (taps - 1) * dilation};
  if (found.first < 0) found.first += (-found.first + dilation - 1) / dilation * dilation;
  if (found.last >= extent) {
    found.last -= (found.last - extent + dilation) / dilation * dilation;
  }
  if (found.first > found.last) return {};
  return found;
}

// A turn along the scan: addresses, elements, that grow in the direction of the scan. What a turn
// of rows and a turn within a row amount to is the sum of theirs.
struct Turn {
  int64_t written = 0;              // end of what is written after it
  std::optional<int64_t> read{};    // start of what it reads; absent: nothing
  std::optional<int64_t> during{};  // end of what is written before it reads for the last time
};

// The greatest lead of what is written by a turn over what a later one reads; kNever if nothing
// is. A turn within a row may be ahead of itself.
int64_t LeadWithin(const std::vector<Turn>& turns) {
  int64_t lead = kNever;
  std::optional<int64_t> still_read;
  for (size_t i = turns.size(); i-- > 0;) {
    const Turn& turn = turns[i];
    if (turn.read) {
      still_read = still_read ? std::min(*still_read, *turn.read) : *turn.read;
      if (turn.during) lead = std::max(lead, *turn.during - *turn.read);
    }
    if (still_read && i > 0) lead = std::max(lead, turns[i - 1].written - *still_read);
  }
  return lead;
}

struct RowTurns {
  std::vector<Turn> rows{};     // of the origins of rows
  std::vector<Turn> columns{};  // within a row
};

int64_t Lead(const RowTurns& turns) {
  int64_t lead = kNever;
  const int64_t within = LeadWithin(turns.columns);
  std::optional<int64_t> first_read;
  for (const Turn& column : turns.columns) {
    if (column.read) first_read = std::min(first_read.value_or(*column.read), *column.read);
  }
  if (!first_read) return kNever;
  if (within != kNever) {
    for (const Turn& row : turns.rows) {
      if (row.read) lead = std::max(lead, row.written - *row.read + within);
    }
  }
  const int64_t between = LeadWithin(turns.rows);
  if (between == kNever) return lead;
  return std::max(lead, between + turns.columns.back().written - *first_read);
}

RowTurns ForwardTurns(const WindowScan& scan) {
  const WindowGeometry& g = scan.geometry;
  const ir::Window2d& w = g.window;
  RowTurns turns;
  for (int64_t row = 0; row < g.batches * g.out_h; ++row) {
    const int64_t batch = row / g.out_h;
    const auto taps = TapsOf((row - batch * g.out_h) * w.stride_h - w.padding.top, w.kernel_h,
                             w.dilation_h, g.in_h);
    Turn turn{.written = row * g.out_w * g.out_channels};
    if (taps) turn.read = (batch * g.in_h + taps->first) * g.in_w * g.in_channels;
    turns.rows.push_back(turn);
  }
  for (const PixelBlock& block : scan.forward) {
    Turn turn{.written = (block.last + 1) * g.out_channels};
    for (int64_t x = block.first; x <= block.last; ++x) {
      const auto taps = TapsOf(x * w.stride_w - w.padding.left, w.kernel_w, w.dilation_w, g.in_w);
      if (taps) {
        const int64_t read = taps->first * g.in_channels;
        turn.read = std::min(turn.read.value_or(read), read);
      }
    }
    if (block.ahead) turn.during = block.last * g.out_channels + *block.ahead;
    turns.columns.push_back(turn);
  }
  return turns;
}

// The same with all addresses negated.
RowTurns ReverseTurns(const WindowScan& scan) {
  const WindowGeometry& g = scan.geometry;
  const ir::Window2d& w = g.window;
  RowTurns turns;
  for (int64_t row = g.batches * g.out_h; row-- > 0;) {
    const int64_t batch = row / g.out_h;
    const auto taps = TapsOf((row - batch * g.out_h) * w.stride_h - w.padding.top, w.kernel_h,
                             w.dilation_h, g.in_h);
    Turn turn{.written = -row * g.out_w * g.out_channels};
    if (taps) turn.read = -(batch * g.in_h + taps->last) * g.in_w * g.in_channels;
    turns.rows.push_back(turn);
  }
  for (const PixelBlock& block : scan.reverse) {
    Turn turn{.written = -block.first * g.out_channels};
    for (int64_t x = block.first; x <= block.last; ++x) {
      const auto taps = TapsOf(x * w.stride_w - w.padding.left, w.kernel_w, w.dilation_w, g.in_w);
      if (taps) {
        const int64_t read = -(taps->last + 1) * g.in_channels;
        turn.read = std::min(turn.read.value_or(read), read);
      }
    }
    if (block.ahead) turn.during = *block.ahead - g.in_channels - block.first * g.out_channels;
    turns.columns.push_back(turn);
  }
  return turns;
}

}  // namespace

ScanDistances ElementwiseDistances(int64_t count, Bytes in_element, Bytes out_element) {
  if (count <= 1) return {.forward = -in_element};
  const int64_t turn = out_element > in_element ? count - 1 : 1;
  return {.forward = turn * (out_element - in_element)};
}

ScanDistances ReductionDistances(const ReductionScan& scan, int64_t in_count, Bytes element_bytes) {
  // The further along a loop, the further the reads are ahead: the first turn of each counts.
  int64_t lead = -in_count;
  int64_t inner = 1;  // outputs of the loops inside
  for (size_t d = scan.counts.size(); d-- > 0;) {
    const int64_t first = d + 1 == scan.counts.size() ? scan.block : 1;
    if (scan.counts[d] > first) lead = std::max(lead, first * (inner - scan.strides[d]));
    inner *= scan.counts[d];
  }
  return {.forward = lead * element_bytes};
}

ScanDistances PadDistances(const PadScan& scan, Bytes element_bytes) {
  int64_t in_rows = 1, out_rows = 1;
  int64_t first = 0, last = 0;  // rows of the output that are copied
  for (size_t d = 0; d < scan.in.size(); ++d) {
    first = first * scan.out[d] + scan.before[d];
    last = last * scan.out[d] + scan.before[d] + scan.in[d] - 1;
    in_rows *= scan.in[d];
    out_rows *= scan.out[d];
  }
  if (in_rows == 0 || scan.in_row == 0) return {};
  ScanDistances distances;
  const int64_t written = last * scan.out_row + (scan.copies_first ? 0 : scan.before_row);
  const int64_t lead = written > 0 ? written - (in_rows - 1) * scan.in_row : -in_rows * scan.in_row;
  distances.forward = lead * element_bytes;
  if (!scan.reversible) return distances;
  // From the end: before the first row is read, all that comes after its copy is written.
  const int64_t out_count = out_rows * scan.out_row;
  const int64_t copy = first * scan.out_row + scan.before_row;
  const int64_t reverse_lead = copy + scan.in_row < out_count ? -copy : -out_count;
  distances.reverse = (reverse_lead + out_count - in_rows * scan.in_row) * element_bytes;
  return distances;
}

ScanDistances WindowDistances(const WindowScan& scan) {
  const WindowGeometry& g = scan.geometry;
  const int64_t in_size = g.batches * g.in_h * g.in_w * g.in_channels;
  const int64_t out_size = g.batches * g.out_h * g.out_w * g.out_channels;
  ScanDistances distances;
  if (g.batches * g.out_h > kMaxScanLength) return distances;
  if (!scan.forward.empty()) {
    distances.forward = std::max(Lead(ForwardTurns(scan)), -in_size) * scan.element_bytes;
  }
  if (!scan.reverse.empty()) {
    const int64_t lead = std::max(Lead(ReverseTurns(scan)), -out_size);
    distances.reverse = (lead + out_size - in_size) * scan.element_bytes;
  }
  return distances;
}

std::vector<PixelBlock> SinglePixels(int64_t out_w, std::optional<int64_t> ahead) {
  std::vector<PixelBlock> blocks;
  if (out_w > kMaxScanLength) return blocks;
  for (int64_t x = 0; x < out_w; ++x) blocks.push_back({x, x, ahead});
  return blocks;
}

std::vector<PixelBlock> Reversed(std::vector<PixelBlock> blocks, std::optional<int64_t> ahead) {
  std::ranges::reverse(blocks);
  for (PixelBlock& block : blocks) block.ahead = ahead;
  return blocks;
}

}  // namespace usmp::lower
