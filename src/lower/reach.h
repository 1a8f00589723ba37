// Which target uses which buffer, and which pools are left for it.
#ifndef USMP_LOWER_REACH_H_
#define USMP_LOWER_REACH_H_

#include <set>
#include <span>
#include <string>
#include <vector>

#include "lower/extract_buffers.h"
#include "lower/program.h"
#include "usmp/result.h"

namespace usmp::lower {

// By BufferId: who reads or writes it. "cpu" runs our kernels, and the application, which touches
// inputs and outputs of the workspace.
std::vector<std::set<std::string>> TargetsOfBuffers(const Program& program,
                                                    std::span<const WorkspaceIo> io);

// The pools of a kind that all these targets reach, in their order; "c", TVM's name, is "cpu" too.
std::vector<PoolId> ReachedPools(std::span<const PoolInfo> pools, PoolKind kind,
                                 const std::set<std::string>& targets);

// Is there a pool for every buffer that is to be planned? Lists those for which there is none.
Result<void> CheckReach(const Program& program, std::span<const PoolInfo> pools,
                        std::span<const WorkspaceIo> io);

}  // namespace usmp::lower

#endif  // USMP_LOWER_REACH_H_
