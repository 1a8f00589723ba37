// The float32 variant of each operator; the functions of kernels.h call them where the input is
// float32.
#ifndef USMP_LOWER_FLOAT_OPS_H_
#define USMP_LOWER_FLOAT_OPS_H_

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
// float_pool.cc
Result<void> LowerAveragePool2dFloat32(OpBuilder& builder);
Result<void> LowerMaxPool2dFloat32(OpBuilder& builder);
// float_shapes.cc
Result<void> LowerMeanFloat32(OpBuilder& builder);
Result<void> LowerPadFloat32(OpBuilder& builder);

}  // namespace usmp::lower

#endif  // USMP_LOWER_FLOAT_OPS_H_
