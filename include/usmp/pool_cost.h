// Placement by cost: which pool each buffer goes to when the pools' speeds are known.
#ifndef USMP_POOL_COST_H_
#define USMP_POOL_COST_H_

#include <optional>

#include "usmp/buffers.h"
#include "usmp/plan.h"
#include "usmp/result.h"

namespace usmp {

// Nanoseconds that an inference spends on moving the bytes of a buffer that lies in the pool:
//
//     cycles = bytes / bandwidth + bursts * latency,   bursts = bytes / burst_bytes, rounded up,
//
// for bytes_read and for bytes_written. A burst is 4 bytes, and a latency 0, unless given. Absent
// where a clock, or the bandwidth of a direction that is used, is not given.
std::optional<double> MemoryTime(const BufferInfo& buffer, const PoolInfo& pool);

// The sum over all buffers; absent where one of them is.
std::optional<double> MemoryTime(const PlanProblem& problem, const Plan& plan);

// MakePlan, but each buffer goes to that of its pool_candidates which makes the memory time least,
// among the placements that are tried and fit; with up to some twenty buffers to choose for, all
// that matter. Where a pool that can be chosen has no figures, it is MakePlan: order of preference.
Result<Plan> MakePlanByCost(const PlanProblem& problem, const Algorithm& algorithm,
                            const PlanOptions& options = {});

}  // namespace usmp

#endif  // USMP_POOL_COST_H_
