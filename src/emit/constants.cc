#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

#include "emit/constant_pools.h"
#include "emit/files.h"
#include "emit/text.h"
#include "support/check.h"
#include "support/names.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;
using lower::Buffer;
using lower::ElementType;

template <class T>
T ElementAt(const Buffer& buffer, int64_t index) {
  T value;
  std::memcpy(&value, buffer.data.data() + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

std::string IntegerLiteral(int64_t value, ElementType type) {
  // -2147483648 is not a literal in C but an expression of a wider type.
  if (type == ElementType::kInt32 && value == INT32_MIN) return "(-2147483647 - 1)";
  if (type == ElementType::kInt64) {
    return value == INT64_MIN ? "(-9223372036854775807LL - 1)" : fmt::format("{}LL", value);
  }
  return fmt::format("{}", value);
}

std::string Literal(const Buffer& buffer, int64_t i) {
  switch (buffer.element) {
    case ElementType::kInt8:
      return IntegerLiteral(ElementAt<int8_t>(buffer, i), buffer.element);
    case ElementType::kUInt8:
      return IntegerLiteral(ElementAt<uint8_t>(buffer, i), buffer.element);
    case ElementType::kInt16:
      return IntegerLiteral(ElementAt<int16_t>(buffer, i), buffer.element);
    case ElementType::kInt32:
      return IntegerLiteral(ElementAt<int32_t>(buffer, i), buffer.element);
    case ElementType::kInt64:
      return IntegerLiteral(ElementAt<int64_t>(buffer, i), buffer.element);
    case ElementType::kFloat32:
      return FloatLiteral(ElementAt<float>(buffer, i));
  }
  return {};
}

void WriteValues(const Buffer& buffer, std::string& text) {
  constexpr size_t kColumns = 100;
  size_t line_start = text.size();
  text += "    ";
  for (int64_t i = 0; i < buffer.count; ++i) {
    const std::string literal = Literal(buffer, i);
    if (text.size() - line_start + literal.size() + 1 > kColumns) {
      line_start = text.size() + 1;
      text += "\n    ";
    }
    text += literal;
    text += ',';
  }
  text += "\n";
}

void WritePoolType(const EmitInput& input, const PoolInfo& pool,
                   const std::map<Bytes, BufferId>& order, std::string& text) {
  const Out out(text);
  fmt::format_to(out, "struct {} {{\n", PoolSymbol(input, pool));
  Bytes at = 0;
  for (const auto& [offset, id] : order) {
    const Buffer& buffer = input.program[id];
    if (offset > at) fmt::format_to(out, "  uint8_t gap_{}[{}];\n", at, offset - at);
    fmt::format_to(out, "  {} {}[{}];  /* {} */\n", CType(buffer.element), PoolMember(input, id),
                   buffer.count, CommentText(buffer.name));
    at = offset + buffer.size_bytes();
  }
  text += "};\n";
}

void WritePoolChecks(const EmitInput& input, const PoolInfo& pool,
                     const std::map<Bytes, BufferId>& order, std::string& text) {
  const std::string type = PoolSymbol(input, pool);
  for (const auto& [offset, id] : order) {
    fmt::format_to(Out(text),
                   "_Static_assert(offsetof(struct {}, {}) == {}, \"the plan's offset\");\n", type,
                   PoolMember(input, id), offset);
  }
  if (pool.is_internal) return;
  text +=
      "#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__\n"
      "#error \"the pool's contents are little-endian\"\n#endif\n";
  const auto& [offset, id] = *order.rbegin();
  fmt::format_to(Out(text),
                 "_Static_assert({} + {} == {}_CONSTANT_POOL_SIZE, \"the header's size\");\n",
                 offset, input.program[id].size_bytes(), ToUpper(type));
}

// Compilers move variables that nobody writes to read-only memory, unless their section is given.
void WritePoolSection(const EmitInput& input, const PoolInfo& pool, std::string& text) {
  const Out out(text);
  if (!pool.section.empty()) {
    fmt::format_to(out, "__attribute__((section(\"{}\")))\n", pool.section);
  } else if (pool.in_ram) {
    fmt::format_to(out, "#ifdef __ELF__\n__attribute__((section(\".data.{}\")))\n#endif\n",
                   PoolSymbol(input, pool));
  }
}

void WritePoolData(const EmitInput& input, const PoolInfo& pool,
                   const std::map<Bytes, BufferId>& order, std::string& text) {
  const Out out(text);
  WritePoolSection(input, pool, text);
  fmt::format_to(out, "static {2}_Alignas({0}) struct {1} {1} = {{\n", pool.alignment,
                 PoolSymbol(input, pool), pool.in_ram ? "" : "const ");
  for (const auto& [offset, id] : order) {
    fmt::format_to(out, "  .{} = {{\n", PoolMember(input, id));
    WriteValues(input.program[id], text);
    text += "  },\n";
  }
  text += "};\n";
}

bool NeedsMath(const EmitInput& input) {
  return std::ranges::any_of(input.program.buffers, [](const Buffer& buffer) {
    if (buffer.element != ElementType::kFloat32 || buffer.data.empty()) return false;
    for (int64_t i = 0; i < buffer.count; ++i) {
      const float value = ElementAt<float>(buffer, i);
      if (!(value - value == 0.0F)) return true;  // infinite or not a number
    }
    return false;
  });
}

}  // namespace

std::string PoolMember(const EmitInput& input, BufferId constant) {
  USMP_CHECK(input.allocations[static_cast<size_t>(constant)].has_value());
  return fmt::format("c{}", static_cast<uint32_t>(constant));
}

std::string WriteConstants(const EmitInput& input) {
  std::string body;
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    const std::map<Bytes, BufferId> order = ConstantsOf(input, PoolId(i));
    if (pool.kind != PoolKind::kConstant || order.empty()) continue;
    body += "\n";
    WritePoolType(input, pool, order, body);
    WritePoolChecks(input, pool, order, body);
    if (pool.is_internal) WritePoolData(input, pool, order, body);
  }
  if (body.empty()) return {};
  return Banner("Weights, biases and tables of \"" + CommentText(input.program.name) +
                    "\"; private to " + input.symbol + ".c.",
                input.version) +
         (NeedsMath(input) ? "#include <math.h>\n" : "") +
         "#include <stddef.h>\n#include <stdint.h>\n" + body;
}

}  // namespace usmp::emit
