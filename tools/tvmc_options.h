// The spellings of tvmc for pools: --workspace-pools=sram,dtcm --workspace-pools-targets=sram:c ...
#ifndef USMP_TOOLS_TVMC_OPTIONS_H_
#define USMP_TOOLS_TVMC_OPTIONS_H_

#include <array>
#include <string>
#include <vector>

#include "usmp/buffers.h"
#include "usmp/result.h"

namespace usmp::tools {

// What follows "--workspace-pools-" or "--constant-pools-": lists of pool:value, the last one of
// pool:target:value.
inline constexpr std::array<const char*, 8> kTvmcProperties = {"targets",
                                                               "size-hint-bytes",
                                                               "clock-frequency-hz",
                                                               "read-bandwidth-bytes-per-cycle",
                                                               "write-bandwidth-bytes-per-cycle",
                                                               "read-latency-cycles",
                                                               "write-latency-cycles",
                                                               "target-burst-bytes"};

struct TvmcPools {
  std::string names{};  // "sram,dtcm"; empty: none
  std::array<std::string, kTvmcProperties.size()> properties{};
};

// The pools that the options describe; they are the caller's, as in TVM.
Result<std::vector<PoolInfo>> PoolsOf(const TvmcPools& options, PoolKind kind);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_TVMC_OPTIONS_H_
