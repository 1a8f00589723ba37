// Random convolutions for the kernels' tests: small, but over every parity of everything.
#ifndef USMP_TESTS_KERNELS_RANDOM_CONVOLUTION_H_
#define USMP_TESTS_KERNELS_RANDOM_CONVOLUTION_H_

#include <cstdint>
#include <ostream>
#include <random>
#include <vector>

#include "kernels/reference_s8.h"

namespace usmp::kernels_test {

// Draws numbers the same on every machine (std::uniform_int_distribution does not promise that).
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int In(int low, int high) {  // inclusive
    return low + static_cast<int>(engine_() % (static_cast<uint32_t>(high - low) + 1U));
  }
  int Of(std::initializer_list<int> values) {
    return values.begin()[In(0, static_cast<int>(values.size()) - 1)];
  }
  std::vector<int8_t> Bytes(size_t count);  // of all int8, the extremes often

 private:
  std::mt19937 engine_;
};

// Any geometry with at least one output pixel; groups of any number of channels.
Convolution RandomConvolution(Random& random);
// The same with one input channel for each group.
Convolution RandomDepthwise(Random& random);
// Sizes the output for the geometry and fills input, weights, bias and multipliers.
void Fill(Random& random, Convolution& c);

std::ostream& operator<<(std::ostream& out, const Convolution& c);

}  // namespace usmp::kernels_test

#endif  // USMP_TESTS_KERNELS_RANDOM_CONVOLUTION_H_
