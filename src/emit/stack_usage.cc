#include "emit/stack_usage.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "emit/runtime_files.h"
#include "support/check.h"

namespace usmp::emit {
namespace {

std::string_view Table() {
  const auto files = RuntimeFiles();
  const auto found = std::ranges::find(files, "kernels/stack_usage.tsv", &RuntimeFile::path);
  USMP_CHECK(found != files.end());
  return found->content;
}

// The figure in the line "name<TAB>bytes".
Bytes Row(std::string_view table, std::string_view name) {
  const std::string start = "\n" + std::string(name) + "\t";
  const size_t at = table.find(start);
  USMP_CHECK(at != std::string_view::npos);
  Bytes bytes = 0;
  const char* number = table.data() + at + start.size();
  const auto parsed = std::from_chars(number, table.data() + table.size(), bytes);
  USMP_CHECK(parsed.ec == std::errc());
  return bytes;
}

}  // namespace

Bytes MaxStackBytes(std::span<const std::string_view> kernels, bool has_groups) {
  const std::string_view table = Table();
  Bytes deepest = 0;
  for (std::string_view kernel : kernels) deepest = std::max(deepest, Row(table, kernel));
  return Row(table, has_groups ? "run_rows" : "run") + deepest;
}

// Figures of the compiler for functions with a few arguments; pointers have 4 bytes.
Bytes PackedStackBytes(size_t arguments) { return 40 + 4 * static_cast<Bytes>(arguments); }
Bytes OffloadStackBytes(size_t operands) { return 16 + 4 * static_cast<Bytes>(operands); }

}  // namespace usmp::emit
