// Pools as they are written on the command line and in files.
#ifndef USMP_TOOLS_POOL_OPTIONS_H_
#define USMP_TOOLS_POOL_OPTIONS_H_

#include <string>
#include <vector>

#include "usmp/compile.h"

namespace usmp::tools {

// The keys of a pool, for messages and help.
extern const char* const kPoolKeys;

// Sets what `key` stands for; false: there is no such key, or the value is none for it.
bool SetPoolKey(PoolInfo& pool, const std::string& key, const std::string& value);

// "sram:size=64K,align=16,section=.dtcm,internal=true" as a pool. One that is named so is the
// user's, unless it says internal=true.
Result<PoolInfo> ParsePool(const std::string& spec, PoolKind kind);

// "conv*=dtcm,flash": the pools of some constants.
Result<ConstantPlacement> ParseConstant(const std::string& spec);

}  // namespace usmp::tools

#endif  // USMP_TOOLS_POOL_OPTIONS_H_
