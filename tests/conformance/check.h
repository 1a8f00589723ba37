// One case from model to verdict.
#ifndef USMP_TESTS_CONFORMANCE_CHECK_H_
#define USMP_TESTS_CONFORMANCE_CHECK_H_

#include <string>
#include <vector>

#include "conformance/case.h"

namespace usmp::testing {

enum class Verdict : uint8_t {
  kPassed,
  kWeak,  // agrees, but its outputs do not depend on the input and it has no tensors to compare
  kUnsupported,
  kFailed,
  kDiffersOnPurpose,  // differs from the other engine, and docs/decisions says why we are right
};

struct Outcome {
  Verdict verdict = Verdict::kFailed;
  std::string detail{};  // one line: what was compared, why it failed, ...
  std::vector<std::string>
      reasons{};            // unsupported: "SVDF", "CONV_2D: no kernel for ...", each once
  bool is_suspect = false;  // unsupported, although every operator and type is one that we promise
};

// Compiles the model, builds the C with sanitizers (as users get it, with dead buffers overwritten,
// with all tensors kept), runs every seed and compares.
Outcome Check(const ConformanceCase& c);

}  // namespace usmp::testing

#endif  // USMP_TESTS_CONFORMANCE_CHECK_H_
