// A planning algorithm that is a program of the user: --algorithm exec:PROGRAM.
#ifndef USMP_TOOLS_EXEC_ALGORITHM_H_
#define USMP_TOOLS_EXEC_ALGORITHM_H_

#include <string>

#include "usmp/plan.h"

namespace usmp::tools {

// The algorithm of that name: "exec:PROGRAM ARGUMENT ..." (separated by spaces, found in PATH) or
// one of ours. The program reads the problem as JSON from standard input and writes the plan as
// JSON to standard output; docs/planning.md has both. After `seconds` it is stopped. What it claims
// to have proved is not believed.
Result<Algorithm> SelectAlgorithm(const std::string& name, int seconds);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_EXEC_ALGORITHM_H_
