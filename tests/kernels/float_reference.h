// Plain float32 operators computed in double, each value with a bound of the error that a float
// kernel may make: what the kernels are compared with.
#ifndef USMP_TESTS_KERNELS_FLOAT_REFERENCE_H_
#define USMP_TESTS_KERNELS_FLOAT_REFERENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/float_call.h"

namespace usmp::kernels_test {

struct Bounded {
  double value = 0;
  double error = 0;  // at most
};

// A sum of n rounded products, in any order, differs from the exact one by at most about n * u
// times the sum of their magnitudes (Higham, Accuracy and Stability of Numerical Algorithms,
// section 3.1), u = 2^-24.
inline constexpr double kUnitRoundoff = 1.0 / (1 << 24);

// CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, AVERAGE_POOL_2D, MAX_POOL_2D.
std::vector<Bounded> ReferenceConv2d(const FloatOp& op);
std::vector<Bounded> ReferenceDepthwiseConv2d(const FloatOp& op);
std::vector<Bounded> ReferenceFullyConnected(const FloatOp& op);
std::vector<Bounded> ReferencePool(const FloatOp& op);

// What is wrong with `got`; empty: nothing.
std::string Compare(const std::vector<float>& got, const std::vector<Bounded>& expected);

}  // namespace usmp::kernels_test

#endif  // USMP_TESTS_KERNELS_FLOAT_REFERENCE_H_
