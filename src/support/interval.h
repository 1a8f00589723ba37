#ifndef USMP_SUPPORT_INTERVAL_H_
#define USMP_SUPPORT_INTERVAL_H_

#include "usmp/buffers.h"

namespace usmp {

// Do two half-open intervals share a step? The one definition in the whole tree.
constexpr bool Overlaps(const Lifetime& a, const Lifetime& b) {
  return a.begin < b.end && b.begin < a.end;
}

}  // namespace usmp

#endif  // USMP_SUPPORT_INTERVAL_H_
