// Where a kernel with a window stands: convolutions and pools, int8 and float32.
#ifndef USMP_LOWER_WINDOW_H_
#define USMP_LOWER_WINDOW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph.h"
#include "lower/builder.h"

namespace usmp::lower {

// The geometry of a kernel with a window, NHWC, as the kernels' parameter structs name it.
struct WindowGeometry {
  int64_t batches = 1;
  int64_t in_h = 1, in_w = 1, in_channels = 1;
  int64_t out_h = 1, out_w = 1, out_channels = 1;
  ir::Window2d window{};
};
WindowGeometry GeometryOf(const OpBuilder& builder, const ir::Window2d& window);
std::vector<Param> GeometryParams(const WindowGeometry& geometry);
// How the kernel runs row by row; absent where there are several images.
std::optional<RowAccess> WindowByRows(const WindowGeometry& geometry);
// The same for a 1x1 window over pixels that were lowered as one row.
std::optional<RowAccess> PointwiseByRows(const WindowGeometry& geometry);
// Is the window of the one output the image itself?
bool IsWholeImage(const WindowGeometry& geometry);
// The same for an average over the whole image.
std::optional<RowAccess> SumByRows(const WindowGeometry& geometry);
// The same for a MEAN over the pixels of one image; absent for others.
std::optional<RowAccess> MeanByRows(const OpBuilder& builder);

}  // namespace usmp::lower

#endif  // USMP_LOWER_WINDOW_H_
