#ifndef USMP_COMPILE_CONSTANT_PLACEMENT_H_
#define USMP_COMPILE_CONSTANT_PLACEMENT_H_

#include <span>
#include <vector>

#include "lower/program.h"
#include "usmp/compile.h"

namespace usmp::compile {

// By BufferId: the pools of the constants that options.constants names; empty: any. kInvalidInput
// where a pattern names no constant, or a pool is no constant pool.
Result<std::vector<std::vector<PoolId>>> PlaceConstants(std::span<const PoolInfo> pools,
                                                        const CompileOptions& options,
                                                        const lower::Program& program);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_CONSTANT_PLACEMENT_H_
