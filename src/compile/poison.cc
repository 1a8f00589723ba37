#include "compile/poison.h"

#include <algorithm>

namespace usmp::compile {
namespace {

struct Placed {
  BufferId id{};  // in the program
  BufferKind kind{};
  Lifetime steps{};
  PoolAllocation at{};
  Bytes size = 0;

  bool is_precious = false;

  bool OutlivesRun() const {
    return is_precious || kind == BufferKind::kConstant || kind == BufferKind::kOutput ||
           kind == BufferKind::kState || kind == BufferKind::kDescriptor;
  }
};

std::vector<Placed> PlacedBuffers(const lower::Extracted& extracted,
                                  std::span<const PoolAllocation> allocations) {
  std::vector<Placed> placed;
  for (size_t i = 0; i < extracted.planned.size(); ++i) {
    if (!extracted.planned[i]) continue;
    const auto planned = static_cast<size_t>(*extracted.planned[i]);
    const BufferInfo& info = extracted.problem.buffers[planned];
    placed.push_back({BufferId(i), info.kind, info.lifetimes.back(), allocations[planned],
                      info.size_bytes, extracted.is_precious[planned]});
  }
  return placed;
}

// The parts of `dead` that no buffer has which lives on after call `step`.
std::vector<emit::DeadBytes> PartsOf(const Placed& dead, int32_t step,
                                     const std::vector<Placed>& all) {
  std::vector<std::pair<Bytes, Bytes>> alive;  // begin, end within `dead`
  for (const Placed& other : all) {
    const bool lives_on =
        other.steps.begin <= step && (other.steps.end > step + 1 || other.OutlivesRun());
    if (!lives_on || other.at.pool != dead.at.pool) continue;
    const Bytes begin = other.at.byte_offset - dead.at.byte_offset;
    if (begin < dead.size && begin + other.size > 0) alive.emplace_back(begin, begin + other.size);
  }
  alive.emplace_back(dead.size, dead.size);
  std::ranges::sort(alive);
  std::vector<emit::DeadBytes> parts;
  Bytes done = 0;
  for (const auto& [begin, end] : alive) {
    if (begin > done) parts.push_back({dead.id, done, begin - done});
    done = std::max(done, end);
  }
  return parts;
}

}  // namespace

std::vector<std::vector<emit::DeadBytes>> DeadAfter(const lower::Program& program,
                                                    const lower::Extracted& extracted,
                                                    std::span<const PoolAllocation> allocations) {
  const std::vector<Placed> all = PlacedBuffers(extracted, allocations);
  std::vector<std::vector<emit::DeadBytes>> dead(program.calls.size());
  for (const Placed& buffer : all) {
    const int32_t step = buffer.steps.end - 1;
    if (buffer.OutlivesRun() || static_cast<size_t>(step) >= dead.size()) continue;
    for (const emit::DeadBytes& part : PartsOf(buffer, step, all)) {
      dead[static_cast<size_t>(step)].push_back(part);
    }
  }
  return dead;
}

}  // namespace usmp::compile
