// How far a kernel's output may share bytes with its input, found from the order in which the
// kernel reads and writes. The kernels' headers say which it is; here it becomes distances.
//
// A kernel takes turns: it reads something, then writes something, and goes on to higher addresses
// (or to lower ones, with "reverse"). The two may share bytes as long as nothing is written over
// what a later turn still reads. The least distance for it is
//
//     max over turns of (end of what is written by then - start of what is still to be read)
//
// each counted from the start of its own tensor. One element less, and the last byte written in
// the worst turn is one that is still to be read.
#ifndef USMP_LOWER_SCAN_H_
#define USMP_LOWER_SCAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph.h"
#include "usmp/buffers.h"

namespace usmp::lower {

// See CallOverlap; absent: not in that direction.
struct ScanDistances {
  std::optional<Bytes> forward{}, reverse{};
};

// Forward kernels with turns of an element of the input and one of the output, in the same place.
ScanDistances ElementwiseDistances(int64_t count, Bytes in_element, Bytes out_element);

// Nested loops over the outputs, the outermost first, `block` neighbors in the innermost at a time:
// for each block, the kernel reads what belongs to it from where the loops' strides, elements of
// the input, lead, and then writes it.
struct ReductionScan {
  std::vector<int64_t> counts{}, strides{};
  int64_t block = 1;
};
ScanDistances ReductionDistances(const ReductionScan& scan, int64_t in_count, Bytes element_bytes);

// Rows of the innermost dimension: the kernel copies a row of the input to its place in the output,
// and fills what is left of the output, everything in the order of the output. All dimensions but
// the innermost, the outermost first; what is said of a row is in elements.
struct PadScan {
  std::vector<int64_t> in{}, before{}, out{};
  int64_t in_row = 1, before_row = 0, out_row = 1;
  bool copies_first = false;  // a row is copied before its borders are filled
  bool reversible = false;
};
ScanDistances PadDistances(const PadScan& scan, Bytes element_bytes);

// The geometry of a kernel with a window, NHWC, as the kernels' parameter structs name it.
struct WindowGeometry {
  int64_t batches = 1;
  int64_t in_h = 1, in_w = 1, in_channels = 1;
  int64_t out_h = 1, out_w = 1, out_channels = 1;
  ir::Window2d window{};
};

// A turn of a kernel with a window: output pixels [first, last] of one row.
struct PixelBlock {
  int64_t first = 0, last = 0;
  // How far the block's writes are ahead of its own last reads, elements, forward from the first
  // element of pixel `last` against that of the first tap of pixel `first`; in reverse, from the
  // first element of the last tap of pixel `last` against that of pixel `first`. Absent: the block
  // is read completely before any of it is written.
  std::optional<int64_t> ahead{};
};

// The turns of one output row, every row's alike, in the order of the scan. Pixels lie side by
// side.
struct WindowScan {
  WindowGeometry geometry{};
  Bytes element_bytes = 1;
  std::vector<PixelBlock> forward{}, reverse{};
};
ScanDistances WindowDistances(const WindowScan& scan);

// One pixel at a time, forward; nothing if the row is so long that the analysis would take long.
std::vector<PixelBlock> SinglePixels(int64_t out_w, std::optional<int64_t> ahead);
// The same blocks from the last to the first.
std::vector<PixelBlock> Reversed(std::vector<PixelBlock> blocks, std::optional<int64_t> ahead);

// Rows or pixels of a row beyond which overlaps are not looked for.
inline constexpr int64_t kMaxScanLength = 1 << 20;

}  // namespace usmp::lower

#endif  // USMP_LOWER_SCAN_H_
