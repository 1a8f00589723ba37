#include "lower/conv_scan.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace usmp::lower {
namespace {

using Lead = std::optional<int64_t>;

Lead Larger(Lead a, Lead b) { return std::max(a, b); }  // an absent one is less

// Output channels of `channels` that are written before the last block of `block` reads; the last
// block overlaps the one before it. None if there is one block only.
int64_t WrittenBeforeLast(int64_t channels, int64_t block) {
  return (channels - 1) / block * block;
}

// The lead of a pixel's writes over its reads where every block of output channels reads all the
// input channels of its group. `within`: channels written in a group before its last block reads.
Lead GroupLead(const WindowGeometry& g, int64_t groups, int64_t within) {
  const int64_t grows = g.out_channels / groups - g.in_channels / groups;  // from group to group
  Lead lead;
  for (int64_t group : {int64_t{0}, groups - 1}) {
    if (within > 0) lead = Larger(lead, group * grows + within);
  }
  if (groups > 1) lead = Larger(Larger(lead, grows), (groups - 1) * grows);
  return lead;
}

// The reverse lead where channels are written from the first on: a pixel is read to its end after
// its first channel has been written.
Lead ReverseLead(const WindowGeometry& g, Lead forward) {
  return forward ? Lead(g.in_channels) : std::nullopt;
}

bool IsWhole(const WindowGeometry& g, int64_t groups, int64_t x) {
  const ir::Window2d& w = g.window;
  const bool adjacent = w.kernel_w == 1 || (w.dilation_w == 1 && groups == 1);
  const int64_t in_x = x * w.stride_w - w.padding.left;
  return adjacent && in_x >= 0 && in_x + w.stride_w + w.kernel_w <= g.in_w;
}

// conv2d_s8's pixels, two at a time where both windows are whole. `pair_rows`: output channels of a
// block of two pixels, which is 2 or 4, depending on the processor.
struct ConvS8 {
  const WindowGeometry& g;
  int64_t groups = 1;
  bool gathers = false;
  int64_t pair_rows = 4;

  int64_t group_out() const { return g.out_channels / groups; }
  Lead OnePixel() const {
    if (group_out() < 4) return GroupLead(g, groups, group_out() - 1);
    return GroupLead(g, groups, gathers ? 0 : WrittenBeforeLast(group_out(), 4));
  }
  Lead TwoPixels() const { return GroupLead(g, groups, WrittenBeforeLast(group_out(), pair_rows)); }
  // A group with fewer channels than a block of two pixels has is computed pixel by pixel.
  bool IsPair(int64_t x) const {
    return !gathers && group_out() >= pair_rows && IsWhole(g, groups, x);
  }

  std::vector<PixelBlock> Blocks(bool reverse) const {
    std::vector<PixelBlock> blocks;
    const Lead one = reverse ? ReverseLead(g, OnePixel()) : OnePixel();
    const Lead two = reverse ? ReverseLead(g, TwoPixels()) : TwoPixels();
    for (int64_t left = g.out_w; left > 0;) {
      const int64_t x = reverse ? left - 2 : g.out_w - left;
      if (left > 1 && IsPair(x)) {
        blocks.push_back({x, x + 1, two});
        left -= 2;
      } else {
        const int64_t pixel = reverse ? left - 1 : x;
        blocks.push_back({pixel, pixel, one});
        left -= 1;
      }
    }
    return blocks;
  }
};

ScanDistances Larger(const ScanDistances& a, const ScanDistances& b) {
  return {std::max(a.forward, b.forward), std::max(a.reverse, b.reverse)};
}

// The tiles of columns [begin, end), each read before it is written.
std::vector<PixelBlock> Tiles(const FloatRuns& runs, int64_t begin, int64_t end) {
  std::vector<PixelBlock> tiles;
  for (int64_t x = begin; x < end;) {
    const bool is_four = x >= runs.inner_begin && std::min(runs.inner_end, end) - x >= 4;
    tiles.push_back({x, x + (is_four ? 3 : 0)});
    x = tiles.back().last + 1;
  }
  return tiles;
}

// The turns of a kernel that finishes a run before the next. With several blocks of channels, the
// run is read anew for each, and `forward` is the lead of the last one. With one block, the turns
// are tiles. Within a run tiles and channels ascend in reverse too.
ScanDistances RunDistances(const WindowGeometry& g, const FloatRuns& runs, Lead forward) {
  WindowScan scan{.geometry = g, .element_bytes = sizeof(float)};
  if (g.out_w > kMaxScanLength) return {};
  for (int64_t begin = 0; begin < g.out_w; begin += runs.run_pixels) {
    const int64_t end = std::min(begin + runs.run_pixels, g.out_w);
    const std::vector<PixelBlock> tiles = Tiles(runs, begin, end);
    if (forward) {
      scan.forward.push_back({begin, end - 1, forward});
    } else {
      scan.forward.insert(scan.forward.end(), tiles.begin(), tiles.end());
    }
  }
  for (int64_t end = g.out_w; end > 0; end -= runs.run_pixels) {
    const int64_t begin = std::max<int64_t>(end - runs.run_pixels, 0);
    const bool one_turn = !forward && Tiles(runs, begin, end).size() == 1;
    scan.reverse.push_back({begin, end - 1, one_turn ? Lead() : Lead(g.in_channels)});
  }
  return WindowDistances(scan);
}

}  // namespace

ScanDistances Conv2dS8Distances(const WindowGeometry& geometry, int64_t groups, bool gathers) {
  if (geometry.out_w > kMaxScanLength) return {};
  ScanDistances distances;
  for (int64_t pair_rows : {2, 4}) {
    const ConvS8 conv{geometry, groups, gathers, pair_rows};
    distances = Larger(distances, WindowDistances({.geometry = geometry,
                                                   .forward = conv.Blocks(/*reverse=*/false),
                                                   .reverse = conv.Blocks(/*reverse=*/true)}));
  }
  return distances;
}

ScanDistances DepthwiseConv2dS8Distances(const WindowGeometry& geometry) {
  const int64_t channels = geometry.out_channels;
  Lead forward, reverse;
  if (channels > geometry.in_channels) {
    // Of several channels for one input channel the last is the furthest from what it reads.
    forward = channels - geometry.in_channels;
    reverse = 0;
  } else if (channels > 1) {
    forward = 0;
    for (int64_t block : {4, 8}) {  // depending on the processor
      // The last block of a pixel reads again what the block before it has read.
      if (channels > block && channels % block != 0) {
        forward = Larger(forward, block - channels % block);
      }
    }
    reverse = forward;
  }
  const std::vector<PixelBlock> pixels = SinglePixels(geometry.out_w, forward);
  return WindowDistances(
      {.geometry = geometry, .forward = pixels, .reverse = Reversed(pixels, reverse)});
}

ScanDistances Conv2dF32Distances(const WindowGeometry& geometry, int64_t groups,
                                 const FloatRuns& runs) {
  const int64_t group_out = geometry.out_channels / groups;
  const int64_t last = group_out % 4 == 0 ? 4 : 1;  // channels of the last block
  return RunDistances(geometry, runs, GroupLead(geometry, groups, group_out - last));
}

ScanDistances DepthwiseConv2dF32Distances(const WindowGeometry& geometry, const FloatRuns& runs) {
  // A channel reads its own input channel only.
  return RunDistances(geometry, runs, geometry.out_channels > 4 ? Lead(0) : Lead());
}

}  // namespace usmp::lower
