#ifndef USMP_TOOLS_PROCESS_H_
#define USMP_TOOLS_PROCESS_H_

#include <string>
#include <vector>

#include "usmp/result.h"

namespace usmp::tools {

// Runs a program (found in PATH) to its end; stdout and stderr are ours. Returns what it printed to
// stdout; an error if it cannot be started, is killed or exits other than 0.
Result<std::string> RunProcess(const std::vector<std::string>& arguments);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_PROCESS_H_
