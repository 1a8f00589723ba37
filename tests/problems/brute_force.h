// The least possible peak, by trying everything. Shares no code with the planner.
#ifndef USMP_TESTS_PROBLEMS_BRUTE_FORCE_H_
#define USMP_TESTS_PROBLEMS_BRUTE_FORCE_H_

#include <optional>

#include "usmp/plan.h"

namespace usmp::testing {

// The least sum of the workspace pools' sizes over all plans with offsets below `horizon`; nothing
// if there is no legal plan. For a handful of buffers with sizes of a few bytes.
std::optional<Bytes> LeastPeak(const PlanProblem& problem, Bytes horizon);

}  // namespace usmp::testing

#endif  // USMP_TESTS_PROBLEMS_BRUTE_FORCE_H_
