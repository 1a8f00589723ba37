#ifndef USMP_COMPILE_POOLS_H_
#define USMP_COMPILE_POOLS_H_

#include <vector>

#include "usmp/compile.h"

namespace usmp::compile {

// The pools to plan for: those of the options, with an internal one of each kind that they leave
// out (global_workspace, global_const_workspace). Every fault of a pool's description is listed.
Result<std::vector<PoolInfo>> PoolsOf(const CompileOptions& options);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_POOLS_H_
