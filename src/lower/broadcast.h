// How two operands are walked so that they broadcast as in numpy.
#ifndef USMP_LOWER_BROADCAST_H_
#define USMP_LOWER_BROADCAST_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/builder.h"

namespace usmp::lower {

// Five nested loops over the output, the innermost last. Strides are elements; 0 repeats the
// operand. Dimensions that are walked alike are one loop: equal shapes are a single run in the
// innermost.
struct Broadcast {
  std::vector<int64_t> counts{};
  std::vector<int64_t> a_strides{};
  std::vector<int64_t> b_strides{};
};

// `out` has elements. Absent if the shapes do not broadcast to `out`, or need more than five loops.
std::optional<Broadcast> PlanBroadcast(const std::vector<int32_t>& a, const std::vector<int32_t>& b,
                                       const std::vector<int32_t>& out);

// After the call of an element-wise kernel of inputs 0 and 1, `a` and `b`: lets those share the
// output's bytes that are not broadcast.
void MayOverlapFullOperands(OpBuilder& builder, const Operand& a, const Operand& b);

}  // namespace usmp::lower

#endif  // USMP_LOWER_BROADCAST_H_
