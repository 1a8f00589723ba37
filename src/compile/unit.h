#ifndef USMP_COMPILE_UNIT_H_
#define USMP_COMPILE_UNIT_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compile/interface.h"
#include "ir/graph.h"
#include "lower/extract_buffers.h"
#include "lower/program.h"
#include "usmp/compile.h"
#include "usmp/plan.h"

namespace usmp::compile {

// A model on its way to C: all that is known of it before the plan. The source outlives it.
struct Unit {
  const ModelSource* source = nullptr;
  std::string symbol{};  // "tvmgen_kws"
  ir::Graph graph{};
  lower::Program whole{};    // as it was lowered
  lower::Program program{};  // with groups of calls that run row by row, where that is better
  Interfaces interfaces{};
  std::vector<lower::WorkspaceIo> io{};
  std::vector<std::vector<PoolId>> constant_pools{};   // see lower::ExtractOptions
  std::vector<std::optional<BufferId>> descriptors{};  // see descriptors.h
  lower::Extracted extracted{};
  std::optional<Plan> plan{};  // of `extracted` alone, where programs were compared by their plans
  bool is_reordered = false;   // the calls of `program` have another order than those of `whole`
  bool is_order_proved_best = false;        // no other order has a smaller plan
  std::vector<ReportTradeoff> tradeoffs{};  // of the order that was chosen
  std::vector<Diagnostic> notes{};

  const CompileOptions& options() const { return source->options; }
  // Steps of the unit's own schedule; a program without calls has one.
  int32_t step_count() const;
  Bytes max_stack_bytes() const;  // of `run`; see emit/stack_usage.h
};

// Import, passes, lowering, and what is to be planned for these pools. `prefix` and `debug` are
// those of the whole build.
struct BuildContext {
  std::string prefix{};
  DebugMode debug = DebugMode::kNone;
  std::span<const PoolInfo> pools;
  const Algorithm& algorithm;  // to compare programs with
};
Result<Unit> MakeUnit(const ModelSource& source, const BuildContext& context);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_UNIT_H_
