#ifndef USMP_TOOLS_HARNESS_H_
#define USMP_TOOLS_HARNESS_H_

#include <string>

#include "usmp/compile.h"

namespace usmp::tools {

// A C program that runs a generated model on this machine:
//
//     harness RUNS OUTPUT_DIR INPUT_FILE...
//
// It includes the model's source, reads the inputs, runs once and writes output_0.bin,
// output_1.bin, ... and (with dump_tensors) INDEX.bin for every tensor; then runs RUNS more times
// and prints the median nanoseconds.
std::string HarnessSource(const CompiledModel& model, bool dump_tensors);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_HARNESS_H_
