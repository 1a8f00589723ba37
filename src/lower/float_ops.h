// The float32 variant of each operator; the functions of kernels.h call them where the input is float32.
#ifndef USMP_LOWER_FLOAT_OPS_H_
#define USMP_LOWER_FLOAT_OPS_H_

#include "ir/graph.h"
#include "lower/builder.h"
#include "usmp/result.h"

namespace usmp::lower {

// float_conv.cc
Result<void> LowerConv2dFloat32(OpBuilder& builder);
Result<void> LowerDepthwiseConv2dFloat32(OpBuilder& builder);
Result<void> LowerFullyConnectedFloat32(OpBuilder& builder);
// float_ops.cc
Result<void> LowerAddFloat32(OpBuilder& builder);
Result<void> LowerSubFloat32(OpBuilder& builder);
Result<void> LowerMulFloat32(OpBuilder& builder);
Result<void> LowerSoftmaxFloat32(OpBuilder& builder);
Result<void> LowerLogisticFloat32(OpBuilder& builder);
Result<void> LowerTanhFloat32(OpBuilder& builder);
Result<void> LowerReluFloat32(OpBuilder& builder);
Result<void> LowerRelu6Float32(OpBuilder& builder);
// float_windows.cc
Result<void> LowerAveragePool2dFloat32(OpBuilder& builder);
Result<void> LowerMaxPool2dFloat32(OpBuilder& builder);
// float_shapes.cc
Result<void> LowerMeanFloat32(OpBuilder& builder);
Result<void> LowerPadFloat32(OpBuilder& builder);

// What these functions share.

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

#endif  // USMP_LOWER_FLOAT_OPS_H_
