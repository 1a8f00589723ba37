#include "usmp/compile.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compile/descriptors.h"
#include "compile/joint_plan.h"
#include "compile/make_report.h"
#include "compile/offload.h"
#include "compile/poison.h"
#include "compile/pools.h"
#include "compile/unit.h"
#include "emit/emit.h"
#include "ir/graph.h"
#include "lower/kernels.h"
#include "lower/scan_direction.h"
#include "support/append.h"

namespace usmp {
namespace {

using compile::JointProblem;
using compile::Unit;
using compile::UnitPlan;

Result<Algorithm> AlgorithmOf(const CompileOptions& options) {
  if (options.algorithm.run) return options.algorithm;
  return FindAlgorithm("auto");
}

// Every model, or what is wrong with all of them.
Result<std::vector<Unit>> MakeUnits(std::span<const ModelSource> sources,
                                    const compile::BuildContext& context) {
  std::vector<Unit> units;
  Error errors{ErrorCode::kInvalidInput, {}};
  for (const ModelSource& source : sources) {
    auto unit = compile::MakeUnit(source, context);
    if (unit) {
      units.push_back(std::move(*unit));
      continue;
    }
    if (sources.size() == 1) return Fail(std::move(unit.error()));
    errors.code = unit.error().code;
    for (Diagnostic& diagnostic : unit.error().diagnostics) {
      diagnostic.where = "model '" + source.options.model_name + "', " + diagnostic.where;
    }
    Append(errors.diagnostics, unit.error().diagnostics);
  }
  if (!errors.diagnostics.empty()) return Fail(std::move(errors));
  return units;
}

Result<void> CheckSymbols(std::span<const Unit> units, const std::string& prefix) {
  std::vector<Diagnostic> problems;
  for (size_t i = 0; i < units.size() && units.size() > 1; ++i) {
    const std::string where = "model '" + units[i].options().model_name + "'";
    const auto before = units.first(i);
    if (std::ranges::find(before, units[i].symbol, &Unit::symbol) != before.end()) {
      problems.push_back({where, "another model has this name in the generated C, " +
                                     units[i].symbol + "; give each its own with --name"});
    }
    if (units[i].symbol == emit::SharedPoolsSymbol(prefix)) {
      problems.push_back({where, "the memory that models share has this name; choose another"});
    }
  }
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  return {};
}

// Internal workspace pools in which more than one unit has buffers.
std::vector<emit::SharedPool> SharedPools(const Plan& plan, std::span<const PoolInfo> pools,
                                          std::span<const UnitPlan> parts) {
  std::vector<emit::SharedPool> shared;
  for (size_t i = 0; i < pools.size(); ++i) {
    if (pools[i].kind != PoolKind::kWorkspace || !pools[i].is_internal) continue;
    const auto users = std::ranges::count_if(parts, [&](const UnitPlan& part) {
      return std::ranges::find(part.planned, PoolId(i), &PoolAllocation::pool) !=
             part.planned.end();
    });
    if (users > 1) shared.push_back({PoolId(i), plan.pool_sizes[i]});
  }
  return shared;
}

emit::EmitInput EmissionOf(const Unit& unit, const UnitPlan& part, std::span<const PoolInfo> pools,
                           DebugMode debug) {
  emit::EmitInput emission{.program = unit.program,
                           .symbol = unit.symbol,
                           .version = kVersion,
                           .inputs = unit.interfaces.inputs,
                           .outputs = unit.interfaces.outputs,
                           .api = unit.options().interface,
                           .dl_tensors = unit.options().dl_tensors,
                           .pools = pools,
                           .pool_sizes = part.pool_sizes,
                           .allocations = part.allocations,
                           .devices = compile::DevicesOf(unit.program, unit.options().devices),
                           .max_stack_bytes = unit.max_stack_bytes()};
  compile::LocateDescriptors(unit.descriptors, unit.program, part.allocations, emission.inputs,
                             emission.outputs);
  if (debug == DebugMode::kPoison) {
    emission.poison_after = compile::DeadAfter(unit.program, unit.extracted, part.planned);
  }
  return emission;
}

// The plan of a single unit is there where its programs were compared: the joint problem is its
// own.
Result<Plan> PlanOf(std::span<const Unit> units, const JointProblem& joint, ModelSharing sharing,
                    const Algorithm& algorithm) {
  if (units.size() == 1 && units[0].plan) return *units[0].plan;
  return compile::PlanJointly(joint, sharing, algorithm, units[0].options().plan);
}

// Bytes that the plan needs more because inputs or outputs were given pools; absent where none was.
std::optional<Bytes> CostOfIoPools(std::span<const Unit> units, const JointProblem& joint,
                                   ModelSharing sharing, const Algorithm& algorithm,
                                   const Plan& plan) {
  const auto free = compile::WithoutIoPools(units, joint);
  if (!free) return {};
  const auto other = compile::PlanJointly(*free, sharing, algorithm, units[0].options().plan);
  if (!other) return {};
  return WorkspaceBytes(joint.problem, plan) - WorkspaceBytes(free->problem, *other);
}

CompiledModel EmitAll(std::span<Unit> units, const JointProblem& joint, const Plan& plan,
                      ModelSharing sharing, const std::string& algorithm) {
  const CompileOptions& options = units[0].options();
  std::vector<UnitPlan> parts;
  for (size_t i = 0; i < units.size(); ++i) {
    parts.push_back(compile::PartOf(plan, joint, units, i, sharing));
    lower::ChooseScanDirections(parts.back().allocations, units[i].program);
  }
  emit::EmitBuild build{.symbol = emit::SharedPoolsSymbol(options.prefix),
                        .version = kVersion,
                        .pools = joint.problem.pools,
                        .shared = SharedPools(plan, joint.problem.pools, parts)};
  CompiledModel compiled;
  for (size_t i = 0; i < units.size(); ++i) {
    build.models.push_back(EmissionOf(units[i], parts[i], joint.problem.pools, options.debug));
    build.models.back().lower_bound_bytes =
        units.size() == 1 ? plan.lower_bound_bytes : LowerBound(joint.parts[i]);
    Append(compiled.notes, units[i].notes);
  }
  for (emit::File& file : emit::Emit(build)) {
    compiled.files.push_back({std::move(file.path), std::move(file.content)});
  }
  compiled.report = compile::MakeReport(
      {.units = units, .joint = joint, .plan = plan, .sharing = sharing, .algorithm = algorithm});
  return compiled;
}

}  // namespace

Result<CompiledModel> CompileTogether(std::span<const ModelSource> models, ModelSharing sharing) {
  if (models.empty()) return Fail(ErrorCode::kInvalidInput, "models", "there must be one or more");
  const CompileOptions& options = models[0].options;
  auto pools = compile::PoolsOf(options);
  if (!pools) return Fail(pools.error());
  if (auto checked = compile::CheckDevices(models); !checked) return Fail(checked.error());
  auto algorithm = AlgorithmOf(options);
  if (!algorithm) return Fail(algorithm.error());
  auto units = MakeUnits(
      models,
      {.prefix = options.prefix, .debug = options.debug, .pools = *pools, .algorithm = *algorithm});
  if (!units) return Fail(units.error());
  if (auto distinct = CheckSymbols(*units, options.prefix); !distinct) {
    return Fail(distinct.error());
  }
  const JointProblem joint = compile::Join(*units, sharing);
  auto plan = PlanOf(*units, joint, sharing, *algorithm);
  if (!plan) return Fail(plan.error());
  CompiledModel compiled = EmitAll(*units, joint, *plan, sharing, algorithm->name);
  compiled.report.io_pools_cost_bytes = CostOfIoPools(*units, joint, sharing, *algorithm, *plan);
  compiled.files.push_back({"report.json", ReportToJson(compiled.report)});
  return compiled;
}

Result<CompiledModel> Compile(std::span<const uint8_t> model_bytes, const CompileOptions& options) {
  const ModelSource source{model_bytes, options};
  return CompileTogether({&source, 1}, ModelSharing::kExclusive);
}

std::span<const OperatorInfo> Operators() {
  static const std::vector<OperatorInfo> kOperators = [] {
    std::vector<OperatorInfo> all;
    for (const lower::OperatorRow& row : lower::OperatorTable()) {
      all.push_back({.name = std::string(ir::Name(row.kind)),
                     .types = std::string(row.types),
                     .summary = std::string(ir::Summary(row.kind))});
    }
    return all;
  }();
  return kOperators;
}

}  // namespace usmp
