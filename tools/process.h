#ifndef USMP_TOOLS_PROCESS_H_
#define USMP_TOOLS_PROCESS_H_

#include <string>
#include <vector>

#include "usmp/result.h"

namespace usmp::tools {

// Runs a program (found in PATH) to its end; stdout and stderr are ours. Returns what it printed to
// stdout; an error if it cannot be started, is killed or exits other than 0.
Result<std::string> RunProcess(const std::vector<std::string>& arguments);

struct Finished {
  std::string output{};     // what it wrote to standard output
  std::string complaint{};  // and to standard error
  std::string failure{};    // "failed with exit code 3"; empty: it did not
  bool timed_out = false;
};

// Runs a program with `input` as its standard input, and stops it, and what it started, after
// `seconds`. An error only if it cannot be started.
Result<Finished> RunWithInput(const std::vector<std::string>& arguments, const std::string& input,
                              int seconds);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_PROCESS_H_
