// Where a kernel with a window stands: convolutions and pools, int8 and float32.
#ifndef USMP_LOWER_WINDOW_H_
#define USMP_LOWER_WINDOW_H_

#include <cstdint>
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

}  // namespace usmp::lower

#endif  // USMP_LOWER_WINDOW_H_
