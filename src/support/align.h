#ifndef USMP_SUPPORT_ALIGN_H_
#define USMP_SUPPORT_ALIGN_H_

#include "usmp/buffers.h"

namespace usmp {

constexpr bool IsPowerOfTwo(Bytes x) { return x > 0 && (x & (x - 1)) == 0; }

// The least multiple of `alignment` (a power of two) that is >= x.
constexpr Bytes AlignUp(Bytes x, Bytes alignment) { return (x + alignment - 1) & -alignment; }

}  // namespace usmp

#endif  // USMP_SUPPORT_ALIGN_H_
