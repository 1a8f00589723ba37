#include "emit/calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "emit/files.h"
#include "emit/group.h"
#include "emit/offload.h"
#include "emit/row_transfer.h"
#include "emit/text.h"
#include "support/check.h"

namespace usmp::emit {
namespace {

using lower::Access;
using lower::Call;
using lower::Operand;
using Out = std::back_insert_iterator<std::string>;

size_t Index(BufferId id) { return static_cast<size_t>(id); }

std::string CallerTensor(const EmitInput& input, BufferId id) {
  for (const auto* tensors : {&input.inputs, &input.outputs}) {
    const auto found = std::ranges::find(*tensors, id, &Interface::buffer);
    if (found != tensors->end()) return ParameterName(found->identifier);
  }
  USMP_CHECK(false);
}

std::string ParamText(const lower::ParamValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    return *integer == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", *integer);
  }
  if (const auto* real = std::get_if<float>(&value)) return FloatLiteral(*real);
  return fmt::format("{{{}}}", fmt::join(std::get<std::vector<int64_t>>(value), ", "));
}

std::string_view Verb(Access access) {
  switch (access) {
    case Access::kRead:
      return "reads";
    case Access::kWrite:
      return "writes";
    case Access::kScratch:
      return "uses";
  }
  return {};
}

void WriteComment(const EmitInput& input, const Call& call, std::string& text) {
  const Out out(text);
  fmt::format_to(out, "  /* {}", CommentText(call.label));
  for (const Operand& operand : call.operands) {
    if (!operand.buffer || input.program[*operand.buffer].kind == BufferKind::kConstant) continue;
    const lower::Buffer& buffer = input.program[*operand.buffer];
    const bool is_scratch = operand.access == Access::kScratch;
    fmt::format_to(out, "\n     {} {}: {} bytes", Verb(operand.access),
                   is_scratch ? "scratch" : CommentText(buffer.name), buffer.size_bytes());
    const auto& allocation = input.allocations[Index(*operand.buffer)];
    if (allocation) {
      fmt::format_to(out, " at {} + {}", PoolOf(input, *allocation).pool_name,
                     allocation->byte_offset);
    } else {
      text += " of the caller";
    }
  }
  text += " */\n";
}

}  // namespace

const PoolInfo& PoolOf(const EmitInput& input, const PoolAllocation& allocation) {
  return input.pools[static_cast<size_t>(allocation.pool)];
}

std::string ParameterName(std::string_view identifier) {
  return "caller_" + std::string(identifier);
}

std::string PoolBase(const EmitInput& input, const PoolInfo& pool) {
  return pool.is_internal ? PoolSymbol(input, pool) : "pool_" + pool.pool_name;
}

std::string Address(const EmitInput& input, BufferId id, Bytes begin) {
  const auto& allocation = input.allocations[Index(id)];
  if (!allocation) return CallerTensor(input, id);
  return fmt::format("({} + {})", PoolBase(input, PoolOf(input, *allocation)),
                     allocation->byte_offset + begin);
}

std::string MappedAddress(const EmitInput& input, const PoolAllocation& at,
                          std::string_view pools) {
  const PoolInfo& pool = PoolOf(input, at);
  const std::string base = pool.is_internal ? PoolSymbol(input, pool)
                                            : fmt::format("(uint8_t*){}{}", pools, pool.pool_name);
  return fmt::format("{} + {}", base, at.byte_offset);
}

std::string OperandText(const EmitInput& input, const Operand& operand) {
  if (!operand.buffer) return "NULL";
  const lower::Buffer& buffer = input.program[*operand.buffer];
  if (buffer.kind == BufferKind::kConstant) {
    const PoolInfo& pool = PoolOf(input, *input.allocations[Index(*operand.buffer)]);
    return PoolBase(input, pool) + (pool.is_internal ? "." : "->") +
           PoolMember(input, *operand.buffer);
  }
  return OperandText(input, operand, "", buffer.element);
}

std::string OperandText(const EmitInput& input, const Operand& operand, std::string_view offset,
                        lower::ElementType element) {
  const std::string_view qualifier = operand.access == Access::kRead ? "const " : "";
  const std::string address = Address(input, *operand.buffer);
  if (offset.empty()) return fmt::format("({}{}*){}", qualifier, CType(element), address);
  return fmt::format("({0}{1}*)(({0}uint8_t*){2}{3})", qualifier, CType(element), address, offset);
}

void WriteParamStruct(const Call& call, std::string_view name, std::string& text) {
  const Out out(text);
  fmt::format_to(out, "\n/* {} */\n", CommentText(call.label));
  fmt::format_to(out, "static const struct usmp_{}_params {} = {{\n", call.kernel, name);
  for (const lower::Param& param : call.params) {
    fmt::format_to(out, "    .{} = {},\n", param.name, ParamText(param.value));
  }
  text += "};\n";
}

void WriteParams(const EmitInput& input, size_t index, std::string& text) {
  const Call& call = input.program.calls[index];
  if (call.offloaded) {
    WriteOperator(input, index, text);
  } else if (call.group) {
    WriteGroupParams(input, index, text);
  } else if (!call.transfer) {
    WriteParamStruct(call, fmt::format("call{}_params", index), text);
  }
}

void WriteCall(const EmitInput& input, size_t index, std::string& text) {
  const Call& call = input.program.calls[index];
  WriteComment(input, call, text);
  if (call.offloaded) {
    WriteOffloadedCall(input, index, text);
  } else if (call.group) {
    WriteGroup(input, index, text);
  } else if (call.transfer) {
    const Bytes row_bytes = input.program[*call.transfer].size_bytes() / call.rows->height;
    const std::string row =
        fmt::format("{} + (ptrdiff_t)y * {}", Address(input, *call.transfer), row_bytes);
    fmt::format_to(Out(text), "  for (int32_t y = 0; y < {}; ++y) {{\n", call.rows->height);
    WriteRowTransfer(input, call, row, "    ", text);
    text += "  }\n";
  } else {
    std::vector<std::string> arguments{fmt::format("&call{}_params", index)};
    for (const Operand& operand : call.operands) arguments.push_back(OperandText(input, operand));
    text += CallStatement("usmp_" + call.kernel, arguments);
  }
  if (input.poison_after.empty()) return;
  for (const DeadBytes& dead : input.poison_after[index]) {
    fmt::format_to(Out(text), "  memset({}, 0xA5, {}); /* dead */\n",
                   Address(input, dead.buffer, dead.begin), dead.bytes);
  }
}

}  // namespace usmp::emit
