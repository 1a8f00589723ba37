#ifndef USMP_EMIT_STACK_USAGE_H_
#define USMP_EMIT_STACK_USAGE_H_

#include <span>
#include <string_view>

#include "usmp/buffers.h"

namespace usmp::emit {

// The stack of `run`, which is larger where calls run in groups, and the deepest of these kernels,
// on Cortex-M4 at -O2: figures of runtime/kernels/stack_usage.tsv, which tests/target measures.
Bytes MaxStackBytes(std::span<const std::string_view> kernels, bool has_groups);

// What comes on top of it: packed arguments become structs, and an offloaded call gets arrays of
// pointers to so many operands.
Bytes PackedStackBytes(size_t arguments);
Bytes OffloadStackBytes(size_t operands);

}  // namespace usmp::emit

#endif  // USMP_EMIT_STACK_USAGE_H_
