#ifndef USMP_COMPILE_LIVE_SUM_H_
#define USMP_COMPILE_LIVE_SUM_H_

#include <cstdint>
#include <span>
#include <vector>

#include "ir/graph.h"

namespace usmp::compile {

// What one operator does to memory, whether or not the graph can express it.
struct Step {
  int32_t source_index = -1;
  std::vector<ir::TensorId> reads{}, writes{};  // constants and absent operands are ignored
  bool is_view = false;                         // the output is the input under another shape
};

// The step at which the tensors alive together have the most bytes.
struct LiveSum {
  Bytes bytes = 0;
  int32_t source_index = -1;
  std::vector<ir::TensorId> tensors{};  // the largest first
};

// A tensor is alive from the step that writes it (an input: from the first one) to the last one
// that reads it (an output: to the end). A view is not counted: its bytes are those of its source.
//
//     step     0    1    2
//     input    ####
//     conv1    #########           live sums: input + conv1, conv1 + conv2, conv2 + output
//     conv2         #########
//     output             ####
LiveSum FindLiveSum(const ir::Graph& graph, std::span<const Step> steps);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_LIVE_SUM_H_
