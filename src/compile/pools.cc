#include "compile/pools.h"

#include <algorithm>

#include "support/align.h"
#include "support/names.h"

namespace usmp::compile {
namespace {

// What follows the model's name in other names of the generated C.
constexpr std::string_view kWords[] = {"inputs", "outputs",    "devices",     "workspace_pools",
                                       "run",    "map_inputs", "map_outputs", "reset"};

bool StandsInString(char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\'; }

void CheckPool(const PoolInfo& pool, Names& names, std::vector<Diagnostic>& problems) {
  const std::string where = "pool '" + pool.pool_name + "'";
  if (SanitizeName(pool.pool_name) != pool.pool_name) {
    problems.push_back({where, "the name stands in the generated C, so it must be a C identifier"});
  } else if (names.Claim(pool.pool_name) != pool.pool_name) {
    problems.push_back(
        {where,
         "the name is taken, by another pool or by the generated C (capitals do not tell names "
         "apart)"});
  }
  if (!IsPowerOfTwo(pool.alignment) || pool.alignment > 4096) {
    problems.push_back({where, "the alignment must be a power of two, at most 4096"});
  }
  if (pool.size_hint_bytes && *pool.size_hint_bytes < 0) {
    problems.push_back({where, "the size must not be negative"});
  }
  if (!pool.section.empty() && !pool.is_internal) {
    problems.push_back({where,
                        "the section is for the compiler's own array: put yours where you define "
                        "it, or say internal=true"});
  }
  if (!std::ranges::all_of(pool.section, StandsInString)) {
    problems.push_back(
        {where, "the section's name must be printable, without spaces, quotes or backslashes"});
  }
  if (pool.in_ram && pool.kind != PoolKind::kConstant) {
    problems.push_back(
        {where, "a workspace pool is in RAM anyway: ram=true is for constant pools"});
  }
}

}  // namespace

Result<std::vector<PoolInfo>> PoolsOf(const CompileOptions& options) {
  std::vector<PoolInfo> pools = options.pools;
  std::vector<Diagnostic> problems;
  Names names;
  for (std::string_view word : kWords) names.Reserve(word);
  for (const PoolInfo& pool : pools) CheckPool(pool, names, problems);
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  const auto has = [&](PoolKind kind) {
    return std::ranges::any_of(pools, [kind](const PoolInfo& pool) { return pool.kind == kind; });
  };
  if (!has(PoolKind::kWorkspace)) pools.push_back({.pool_name = "global_workspace"});
  if (!has(PoolKind::kConstant)) {
    pools.push_back({.pool_name = "global_const_workspace", .kind = PoolKind::kConstant});
  }
  return pools;
}

}  // namespace usmp::compile
