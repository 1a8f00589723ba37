// Random graphs of one operator, small, over every parity of everything; quantized so that outputs
// follow their inputs closely.
#ifndef USMP_TESTS_OVERLAP_RANDOM_OPERATOR_H_
#define USMP_TESTS_OVERLAP_RANDOM_OPERATOR_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace usmp::testing {

using Random = std::mt19937;

int RandomInt(Random& random, int low, int high);  // both included

struct OperatorFamily {
  std::string name{};
  ir::Graph (*make)(Random&) = nullptr;
  // Whether the kernel is defined for an input that changes while it runs; an index into a table
  // may then be out of range.
  bool tolerates_damage = true;
};
const std::vector<OperatorFamily>& OperatorFamilies();

// Bytes of a tensor: any int8, or floats of about 1.
std::vector<uint8_t> RandomValues(Random& random, const ir::Tensor& tensor);

}  // namespace usmp::testing

#endif  // USMP_TESTS_OVERLAP_RANDOM_OPERATOR_H_
