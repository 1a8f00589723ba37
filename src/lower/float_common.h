// What the lowering of several float32 operators shares.
#ifndef USMP_LOWER_FLOAT_COMMON_H_
#define USMP_LOWER_FLOAT_COMMON_H_

#include "ir/graph.h"
#include "lower/builder.h"
#include "lower/window.h"
#include "usmp/result.h"

namespace usmp::lower {

// Every input that is present, and the output, is float32.
Result<void> CheckFloat32(const OpBuilder& builder);

// What a fused activation clamps to; the limits of float for none, as in the reference.
struct FloatRange {
  float min = 0.0F, max = 0.0F;
};
FloatRange FloatActivationRange(ir::Activation activation);

// Memory for the pointers to a window's rows where they do not fit on the stack; else absent.
Operand WindowRows(OpBuilder& builder, const WindowGeometry& geometry);

}  // namespace usmp::lower

#endif  // USMP_LOWER_FLOAT_COMMON_H_
