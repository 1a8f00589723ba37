// Constants where the plan put them: in read-only structs of the generated code, or in memory that
// the caller fills with the bytes given here.
#ifndef USMP_EMIT_CONSTANT_POOLS_H_
#define USMP_EMIT_CONSTANT_POOLS_H_

#include <map>
#include <string>

#include "emit/emit.h"

namespace usmp::emit {

// The constants of one pool by their planned offset.
std::map<Bytes, BufferId> ConstantsOf(const EmitInput& input, PoolId pool);

// The bytes of a constant pool, from its base to the end of its last constant: little-endian, with
// zeros in gaps.
std::string PoolImage(const EmitInput& input, PoolId pool);

// Appends the macros of the constant pools that the caller fills: size, alignment, contents.
void WriteConstantPoolMacros(const EmitInput& input, std::string& text);

// One file with the image of each constant pool that the caller fills: "tvmgen_kws_flash.bin".
std::vector<File> PoolImageFiles(const EmitInput& input);

}  // namespace usmp::emit

#endif  // USMP_EMIT_CONSTANT_POOLS_H_
