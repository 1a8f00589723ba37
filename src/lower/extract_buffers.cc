#include "lower/extract_buffers.h"

#include <algorithm>

namespace usmp::lower {
namespace {

std::vector<PoolId> PoolsOfKind(std::span<const PoolInfo> pools, PoolKind kind) {
  std::vector<PoolId> ids;
  for (size_t i = 0; i < pools.size(); ++i) {
    if (pools[i].kind == kind) ids.push_back(PoolId(i));
  }
  return ids;
}

struct Use {
  int32_t first = -1, last = -1;  // calls
  Bytes reads = 0, writes = 0;    // how often
};

std::vector<Use> CollectUses(const Program& program) {
  std::vector<Use> uses(program.buffers.size());
  for (size_t step = 0; step < program.calls.size(); ++step) {
    for (const Operand& operand : program.calls[step].operands) {
      if (!operand.buffer) continue;
      Use& use = uses[static_cast<size_t>(*operand.buffer)];
      if (use.first < 0) use.first = static_cast<int32_t>(step);
      use.last = static_cast<int32_t>(step);
      use.reads += operand.access != Access::kWrite ? 1 : 0;
      use.writes += operand.access != Access::kRead ? 1 : 0;
    }
  }
  return uses;
}

Lifetime LifetimeOf(const Buffer& buffer, const Use& use, int32_t end, bool keep) {
  switch (buffer.kind) {
    case BufferKind::kConstant:
    case BufferKind::kState:
    case BufferKind::kDescriptor:
      return {0, end};
    case BufferKind::kInput:
      return {0, keep ? end : std::max(use.last, 0) + 1};
    case BufferKind::kOutput:
      return {std::max(use.first, 0), end};
    case BufferKind::kScratch:
      return {use.first, use.last + 1};
    case BufferKind::kIntermediate:
      break;
  }
  return {std::max(use.first, 0), keep ? end : std::max(use.last, 0) + 1};
}

// By the program's BufferId; null: not an input or output of the workspace.
std::vector<const WorkspaceIo*> ByBuffer(const Program& program, const ExtractOptions& options) {
  std::vector<const WorkspaceIo*> by_buffer(program.buffers.size());
  for (const WorkspaceIo& io : options.io) by_buffer[static_cast<size_t>(io.buffer)] = &io;
  return by_buffer;
}

}  // namespace

std::vector<WorkspaceIo> AllIo(const Program& program) {
  std::vector<WorkspaceIo> all;
  for (BufferId id : program.inputs) all.push_back({.buffer = id});
  for (BufferId id : program.outputs) all.push_back({.buffer = id});
  return all;
}

Extracted ExtractBuffers(const Program& program, std::span<const PoolInfo> pools,
                         const ExtractOptions& options) {
  const std::vector<PoolId> workspace = PoolsOfKind(pools, PoolKind::kWorkspace);
  const std::vector<PoolId> constant = PoolsOfKind(pools, PoolKind::kConstant);
  const std::vector<Use> uses = CollectUses(program);
  const std::vector<const WorkspaceIo*> workspace_io = ByBuffer(program, options);
  const auto end = static_cast<int32_t>(std::max<size_t>(program.calls.size(), 1));
  Extracted extracted;
  extracted.problem.pools.assign(pools.begin(), pools.end());
  extracted.planned.resize(program.buffers.size());
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    const bool is_io = buffer.kind == BufferKind::kInput || buffer.kind == BufferKind::kOutput;
    const bool is_unused = !is_io && uses[i].first < 0;
    if (is_unused || (is_io && workspace_io[i] == nullptr)) continue;
    const bool is_constant = buffer.kind == BufferKind::kConstant;
    BufferInfo info{.name_hint = buffer.name,
                    .size_bytes = buffer.size_bytes(),
                    .alignment = buffer.alignment(),
                    .kind = buffer.kind,
                    .pool_candidates = is_constant ? constant : workspace,
                    .bytes_read = uses[i].reads * buffer.size_bytes(),
                    .bytes_written = uses[i].writes * buffer.size_bytes()};
    const bool keep = options.keep_all || (is_io && workspace_io[i]->is_precious);
    info.lifetimes.push_back(LifetimeOf(buffer, uses[i], end, keep));
    if (is_io && workspace_io[i]->pool) info.pool_candidates = {*workspace_io[i]->pool};
    extracted.planned[i] = BufferId(extracted.problem.buffers.size());
    extracted.problem.buffers.push_back(std::move(info));
  }
  extracted.problem.conflicts = Conflicts::FromLifetimes(extracted.problem.buffers);
  return extracted;
}

}  // namespace usmp::lower
