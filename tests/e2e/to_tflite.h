#ifndef USMP_TESTS_E2E_TO_TFLITE_H_
#define USMP_TESTS_E2E_TO_TFLITE_H_

#include <cstdint>
#include <vector>

#include "oracle/model.h"

namespace usmp::testing {

// The model as a .tflite file. Tensors keep their indices.
std::vector<uint8_t> ToTflite(const oracle::Model& model);

}  // namespace usmp::testing

#endif  // USMP_TESTS_E2E_TO_TFLITE_H_
