#include <fmt/format.h>

#include <iterator>

#include "emit/files.h"
#include "emit/text.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

const PoolInfo& PoolOf(const EmitBuild& build, const SharedPool& shared) {
  return build.pools[static_cast<size_t>(shared.pool)];
}

std::string Declaration(const EmitBuild& build, const SharedPool& shared) {
  return fmt::format("uint8_t {}[{}]", SharedArray(build, shared), shared.bytes);
}

}  // namespace

std::string SharedArray(const EmitBuild& build, const SharedPool& shared) {
  return build.symbol + "_" + PoolOf(build, shared).pool_name;
}

std::string WriteSharedPoolsHeader(const EmitBuild& build) {
  std::string text = Banner("Working memory of several models; private to them.", build.version);
  text += "#ifndef USMP_POOLS_H_\n#define USMP_POOLS_H_\n\n#include <stdint.h>\n\n";
  for (const SharedPool& shared : build.shared) {
    fmt::format_to(Out(text), "extern {};\n", Declaration(build, shared));
  }
  return text + "\n#endif  /* USMP_POOLS_H_ */\n";
}

std::string WriteSharedPools(const EmitBuild& build) {
  std::string text = Banner("Working memory that several models use.", build.version);
  text += "#include \"usmp_pools.h\"\n";
  for (const SharedPool& shared : build.shared) {
    const PoolInfo& pool = PoolOf(build, shared);
    text += "\n";
    if (!pool.section.empty()) {
      fmt::format_to(Out(text), "__attribute__((section(\"{}\")))\n", pool.section);
    }
    fmt::format_to(Out(text), "_Alignas({}) {};\n", pool.alignment, Declaration(build, shared));
  }
  return text;
}

}  // namespace usmp::emit
