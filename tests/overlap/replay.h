// Replays a program on paper: every byte of the workspace knows what was last written to it.
#ifndef USMP_TESTS_OVERLAP_REPLAY_H_
#define USMP_TESTS_OVERLAP_REPLAY_H_

#include <optional>
#include <span>
#include <string>

#include "lower/program.h"
#include "usmp/plan.h"

namespace usmp::testing {

// What a call reads, or the caller at the end, and does not find: the first such byte, in words;
// absent: there is none. The calls read and write what they declare (operands, overlaps with the
// parameter "reverse", rows), in the order in which they run, groups row by row; of lifetimes and
// of why rings are as high as they are, it knows nothing. All of the workspace is pool 0.
std::optional<std::string> Replay(const lower::Program& program,
                                  std::span<const std::optional<PoolAllocation>> allocations);

}  // namespace usmp::testing

#endif  // USMP_TESTS_OVERLAP_REPLAY_H_
