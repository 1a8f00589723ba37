// An independent implementation of every operator, to compare the generated code with. It shares no
// code with the compiler or the runtime: plain loops over every index, int8 by the rules of
// TensorFlow Lite's reference kernels, float32 with sums in double.
#ifndef USMP_ORACLE_ORACLE_H_
#define USMP_ORACLE_ORACLE_H_

#include <vector>

#include "oracle/model.h"

namespace usmp::oracle {

// The bytes of every tensor of the model after a run, by tensor index. `inputs` in the model's
// order.
std::vector<Data> Run(const Model& model, const std::vector<Data>& inputs);

}  // namespace usmp::oracle

#endif  // USMP_ORACLE_ORACLE_H_
