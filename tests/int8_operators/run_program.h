// Runs lowered operators in the test's own process: every call of a program through the C kernel it
// names.
#ifndef USMP_TESTS_INT8_OPERATORS_RUN_PROGRAM_H_
#define USMP_TESTS_INT8_OPERATORS_RUN_PROGRAM_H_

#include <cstdint>
#include <vector>

#include "lower/program.h"

namespace usmp::testing {

using ByteVector = std::vector<uint8_t>;

// Every buffer is a block of its own of exactly its size, filled with 0xA5 before the first call.
// Returns the outputs' bytes.
std::vector<ByteVector> RunProgram(const lower::Program& program,
                                   const std::vector<ByteVector>& inputs);

// The same, but with the only output in the place of the only input.
ByteVector RunInPlace(const lower::Program& program, const ByteVector& input);

// Sets the parameter `name` of every call that has it.
void SetParam(lower::Program& program, const char* name, int64_t value);

}  // namespace usmp::testing

#endif  // USMP_TESTS_INT8_OPERATORS_RUN_PROGRAM_H_
