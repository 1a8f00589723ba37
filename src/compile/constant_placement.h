#ifndef USMP_COMPILE_CONSTANT_PLACEMENT_H_
#define USMP_COMPILE_CONSTANT_PLACEMENT_H_

#include "lower/extract_buffers.h"
#include "lower/program.h"
#include "usmp/compile.h"

namespace usmp::compile {

// Restricts the pool candidates of the constants that options.constants names. kInvalidInput where
// a pattern names no constant, or a pool is none of the problem's constant pools.
Result<void> PlaceConstants(const CompileOptions& options, const lower::Program& program,
                            lower::Extracted& extracted);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_CONSTANT_PLACEMENT_H_
