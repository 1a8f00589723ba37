#include "compile/constant_placement.h"

#include <algorithm>
#include <string_view>

namespace usmp::compile {
namespace {

// '*' in the pattern is any text. After a mismatch, the last '*' takes one character more.
bool Matches(std::string_view pattern, std::string_view text) {
  constexpr size_t kNone = std::string_view::npos;
  size_t p = 0, t = 0, star = kNone, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != kNone) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == kNone;
}

// By BufferId, the names that the constant goes by; empty for other buffers.
std::vector<std::vector<std::string>> NamesOfConstants(const lower::Program& program) {
  std::vector<std::vector<std::string>> names(program.buffers.size());
  for (const lower::Call& call : program.calls) {
    for (const lower::Operand& operand : call.operands) {
      if (!operand.buffer || program[*operand.buffer].kind != BufferKind::kConstant) continue;
      std::vector<std::string>& of_buffer = names[static_cast<size_t>(*operand.buffer)];
      of_buffer.push_back(program[*operand.buffer].name);
      of_buffer.push_back(call.label);
    }
  }
  return names;
}

std::vector<PoolId> FindPools(const ConstantPlacement& placement, std::span<const PoolInfo> pools,
                              std::vector<Diagnostic>& problems) {
  std::vector<PoolId> ids;
  for (const std::string& name : placement.pools) {
    const auto found = std::ranges::find(pools, name, &PoolInfo::pool_name);
    if (found == pools.end() || found->kind != PoolKind::kConstant) {
      problems.push_back({"constants '" + placement.pattern + "'",
                          "there is no constant pool '" + name + "': declare it, or name another"});
      continue;
    }
    ids.push_back(PoolId(found - pools.begin()));
  }
  return ids;
}

}  // namespace

Result<std::vector<std::vector<PoolId>>> PlaceConstants(std::span<const PoolInfo> pools,
                                                        const CompileOptions& options,
                                                        const lower::Program& program) {
  const std::vector<std::vector<std::string>> names = NamesOfConstants(program);
  std::vector<std::vector<PoolId>> pools_of(names.size());
  std::vector<Diagnostic> problems;
  for (const ConstantPlacement& placement : options.constants) {
    const std::vector<PoolId> wanted = FindPools(placement, pools, problems);
    bool found = false;
    for (size_t i = 0; i < names.size(); ++i) {
      const bool matches = std::ranges::any_of(
          names[i], [&](const std::string& name) { return Matches(placement.pattern, name); });
      found |= matches;
      if (matches && pools_of[i].empty()) pools_of[i] = wanted;
    }
    if (!found) {
      problems.push_back({"constants '" + placement.pattern + "'",
                          "no constant has this name, nor an operator that reads one: the report "
                          "(--report) lists both"});
    }
  }
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  return pools_of;
}

}  // namespace usmp::compile
