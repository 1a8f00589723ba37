// What the lowering of several float32 operators shares.
#ifndef USMP_LOWER_FLOAT_COMMON_H_
#define USMP_LOWER_FLOAT_COMMON_H_

#include <cstdint>
#include <vector>

#include "ir/graph.h"
#include "lower/builder.h"
#include "usmp/result.h"

namespace usmp::lower {

// Every input that is present, and the output, is float32.
Result<void> CheckFloat32(const OpBuilder& builder);

// What a fused activation clamps to; the limits of float for none, as in the reference.
struct FloatRange {
  float min = 0.0F, max = 0.0F;
};
FloatRange FloatActivationRange(ir::Activation activation);

// The geometry of a kernel with a window, NHWC, as the kernels' parameter structs name it.
struct WindowGeometry {
  int64_t batches = 1;
  int64_t in_h = 1, in_w = 1, in_channels = 1;
  int64_t out_h = 1, out_w = 1, out_channels = 1;
  ir::Window2d window{};
};
WindowGeometry GeometryOf(const OpBuilder& builder, const ir::Window2d& window);
std::vector<Param> GeometryParams(const WindowGeometry& geometry);
// Memory for the pointers to a window's rows where they do not fit on the stack; else absent.
Operand WindowRows(OpBuilder& builder, const WindowGeometry& geometry);

}  // namespace usmp::lower

#endif  // USMP_LOWER_FLOAT_COMMON_H_
