// Room for the descriptors of inputs and outputs in the workspace.
#ifndef USMP_COMPILE_DESCRIPTORS_H_
#define USMP_COMPILE_DESCRIPTORS_H_

#include <optional>
#include <span>
#include <vector>

#include "compile/interface.h"
#include "lower/extract_buffers.h"
#include "lower/program.h"
#include "usmp/interface.h"

namespace usmp::compile {

// Adds a buffer for each descriptor that is planned apart, and room before the data for the others.
// Returns the buffers, those of inputs first; absent: there is none, or it lies before the data.
std::vector<std::optional<BufferId>> AddDescriptors(DlTensors where, const Interfaces& interfaces,
                                                    std::span<const lower::WorkspaceIo> io,
                                                    lower::Program& program);

// Fills in where each descriptor has come to lie. `allocations` is by BufferId of the program.
void LocateDescriptors(std::span<const std::optional<BufferId>> descriptors,
                       const lower::Program& program,
                       std::span<const std::optional<PoolAllocation>> allocations,
                       std::vector<emit::Interface>& inputs, std::vector<emit::Interface>& outputs);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_DESCRIPTORS_H_
