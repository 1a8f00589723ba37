#include "compile/choose_program.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "compile/tradeoffs.h"
#include "lower/order.h"
#include "stream/choose.h"
#include "usmp/pool_cost.h"

namespace usmp::compile {
namespace {

lower::Extracted Extract(const lower::Program& program, const BuildContext& context,
                         const Unit& unit) {
  return lower::ExtractBuffers(program, context.pools,
                               {.io = unit.io,
                                .constant_pools = unit.constant_pools,
                                .keep_all = context.debug == DebugMode::kKeepTensors,
                                .overlap = unit.options().overlap});
}

}  // namespace

Bytes CallerBytes(const Unit& unit) {
  Bytes bytes = 0;
  for (const auto* ids : {&unit.whole.inputs, &unit.whole.outputs}) {
    for (BufferId id : *ids) {
      const bool is_planned =
          std::ranges::find(unit.io, id, &lower::WorkspaceIo::buffer) != unit.io.end();
      const bool is_there = unit.whole[id].kind != BufferKind::kIntermediate;  // not only its rows
      bytes += is_planned || !is_there ? 0 : unit.whole[id].size_bytes();
    }
  }
  return bytes;
}

stream::ChooseOptions ChooseOptionsOf(const Unit& unit) {
  stream::ChooseOptions options{.overlap = unit.options().overlap};
  for (const lower::WorkspaceIo& io : unit.io) {
    options.workspace_io.push_back(io.buffer);
    const bool is_kept = io.is_precious || unit.whole[io.buffer].descriptor_bytes > 0;
    if (is_kept) options.precious.push_back(io.buffer);
  }
  if (unit.options().stream == StreamMode::kFit) {
    options.ram_bytes = unit.options().stream_ram_bytes - CallerBytes(unit);
  }
  return options;
}

namespace {

// A program and its plan, which is absent where it does not fit the pools or was not asked for.
struct Candidate {
  lower::Program program{};
  lower::Extracted extracted{};
  std::optional<Plan> plan{};
  Bytes bytes = std::numeric_limits<Bytes>::max();  // of workspace, as if no pool were bounded
};

// What does not fit is compared too: the reasons given are those of what comes closest.
bool NeedsLess(const Candidate& a, const Candidate& b) {
  return std::pair(!a.plan, a.bytes) < std::pair(!b.plan, b.bytes);
}

class Chooser {
 public:
  Chooser(const BuildContext& context, const Unit& unit) : context_(context), unit_(unit) {}

  bool is_debug() const { return context_.debug == DebugMode::kKeepTensors; }
  bool may_reorder() const { return unit_.options().reorder && !is_debug(); }
  bool may_stream() const { return unit_.options().stream != StreamMode::kOff && !is_debug(); }

  // The program, or it with groups of calls that run row by row.
  Candidate Streamed(const lower::Program& program, bool is_compared) const {
    Candidate whole{program, Extract(program, context_, unit_), {}};
    if (!is_compared && !may_stream()) return whole;
    AddPlan(whole);
    if (!may_stream() || IsEnough(whole)) return whole;
    Candidate grouped = Grouped(program);
    return NeedsLess(grouped, whole) ? std::move(grouped) : std::move(whole);
  }

  // Fits the RAM that the user gave.
  bool IsEnough(const Candidate& candidate) const {
    const std::optional<Bytes> limit = ChooseOptionsOf(unit_).ram_bytes;
    return limit && candidate.plan && candidate.bytes <= *limit;
  }

 private:
  void AddPlan(Candidate& candidate) const {
    PlanProblem problem = candidate.extracted.problem;
    const PlanOptions& options = unit_.options().plan;
    auto plan = MakePlanByCost(problem, context_.algorithm, options);
    if (plan) {
      candidate.bytes = WorkspaceBytes(problem, *plan);
      candidate.plan = *std::move(plan);
      return;
    }
    for (PoolInfo& pool : problem.pools) pool.size_hint_bytes.reset();
    plan = MakePlanByCost(problem, context_.algorithm, options);
    if (plan) candidate.bytes = WorkspaceBytes(problem, *plan);
  }

  // The first of ever smaller choices whose plan stays within the limit, or else the one that needs
  // least; without a plan if no choice has groups, or none fits the pools.
  Candidate Grouped(const lower::Program& program) const {
    stream::ChooseOptions options = ChooseOptionsOf(unit_);
    const bool is_limited = options.ram_bytes.has_value();
    Candidate best;
    std::optional<Bytes> estimate;
    while (true) {
      stream::Choice choice = stream::ChooseGroups(program, options);
      if (choice.fused_calls == 0 || choice.peak.bytes == estimate) return best;
      estimate = choice.peak.bytes;
      Candidate next{std::move(choice.program), {}, {}};
      next.extracted = Extract(next.program, context_, unit_);
      AddPlan(next);
      if (NeedsLess(next, best)) best = std::move(next);
      if (!is_limited || IsEnough(best)) return best;
      options.ram_bytes = *estimate - 1;
    }
  }

  const BuildContext& context_;
  const Unit& unit_;
};

}  // namespace

void ChooseProgram(const BuildContext& context, Unit& unit) {
  const Chooser chooser(context, unit);
  const bool has_one_order = lower::HasOneOrder(unit.whole);
  const bool is_compared = !has_one_order && chooser.may_reorder();
  Candidate best = chooser.Streamed(unit.whole, is_compared);
  unit.is_order_proved_best = has_one_order;
  lower::Program reordered;
  if (is_compared) {
    const lower::Order order =
        lower::FindOrder(unit.whole, {.io = unit.io, .overlap = unit.options().overlap});
    if (!std::ranges::is_sorted(order.calls) && !chooser.IsEnough(best)) {
      reordered = lower::Reordered(unit.whole, order.calls);
      Candidate other = chooser.Streamed(reordered, is_compared);
      unit.is_reordered = NeedsLess(other, best);
      if (unit.is_reordered) best = std::move(other);
    }
    // Row by row, another order may do better; whole tensors in any order need the peak.
    unit.is_order_proved_best = order.is_exact && best.plan &&
                                best.program.calls.size() == unit.whole.calls.size() &&
                                best.bytes == order.peak_bytes;
  }
  const lower::Program& whole = unit.is_reordered ? reordered : unit.whole;
  unit.tradeoffs = FindTradeoffs(unit.graph, whole, ChooseOptionsOf(unit), CallerBytes(unit));
  unit.program = std::move(best.program);
  unit.extracted = std::move(best.extracted);
  unit.plan = std::move(best.plan);
}

}  // namespace usmp::compile
