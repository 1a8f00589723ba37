#ifndef USMP_PLAN_RANDOM_H_
#define USMP_PLAN_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace usmp::plan {

// SplitMix64 (Steele, Lea, Flood 2014). The standard library's distributions differ between
// platforms; the plans may not.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  // In [0, count); count > 0. The bias is below count / 2^64.
  size_t Below(size_t count) { return static_cast<size_t>(Next() % count); }

 private:
  uint64_t state_;
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_RANDOM_H_
