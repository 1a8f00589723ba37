// A program with its plan: as it was lowered, or with groups of calls that run row by row.
#ifndef USMP_COMPILE_PLAN_PROGRAM_H_
#define USMP_COMPILE_PLAN_PROGRAM_H_

#include <span>

#include "lower/extract_buffers.h"
#include "lower/program.h"
#include "usmp/compile.h"

namespace usmp::compile {

struct PlannedProgram {
  lower::Program program{};
  lower::Extracted extracted{};
  Plan plan{};
};

// Plans `whole`, forms groups as options.stream asks for, and returns whichever needs less. An
// error if neither fits the pools.
Result<PlannedProgram> PlanProgram(const lower::Program& whole, std::span<const PoolInfo> pools,
                                   const Algorithm& algorithm, const CompileOptions& options);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_PLAN_PROGRAM_H_
