// Runs calls of a program in the test's own process, whatever kernels they name.
#ifndef USMP_TESTS_SUPPORT_RUN_CALL_H_
#define USMP_TESTS_SUPPORT_RUN_CALL_H_

#include <cstdint>
#include <vector>

#include "lower/program.h"

namespace usmp::testing {

// Which build of the kernels: with the host's vectors, or as for a processor without any.
enum class Variant : uint8_t { kVector, kPlain };

// Aborts if the kernel does not exist, or if a parameter is missing, left over or not of its
// member's type.
void RunCall(const lower::Call& call, const std::vector<void*>& operands, Variant variant);

}  // namespace usmp::testing

#endif  // USMP_TESTS_SUPPORT_RUN_CALL_H_
