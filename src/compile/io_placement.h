#ifndef USMP_COMPILE_IO_PLACEMENT_H_
#define USMP_COMPILE_IO_PLACEMENT_H_

#include <span>
#include <vector>

#include "compile/interface.h"
#include "lower/extract_buffers.h"
#include "usmp/compile.h"

namespace usmp::compile {

// The inputs and outputs that live in the workspace. Every entry of `io_tensors` that names no
// tensor or no workspace pool, names a tensor again, or asks for the impossible is listed, with the
// names that there are. Marks the precious ones in `interfaces`, and those by rows, for which it
// adds calls to the program.
Result<std::vector<lower::WorkspaceIo>> PlaceIo(std::span<const PoolInfo> pools,
                                                const CompileOptions& options,
                                                lower::Program& program, Interfaces& interfaces);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_IO_PLACEMENT_H_
