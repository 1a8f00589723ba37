#include "lower/extract_buffers.h"

#include <algorithm>
#include <set>
#include <string>

#include "lower/reach.h"

namespace usmp::lower {
namespace {

// Of the buffer's kind, in their order; where CheckReach is not content, all of them.
std::vector<PoolId> CandidatesOf(const Buffer& buffer, std::span<const PoolInfo> pools,
                                 const std::set<std::string>& targets) {
  const PoolKind kind =
      buffer.kind == BufferKind::kConstant ? PoolKind::kConstant : PoolKind::kWorkspace;
  std::vector<PoolId> candidates = ReachedPools(pools, kind, targets);
  return candidates.empty() ? ReachedPools(pools, kind, {}) : candidates;
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

Bytes DescriptorAlignment(const Buffer& buffer) {
  return buffer.descriptor_bytes > 0 ? ElementBytes(ElementType::kInt64) : 1;
}

// By the program's BufferId; null: not an input or output of the workspace.
std::vector<const WorkspaceIo*> ByBuffer(const Program& program, const ExtractOptions& options) {
  std::vector<const WorkspaceIo*> by_buffer(program.buffers.size());
  for (const WorkspaceIo& io : options.io) by_buffer[static_cast<size_t>(io.buffer)] = &io;
  return by_buffer;
}

// A pair's overlap in one call. A buffer that is read twice needs a distance for each.
struct PairOverlap {
  BufferId input{}, output{};  // in the problem
  std::optional<Bytes> forward{}, reverse{};
  int operands = 0;
};

std::optional<Bytes> Larger(std::optional<Bytes> a, std::optional<Bytes> b) {
  if (!a || !b) return {};
  return std::max(*a, *b);
}

class OverlapExtractor {
 public:
  OverlapExtractor(const Program& program, Extracted& extracted)
      : program_(program), extracted_(extracted) {}

  void Extract() {
    for (size_t step = 0; step < program_.calls.size(); ++step) {
      const Call& call = program_.calls[step];
      std::vector<PairOverlap> pairs;
      for (const CallOverlap& overlap : call.overlaps) Collect(step, overlap, pairs);
      std::erase_if(pairs, [&](const PairOverlap& pair) {
        return pair.operands != CountReads(call, pair.input);
      });
      for (const PairOverlap& pair : pairs) Add(pair, pairs.size() == 1);
    }
  }

 private:
  std::optional<BufferId> Planned(BufferId id) const {
    return extracted_.planned[static_cast<size_t>(id)];
  }
  const BufferInfo& Info(BufferId id) const {
    return extracted_.problem.buffers[static_cast<size_t>(id)];
  }

  int CountReads(const Call& call, BufferId input) const {
    int reads = 0;
    for (const Operand& operand : call.operands) {
      reads += operand.buffer && Planned(*operand.buffer) == input ? 1 : 0;
    }
    return reads;
  }

  // Adds the overlap to those of its pair if the two meet in this step only.
  void Collect(size_t step, const CallOverlap& overlap, std::vector<PairOverlap>& pairs) const {
    const std::optional<BufferId> input = Planned(overlap.input);
    const std::optional<BufferId> output = Planned(overlap.output);
    if (!input || !output || input == output) return;
    if (extracted_.is_precious[static_cast<size_t>(*output)]) return;
    const bool dies =
        !extracted_.is_precious[static_cast<size_t>(*input)] &&
        (Info(*input).kind == BufferKind::kIntermediate || Info(*input).kind == BufferKind::kInput);
    const auto now = static_cast<int32_t>(step);
    if (!dies || Info(*input).lifetimes.back().end != now + 1 ||
        Info(*output).lifetimes.front().begin != now) {
      return;
    }
    const auto same = std::ranges::find_if(pairs, [&](const PairOverlap& pair) {
      return pair.input == *input && pair.output == *output;
    });
    if (same == pairs.end()) {
      pairs.push_back({*input, *output, overlap.forward_distance, overlap.reverse_distance, 1});
      return;
    }
    same->forward = Larger(same->forward, overlap.forward_distance);
    same->reverse = Larger(same->reverse, overlap.reverse_distance);
    ++same->operands;
  }

  void Add(const PairOverlap& pair, bool in_either_direction) {
    const Bytes in = Info(pair.input).size_bytes;
    const Bytes out = Info(pair.output).size_bytes;
    if (pair.forward) Add(pair.output, pair.input, *pair.forward);
    if (pair.reverse && in_either_direction) {
      Add(pair.input, pair.output, in - out + *pair.reverse);
    }
  }

  void Add(BufferId lower, BufferId upper, Bytes distance) {
    if (distance >= Info(lower).size_bytes) return;
    extracted_.problem.overlaps.push_back({lower, upper, distance});
  }

  const Program& program_;
  Extracted& extracted_;
};

}  // namespace

std::vector<WorkspaceIo> AllIo(const Program& program) {
  std::vector<WorkspaceIo> all;
  for (BufferId id : program.inputs) all.push_back({.buffer = id});
  for (BufferId id : program.outputs) all.push_back({.buffer = id});
  return all;
}

Extracted ExtractBuffers(const Program& program, std::span<const PoolInfo> pools,
                         const ExtractOptions& options) {
  const std::vector<std::set<std::string>> targets = TargetsOfBuffers(program, options.io);
  const std::vector<Use> uses = CollectUses(program);
  const std::vector<const WorkspaceIo*> workspace_io = ByBuffer(program, options);
  const auto end = static_cast<int32_t>(std::max<size_t>(program.calls.size(), 1));
  Extracted extracted;
  extracted.problem.pools.assign(pools.begin(), pools.end());
  extracted.planned.resize(program.buffers.size());
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    const bool is_io = buffer.kind == BufferKind::kInput || buffer.kind == BufferKind::kOutput;
    const bool is_unused = !is_io && buffer.kind != BufferKind::kDescriptor && uses[i].first < 0;
    if (is_unused || (is_io && workspace_io[i] == nullptr)) continue;
    BufferInfo info{.name_hint = buffer.name,
                    .size_bytes = buffer.descriptor_bytes + buffer.size_bytes(),
                    .alignment = std::max(buffer.alignment(), DescriptorAlignment(buffer)),
                    .kind = buffer.kind,
                    .pool_candidates = CandidatesOf(buffer, pools, targets[i]),
                    .bytes_read = uses[i].reads * buffer.size_bytes(),
                    .bytes_written = uses[i].writes * buffer.size_bytes()};
    const bool has_descriptor = buffer.descriptor_bytes > 0;
    const bool is_precious = has_descriptor || (is_io && workspace_io[i]->is_precious);
    const bool keep = options.keep_all || is_precious;
    info.lifetimes.push_back(has_descriptor ? Lifetime{0, end}
                                            : LifetimeOf(buffer, uses[i], end, keep));
    if (i < options.constant_pools.size() && !options.constant_pools[i].empty()) {
      info.pool_candidates = options.constant_pools[i];
    }
    if (is_io && workspace_io[i]->pool) info.pool_candidates = {*workspace_io[i]->pool};
    extracted.planned[i] = BufferId(extracted.problem.buffers.size());
    extracted.is_precious.push_back(is_precious);
    extracted.problem.buffers.push_back(std::move(info));
  }
  extracted.problem.conflicts = Conflicts::FromLifetimes(extracted.problem.buffers);
  if (options.overlap && !options.keep_all) OverlapExtractor(program, extracted).Extract();
  return extracted;
}

}  // namespace usmp::lower
