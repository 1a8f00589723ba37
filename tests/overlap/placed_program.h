// A program in one arena, as a plan or a test wants it.
#ifndef USMP_TESTS_OVERLAP_PLACED_PROGRAM_H_
#define USMP_TESTS_OVERLAP_PLACED_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/program.h"
#include "usmp/plan.h"

namespace usmp::testing {

using ByteVector = std::vector<uint8_t>;

struct PlacedProgram {
  lower::Program program{};                                  // with its scan directions
  std::vector<std::optional<PoolAllocation>> allocations{};  // by BufferId; constants have none
  Bytes arena_bytes = 0;
};

// Planned with inputs and outputs in the workspace. Failures are GoogleTest's.
PlacedProgram PlaceInOnePool(lower::Program program);

// The outputs' bytes, with every buffer at its address. Of a program without groups.
std::vector<ByteVector> RunAt(const lower::Program& program, const std::vector<void*>& addresses,
                              const ByteVector& input);
std::vector<ByteVector> RunPlaced(PlacedProgram placed, const ByteVector& input);

}  // namespace usmp::testing

#endif  // USMP_TESTS_OVERLAP_PLACED_PROGRAM_H_
