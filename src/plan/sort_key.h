// Orders for first fit: buffers by a weighted sum of what makes them hard to place.
#ifndef USMP_PLAN_SORT_KEY_H_
#define USMP_PLAN_SORT_KEY_H_

#include <array>
#include <cstdint>
#include <vector>

#include "plan/random.h"
#include "plan/timeline.h"

namespace usmp::plan {

// Weights in 1/1024; those of logarithms are for a factor of 2.
struct Weights {
  // Of buffers that are alive when nearly the most bytes are: before all others.
  struct Critical {
    int32_t within = -1;  // of the greatest pressure, in 1/2^20; -1: none
    int32_t size = 0;
    int32_t life = 0;
  } critical{};
  int32_t size = 0;
  int32_t life = 0;       // how many steps it is alive
  int32_t pressure = 0;   // the most bytes alive during its life
  int32_t long_life = 0;  // whether it lives longer than `long_from` of the longest life
  int32_t long_from = 512;
};

// For the most part found by random search on problems of real models.
inline constexpr std::array kPortfolio = {
    Weights{.size = 614, .life = 51, .pressure = 5120},
    Weights{.critical = {1024, 716, -123}, .size = 1106, .life = 839},
    Weights{.critical = {6795, -3, 979}, .size = 1179, .life = 410, .pressure = 11304},
    Weights{.critical = {128, 9, 618},
            .size = 660,
            .life = 176,
            .pressure = 10355,
            .long_life = 6085,
            .long_from = 790},
    Weights{.size = 1024, .life = 1},
    Weights{.size = 819, .life = 20, .pressure = 5632},
    Weights{.size = 1024, .life = 256},
    Weights{.size = 1024, .life = 512},
    Weights{.size = 1024, .life = 1024},
};

Weights RandomWeights(Random& random);
// A few of them changed a little.
Weights Mutated(const Weights& weights, Random& random);

// What the weights are multiplied with, computed once. All in whole numbers, so that the order is
// the same on every machine.
class SortKeys {
 public:
  // Of the buffers that take bytes and are not pinned.
  SortKeys(const PlanProblem& problem, const Timeline& timeline);

  // Descending by key, then ascending by id.
  std::vector<BufferId> Order(const Weights& weights) const;

 private:
  struct Features {
    BufferId id{};
    int32_t log_size = 0;  // in 1/65536
    int32_t log_life = 0;
    int32_t log_pressure = 0;
    int32_t life = 0;      // in 1/1024 of the longest
    int32_t pressure = 0;  // in 1/2^20 of the greatest
  };

  std::vector<Features> features_{};
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_SORT_KEY_H_
