#ifndef USMP_LOWER_SCAN_DIRECTION_H_
#define USMP_LOWER_SCAN_DIRECTION_H_

#include <optional>
#include <span>

#include "lower/program.h"

namespace usmp::lower {

// Sets the parameter "reverse" of every call whose input and output share bytes in a way that only
// a scan from the last element to the first allows. `allocations` is by the program's BufferId,
// absent where the caller owns the buffer, of a plan that VerifyPlan accepts for the problem
// extracted from the program.
void ChooseScanDirections(std::span<const std::optional<PoolAllocation>> allocations,
                          Program& program);

}  // namespace usmp::lower

#endif  // USMP_LOWER_SCAN_DIRECTION_H_
