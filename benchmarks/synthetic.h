// Problems of any size that look like those of models, and some that look like nothing.
#ifndef USMP_BENCHMARKS_SYNTHETIC_H_
#define USMP_BENCHMARKS_SYNTHETIC_H_

#include <span>
#include <string_view>

#include "usmp/plan.h"

namespace usmp::benchmarks {

struct Synthetic {
  std::string_view name{};
  PlanProblem (*make)(size_t buffers, uint64_t seed) = nullptr;
};

// chain: a convolutional network, each output read by the next layer, every fourth also by one some
//   layers later; sizes of few kinds.
// transformer: layers of attention with residuals; what one training step keeps for the way back
//   lives until then.
// random: lifetimes and sizes without any structure, about a thousand alive at a time.
std::span<const Synthetic> SyntheticProblems();

}  // namespace usmp::benchmarks

#endif  // USMP_BENCHMARKS_SYNTHETIC_H_
