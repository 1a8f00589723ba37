#ifndef USMP_COMPILE_MAKE_REPORT_H_
#define USMP_COMPILE_MAKE_REPORT_H_

#include <cstdint>
#include <span>
#include <string>

#include "compile/interface.h"
#include "ir/graph.h"
#include "lower/extract_buffers.h"
#include "lower/program.h"
#include "usmp/compile.h"
#include "usmp/report.h"

namespace usmp::compile {

struct ReportInput {
  const CompileOptions& options;
  std::span<const uint8_t> model_bytes;
  const ir::Graph& graph;
  const lower::Program& program;
  const lower::Program& whole;  // the same without groups: what the fixed graph needs
  const Interfaces& interfaces;
  const lower::Extracted& extracted;
  const Plan& plan;
  std::string algorithm{};
};
Report MakeReport(const ReportInput& input);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_MAKE_REPORT_H_
