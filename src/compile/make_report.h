#ifndef USMP_COMPILE_MAKE_REPORT_H_
#define USMP_COMPILE_MAKE_REPORT_H_

#include <cstdint>
#include <span>
#include <string>

#include "compile/interface.h"
#include "compile/schedule.h"
#include "ir/graph.h"
#include "lower/program.h"
#include "usmp/compile.h"
#include "usmp/report.h"

namespace usmp::compile {

struct ReportInput {
  const CompileOptions& options;
  std::span<const uint8_t> model_bytes;
  const ir::Graph& graph;
  const Schedule& schedule;
  const Interfaces& interfaces;
  Bytes fixed_graph_bound_bytes = 0;
  std::string algorithm{};
};

// The live sum of the graph as it is, in the model's order: inputs and outputs in the workspace, no
// overlap, no streaming, no scratch; what any planner of whole tensors could reach.
Bytes FixedGraphBound(const lower::Program& program, std::span<const PoolInfo> pools);

Report MakeReport(const ReportInput& input);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_MAKE_REPORT_H_
