// Random graphs of several operators: chains and branches of convolutions and what goes with them.
#ifndef USMP_TESTS_OVERLAP_RANDOM_GRAPH_H_
#define USMP_TESTS_OVERLAP_RANDOM_GRAPH_H_

#include "ir/graph.h"
#include "overlap/random_operator.h"

namespace usmp::testing {

// Of one input, int8 or float32; every result that no operator reads is an output.
ir::Graph MakeRandomGraph(Random& random, int operators, bool is_float);

}  // namespace usmp::testing

#endif  // USMP_TESTS_OVERLAP_RANDOM_GRAPH_H_
