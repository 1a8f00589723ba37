#ifndef USMP_COMPILE_POISON_H_
#define USMP_COMPILE_POISON_H_

#include <span>
#include <vector>

#include "emit/emit.h"
#include "lower/extract_buffers.h"
#include "lower/program.h"
#include "usmp/buffers.h"

namespace usmp::compile {

// `allocations`: by BufferId of the problem. By call, what is dead after it for good: the bytes of
// the buffers that die there, apart from those that a buffer which lives on has in common with
// them.
//
//     dying input       ##############
//     output       ##########                     dead: .....####
std::vector<std::vector<emit::DeadBytes>> DeadAfter(const lower::Program& program,
                                                    const lower::Extracted& extracted,
                                                    std::span<const PoolAllocation> allocations);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_POISON_H_
