// The rules of TensorFlow Lite's reference kernels (double rounding), written plainly over
// gemmlowp's primitives: an oracle that shares no code with the compiler or the runtime.
#ifndef USMP_TESTS_INT8_OPERATORS_REFERENCE_H_
#define USMP_TESTS_INT8_OPERATORS_REFERENCE_H_

#include <cstdint>
#include <vector>

namespace usmp::testing {

struct Affine {
  float scale = 1.0F;
  int32_t zero_point = 0;
};

struct Multiplier {
  int32_t multiplier = 0;
  int shift = 0;
};
Multiplier ReferenceMultiplier(double real);
int32_t ReferenceRequantize(int32_t x, Multiplier by);

// One element of each operator. `min` and `max` clamp.
int8_t ReferenceAdd(int8_t a, Affine qa, int8_t b, Affine qb, Affine out, int min, int max);
int8_t ReferenceSub(int8_t a, Affine qa, int8_t b, Affine qb, Affine out, int min, int max);
int8_t ReferenceMul(int8_t a, Affine qa, int8_t b, Affine qb, Affine out, int min, int max);
int8_t ReferenceLogistic(int8_t x, Affine in);
int8_t ReferenceTanh(int8_t x, Affine in);
int8_t ReferenceMean(int32_t sum, int64_t elements, Affine in, Affine out);
// In the types' own values: [0, 255] for uint8.
int32_t ReferenceRescale(int32_t x, Affine in, Affine out, double ratio, int min, int max);

std::vector<int8_t> ReferenceSoftmax(const std::vector<int8_t>& row, float scale, float beta);

}  // namespace usmp::testing

#endif  // USMP_TESTS_INT8_OPERATORS_REFERENCE_H_
