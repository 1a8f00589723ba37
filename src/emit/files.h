// The writers of the single files. Each is a function of the whole input.
#ifndef USMP_EMIT_FILES_H_
#define USMP_EMIT_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "emit/emit.h"

namespace usmp::emit {

// What the files have to agree on.
std::string PoolSymbol(const EmitInput& input,
                       const PoolInfo& pool);  // of an internal pool's array
std::string PoolMember(const EmitInput& input,
                       BufferId constant);  // of a constant, in its pool's struct
bool HasExternalPools(const EmitInput& input);
bool HasIoInWorkspace(const EmitInput& input);     // every input and output, or none
std::string RunSignature(const EmitInput& input);  // "int32_t tvmgen_kws_run(...)", no semicolon
// "struct tvmgen_kws_inputs tvmgen_kws_map_inputs(...)" for role "inputs", no semicolon
std::string MapSignature(const EmitInput& input, std::string_view role);

std::string WriteHeader(const EmitInput& input);
std::string WriteConstants(const EmitInput& input);  // definitions; empty if there are none
std::string WriteSource(const EmitInput& input);
std::string WriteCMakeLists(const EmitInput& input);

}  // namespace usmp::emit

#endif  // USMP_EMIT_FILES_H_
