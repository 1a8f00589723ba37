#ifndef USMP_TESTS_SUPPORT_ONE_OPERATOR_H_
#define USMP_TESTS_SUPPORT_ONE_OPERATOR_H_

#include <vector>

#include "ir/graph.h"

namespace usmp::testing {

// A graph of one operator. Inputs without data are the graph's inputs, in order.
ir::Graph OneOperator(ir::OpKind kind, std::vector<ir::Tensor> inputs, ir::Tensor output,
                      ir::Attributes attributes);

}  // namespace usmp::testing

#endif  // USMP_TESTS_SUPPORT_ONE_OPERATOR_H_
