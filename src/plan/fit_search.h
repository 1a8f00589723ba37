#ifndef USMP_PLAN_FIT_SEARCH_H_
#define USMP_PLAN_FIT_SEARCH_H_

#include <cstdint>
#include <vector>

#include "usmp/buffers.h"

namespace usmp::plan {

enum class Outcome : uint8_t { kFits, kDoesNotFit, kOutOfSteps };

// Is there a placement of one pool within a capacity? The answers are exact.
class FitSearch {
 public:
  virtual ~FitSearch() = default;
  // Until it is decided, or steps() reaches `max_steps`. No restart begins once it has reached
  // `last_restart`: one that has begun ends, because half of a descent is worth nothing. What is
  // learned is kept for later calls.
  virtual Outcome Run(Bytes capacity, int64_t last_restart, int64_t max_steps) = 0;
  // After kFits: where each item is.
  virtual const std::vector<Bytes>& offsets() const = 0;
  virtual int64_t steps() const = 0;
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_FIT_SEARCH_H_
