#include "overlap/placed_program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "lower/extract_buffers.h"
#include "lower/scan_direction.h"
#include "support/run_call.h"

namespace usmp::testing {
namespace {

size_t Index(BufferId id) { return static_cast<size_t>(id); }

}  // namespace

PlacedProgram PlaceInOnePool(lower::Program program) {
  const std::vector<PoolInfo> pools{{.pool_name = "ram"},
                                    {.pool_name = "flash", .kind = PoolKind::kConstant}};
  const lower::Extracted extracted =
      lower::ExtractBuffers(program, pools, {.io = lower::AllIo(program)});
  PlacedProgram placed{.program = std::move(program)};
  const auto plan = MakePlan(extracted.problem, *FindAlgorithm("auto"));
  if (!plan) {
    ADD_FAILURE() << plan.error().diagnostics[0].message;
    return placed;
  }
  for (size_t i = 0; i < placed.program.buffers.size(); ++i) {
    const std::optional<BufferId> id = extracted.planned[i];
    const bool is_constant = placed.program.buffers[i].kind == BufferKind::kConstant;
    placed.allocations.push_back(id && !is_constant ? std::optional(plan->allocations[Index(*id)])
                                                    : std::nullopt);
  }
  lower::ChooseScanDirections(placed.allocations, placed.program);
  placed.arena_bytes = plan->pool_sizes[0];
  return placed;
}

std::vector<ByteVector> RunAt(const lower::Program& program, const std::vector<void*>& addresses,
                              const ByteVector& input) {
  std::memcpy(addresses[Index(program.inputs[0])], input.data(), input.size());
  for (const lower::Call& call : program.calls) {
    std::vector<void*> operands;
    for (const lower::Operand& operand : call.operands) {
      operands.push_back(operand.buffer ? addresses[Index(*operand.buffer)] : nullptr);
    }
    RunCall(call, operands, Variant::kVector);
  }
  std::vector<ByteVector> outputs;
  for (BufferId id : program.outputs) {
    const auto* bytes = static_cast<const uint8_t*>(addresses[Index(id)]);
    outputs.emplace_back(bytes, bytes + program[id].size_bytes());
  }
  return outputs;
}

std::vector<ByteVector> RunPlaced(PlacedProgram placed, const ByteVector& input) {
  ByteVector arena(static_cast<size_t>(placed.arena_bytes), 0xA5);
  std::vector<void*> addresses;
  for (size_t i = 0; i < placed.program.buffers.size(); ++i) {
    lower::Buffer& buffer = placed.program.buffers[i];
    const auto& at = placed.allocations[i];
    addresses.push_back(buffer.kind == BufferKind::kConstant ? buffer.data.data()
                        : at                                 ? arena.data() + at->byte_offset
                                                             : nullptr);
  }
  return RunAt(placed.program, addresses, input);
}

}  // namespace usmp::testing
