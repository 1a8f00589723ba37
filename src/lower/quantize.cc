#include "lower/kernels.h"
#include "lower/quantized.h"

namespace usmp::lower {

Result<void> LowerQuantize(OpBuilder& builder) { return UnsupportedTypes(builder); }

Result<void> LowerDequantize(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace usmp::lower
