// Where a kernel with a window stands: convolutions and pools, int8 and float32.
#ifndef USMP_LOWER_WINDOW_H_
#define USMP_LOWER_WINDOW_H_

#include <optional>
#include <vector>

#include "ir/graph.h"
#include "lower/builder.h"
#include "lower/scan.h"

namespace usmp::lower {

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
