#include "lower/float_ops.h"
#include "lower/kernels.h"
#include "lower/quantized.h"

namespace usmp::lower {
namespace {

Result<void> LowerPadInt8(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace

Result<void> LowerPad(OpBuilder& builder) {
  if (builder.Input(0).dtype == ir::DType::kFloat32) return LowerPadFloat32(builder);
  if (builder.Input(0).dtype == ir::DType::kInt8) return LowerPadInt8(builder);
  return UnsupportedTypes(builder);
}

Result<void> LowerReshape(OpBuilder& builder) {
  const ir::Tensor& input = builder.Input(0);
  const ir::Tensor& output = builder.Output();
  if (input.dtype != output.dtype) return UnsupportedTypes(builder);
  if (ElementCount(input) != ElementCount(output)) {
    return builder.Unsupported("input and output differ in the number of elements");
  }
  builder.Call("copy", {{"bytes", ByteSize(input)}}, {builder.Read(0), builder.Write()});
  return {};
}

Result<void> LowerConcatenation(OpBuilder& builder) { return UnsupportedTypes(builder); }

}  // namespace usmp::lower
