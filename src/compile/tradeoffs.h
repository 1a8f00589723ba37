#ifndef USMP_COMPILE_TRADEOFFS_H_
#define USMP_COMPILE_TRADEOFFS_H_

#include <cstdint>
#include <vector>

#include "ir/graph.h"
#include "lower/program.h"
#include "stream/choose.h"
#include "usmp/report.h"

namespace usmp::compile {

// Of all convolutions and dense layers; the most that fits where the sum does not.
int64_t MultiplyAccumulates(const ir::Graph& graph);

// Memory against time for a model: all that `--stream BYTES` can choose between, the fastest first.
// `caller_bytes` are the inputs and outputs that the caller owns.
std::vector<ReportTradeoff> FindTradeoffs(const ir::Graph& graph, const lower::Program& program,
                                          const stream::ChooseOptions& options, Bytes caller_bytes);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_TRADEOFFS_H_
