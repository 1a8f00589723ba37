#include "lower/reach.h"

#include <algorithm>
#include <utility>

namespace usmp::lower {
namespace {

constexpr const char* kCpu = "cpu";

bool Reaches(const PoolInfo& pool, const std::string& target) {
  const std::vector<std::string>& known = pool.targets;
  if (known.empty() || std::ranges::find(known, target) != known.end()) return true;
  return target == kCpu && std::ranges::find(known, "c") != known.end();
}

std::string Joined(const auto& names, std::string_view separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : std::string(separator)) + name;
  return text;
}

// "dtcm (cpu), sram (everyone)"
std::string Describe(std::span<const PoolInfo> pools, PoolKind kind) {
  std::vector<std::string> names;
  for (const PoolInfo& pool : pools) {
    if (pool.kind != kind) continue;
    const std::string who = pool.targets.empty() ? "everyone" : Joined(pool.targets, " ");
    names.push_back(pool.pool_name + " (" + who + ")");
  }
  return Joined(names, ", ");
}

}  // namespace

std::vector<std::set<std::string>> TargetsOfBuffers(const Program& program,
                                                    std::span<const WorkspaceIo> io) {
  std::vector<std::set<std::string>> targets(program.buffers.size());
  for (const Call& call : program.calls) {
    for (const Operand& operand : call.operands) {
      if (!operand.buffer) continue;
      targets[static_cast<size_t>(*operand.buffer)].insert(call.offloaded ? call.offloaded->target
                                                                          : kCpu);
    }
  }
  for (const WorkspaceIo& tensor : io) targets[static_cast<size_t>(tensor.buffer)].insert(kCpu);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (program.buffers[i].kind == BufferKind::kDescriptor) targets[i].insert(kCpu);
  }
  return targets;
}

std::vector<PoolId> ReachedPools(std::span<const PoolInfo> pools, PoolKind kind,
                                 const std::set<std::string>& targets) {
  std::vector<PoolId> reached;
  for (size_t i = 0; i < pools.size(); ++i) {
    const bool is_reached = std::ranges::all_of(
        targets, [&](const std::string& target) { return Reaches(pools[i], target); });
    if (pools[i].kind == kind && is_reached) reached.push_back(PoolId(i));
  }
  return reached;
}

Result<void> CheckReach(const Program& program, std::span<const PoolInfo> pools,
                        std::span<const WorkspaceIo> io) {
  const std::vector<std::set<std::string>> targets = TargetsOfBuffers(program, io);
  std::vector<Diagnostic> problems;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    const auto planned = std::ranges::find(io, BufferId(i), &WorkspaceIo::buffer);
    const bool is_io = buffer.kind == BufferKind::kInput || buffer.kind == BufferKind::kOutput;
    if (targets[i].empty() || (is_io && planned == io.end())) continue;
    const PoolKind kind =
        buffer.kind == BufferKind::kConstant ? PoolKind::kConstant : PoolKind::kWorkspace;
    const std::vector<PoolId> reached = ReachedPools(pools, kind, targets[i]);
    const bool has_place = is_io && planned->pool
                               ? std::ranges::find(reached, *planned->pool) != reached.end()
                               : !reached.empty();
    if (has_place) continue;
    problems.push_back({"buffer '" + buffer.name + "'",
                        "no pool that it may be in is reached by " + Joined(targets[i], " and ") +
                            "; there is " + Describe(pools, kind) +
                            ": add the missing target to targets= of one of them"});
  }
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  return {};
}

}  // namespace usmp::lower
