// The comparison at the heart of the end-to-end tests: compile, build, run, and look at every byte.
#ifndef USMP_TESTS_E2E_COMPARE_H_
#define USMP_TESTS_E2E_COMPARE_H_

#include <string>
#include <vector>

#include "oracle/model.h"
#include "support/host_program.h"
#include "usmp/compile.h"

namespace usmp::testing {

struct CompareOptions {
  // Also in the builds that overwrite dead buffers, that keep every tensor, and that have inputs
  // and outputs in the workspace.
  bool all_builds = false;
  int random_inputs = 2;  // besides those with only the smallest and only the largest values
};

// Every model compiles, builds without a warning, runs clean under the sanitizers, and gives the
// oracle's outputs: int8 byte for byte, float within the tolerance. Failures are GoogleTest's, and
// name the model.
void ExpectOracleOutputs(const std::vector<oracle::Model>& models,
                         const CompareOptions& options = {});

// "int8[1,4]" is not enough to find a case again: names a model by everything that matters.
std::string DescribeModel(const oracle::Model& model);

// |a - b| <= 1e-6 + relative * |b|, for all; the first that is not, in words; empty: none.
std::string FirstFloatDifference(const oracle::Data& ours, const oracle::Data& expected,
                                 double relative);

// Joins the diagnostics of a failed compilation.
std::string ErrorText(const Error& error);

}  // namespace usmp::testing

#endif  // USMP_TESTS_E2E_COMPARE_H_
