#ifndef USMP_TESTS_INT8_OPERATORS_RUN_KERNEL_H_
#define USMP_TESTS_INT8_OPERATORS_RUN_KERNEL_H_

#include <vector>

#include "lower/program.h"

namespace usmp::testing {

// Calls the C function of call.kernel with its parameters and the operands' addresses. Fails the
// test if a parameter is missing, left over or not of its member's type.
void RunKernel(const lower::Call& call, const std::vector<void*>& pointers);

}  // namespace usmp::testing

#endif  // USMP_TESTS_INT8_OPERATORS_RUN_KERNEL_H_
