#include "emit/constant_pools.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/files.h"
#include "support/names.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

bool IsFilledByCaller(const PoolInfo& pool) {
  return pool.kind == PoolKind::kConstant && !pool.is_internal;
}

// A macro for the initializer of an array of bytes.
void WriteData(const std::string& macro, const std::string& image, std::string& text) {
  constexpr size_t kBytesInLine = 16;
  const Out out(text);
  fmt::format_to(out, "#define {}_DATA", macro);
  for (size_t i = 0; i < image.size(); ++i) {
    if (i % kBytesInLine == 0) text += " \\\n   ";
    fmt::format_to(out, " 0x{:02x},", static_cast<uint8_t>(image[i]));
  }
  text += "\n";
}

}  // namespace

std::map<Bytes, BufferId> ConstantsOf(const EmitInput& input, PoolId pool) {
  std::map<Bytes, BufferId> order;
  for (size_t i = 0; i < input.program.buffers.size(); ++i) {
    const bool is_constant = input.program.buffers[i].kind == BufferKind::kConstant;
    const auto& allocation = input.allocations[i];
    if (is_constant && allocation && allocation->pool == pool) {
      order.emplace(allocation->byte_offset, BufferId(i));
    }
  }
  return order;
}

std::string PoolImage(const EmitInput& input, PoolId pool) {
  std::string image(static_cast<size_t>(input.pool_sizes[static_cast<size_t>(pool)]), '\0');
  for (const auto& [offset, id] : ConstantsOf(input, pool)) {
    std::ranges::copy(input.program[id].data, image.begin() + offset);
  }
  return image;
}

void WriteConstantPoolMacros(const EmitInput& input, std::string& text) {
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    if (!IsFilledByCaller(pool)) continue;
    const Out out(text);
    const std::string macro = ToUpper(input.symbol + "_" + pool.pool_name) + "_CONSTANT_POOL";
    fmt::format_to(out,
                   "/*! \\brief Constants that the caller puts into {0}, before the first run: {1} "
                   "initializes\n    an array of bytes; {2}_{0}.bin has the same bytes. */\n",
                   pool.pool_name, macro + "_DATA", input.symbol);
    fmt::format_to(out, "#define {}_SIZE {}\n", macro, input.pool_sizes[i]);
    fmt::format_to(out, "#define {}_ALIGN {}\n", macro, pool.alignment);
    WriteData(macro, PoolImage(input, PoolId(i)), text);
  }
}

std::vector<File> PoolImageFiles(const EmitInput& input) {
  std::vector<File> files;
  for (size_t i = 0; i < input.pools.size(); ++i) {
    const PoolInfo& pool = input.pools[i];
    if (!IsFilledByCaller(pool)) continue;
    files.push_back({PoolSymbol(input, pool) + ".bin", PoolImage(input, PoolId(i))});
  }
  return files;
}

}  // namespace usmp::emit
