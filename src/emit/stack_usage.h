#ifndef USMP_EMIT_STACK_USAGE_H_
#define USMP_EMIT_STACK_USAGE_H_

#include <span>
#include <string_view>

#include "usmp/buffers.h"

namespace usmp::emit {

// The stack of `run` and the deepest of these kernels, on Cortex-M4 at -O2: figures of
// runtime/kernels/stack_usage.tsv, which tests/target measures.
Bytes MaxStackBytes(std::span<const std::string_view> kernels);

}  // namespace usmp::emit

#endif  // USMP_EMIT_STACK_USAGE_H_
