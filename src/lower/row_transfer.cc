#include "lower/row_transfer.h"

#include <algorithm>
#include <ranges>

namespace usmp::lower {
namespace {

struct Pixels {
  int32_t height = 1, width = 1;
};

std::optional<Pixels> PixelsRead(const Call& call, BufferId tensor) {
  if (!call.rows) return std::nullopt;
  for (const RowInput& input : call.rows->inputs) {
    if (call.operands[input.operand].buffer == tensor) return Pixels{input.height, input.width};
  }
  return std::nullopt;
}

bool Uses(const Call& call, BufferId tensor) {
  return std::ranges::any_of(call.operands,
                             [&](const Operand& operand) { return operand.buffer == tensor; });
}

std::optional<Pixels> PixelsOf(const Program& program, BufferId tensor) {
  const bool is_input = program[tensor].kind == BufferKind::kInput;
  for (const Call& call : program.calls) {
    if (!is_input && Uses(call, tensor)) {  // the first one makes it
      if (!call.rows || call.rows->kind == RowKind::kSum) return std::nullopt;
      return Pixels{call.rows->height, call.rows->width};
    }
    if (const auto pixels = PixelsRead(call, tensor)) return pixels;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int32_t> RowsOf(const Program& program, BufferId tensor) {
  const auto pixels = PixelsOf(program, tensor);
  return pixels ? std::optional(pixels->height) : std::nullopt;
}

void TransferRows(BufferId tensor, Program& program) {
  const Pixels pixels = *PixelsOf(program, tensor);
  const bool is_input = program[tensor].kind == BufferKind::kInput;
  Call call{
      .label = (is_input ? "rows of input '" : "rows of output '") + program[tensor].name + "'",
      .operands = {{tensor, is_input ? Access::kWrite : Access::kRead}},
      .rows = RowAccess{.kind = RowKind::kTransfer, .height = pixels.height, .width = pixels.width},
      .transfer = tensor};
  if (!is_input) call.rows->inputs = {{.height = pixels.height, .width = pixels.width}};
  program[tensor].kind = BufferKind::kIntermediate;
  const auto first =
      std::ranges::find_if(program.calls, [&](const Call& c) { return Uses(c, tensor); });
  program.calls.insert(is_input ? first : std::next(first), std::move(call));
}

}  // namespace usmp::lower
