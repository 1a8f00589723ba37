// What the lowering functions check of their tensors before they compute with them.
#ifndef USMP_LOWER_TENSOR_CHECKS_H_
#define USMP_LOWER_TENSOR_CHECKS_H_

#include <string_view>

#include "ir/graph.h"
#include "lower/builder.h"
#include "usmp/result.h"

namespace usmp::lower {

// Has one finite scale > 0 and one zero point that the tensor's type can hold.
bool IsQuantizedPerTensor(const ir::Tensor& tensor);

// Every input and the output are int8, not empty, and quantized per tensor.
Result<void> CheckInt8(const OpBuilder& builder);

// The first input and the output have the same zero point, and scales within 1e-6: TensorFlow
// Lite's rule for operators that do not rescale. `what`: "pooling".
Result<void> CheckSameQuantization(const OpBuilder& builder, std::string_view what);

}  // namespace usmp::lower

#endif  // USMP_LOWER_TENSOR_CHECKS_H_
