// The writers of the single files. Each is a function of the whole input.
#ifndef USMP_EMIT_FILES_H_
#define USMP_EMIT_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "emit/emit.h"
#include "emit/signatures.h"

namespace usmp::emit {

// What the files have to agree on.
// Of an internal pool's array; `pool` is one of the input's.
std::string PoolSymbol(const EmitInput& input, const PoolInfo& pool);
bool IsShared(const EmitInput& input, const PoolInfo& pool);
std::string PoolMember(const EmitInput& input,
                       BufferId constant);  // of a constant, in its pool's struct

// The struct of a role's tensors that the caller gives to `run`; nothing where there is none.
void WriteCallersStruct(const EmitInput& input, Role role, std::string& text);
// The struct of the caller's pools; nothing where there are none.
void WritePoolsStruct(const EmitInput& input, std::string& text);

std::string WriteHeader(const EmitInput& input);
std::string WriteConstants(const EmitInput& input);  // definitions; empty if there are none
std::string WriteSource(const EmitInput& input);

std::string SharedArray(const EmitBuild& build, const SharedPool& shared);  // its name in C
std::string WriteSharedPoolsHeader(const EmitBuild& build);
std::string WriteSharedPools(const EmitBuild& build);  // definitions
std::string WriteCMakeLists(const EmitBuild& build);

}  // namespace usmp::emit

#endif  // USMP_EMIT_FILES_H_
