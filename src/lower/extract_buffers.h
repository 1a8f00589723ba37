#ifndef USMP_LOWER_EXTRACT_BUFFERS_H_
#define USMP_LOWER_EXTRACT_BUFFERS_H_

#include <optional>
#include <span>
#include <vector>

#include "lower/program.h"
#include "usmp/plan.h"

namespace usmp::lower {

// An input or output whose bytes are part of the workspace.
struct WorkspaceIo {
  BufferId buffer{};             // in the program
  std::optional<PoolId> pool{};  // absent: any workspace pool
  bool is_precious = false;      // an input that nothing overwrites, to the end of the run
};
std::vector<WorkspaceIo> AllIo(const Program& program);

struct ExtractOptions {
  std::vector<WorkspaceIo> io{};  // U4; the caller owns the other inputs and outputs
  // By BufferId: the pools of a constant; empty, or beyond the end: any constant pool.
  std::vector<std::vector<PoolId>> constant_pools{};
  bool keep_all = false;  // every buffer lives until the end of the run
  bool overlap = true;    // dying inputs may share bytes with outputs
};

// The program as a planning problem. Call i is step i. An input lives from before the first call to
// its last reader (a precious one: to the end), an output from its writer to the end, scratch
// during its call. An input that dies in the call that first writes an output may overlap it, as
// the call says: in either scan direction if it is the only one, else forward.
struct Extracted {
  PlanProblem problem{};
  std::vector<std::optional<BufferId>>
      planned{};  // by the program's BufferId: its id in the problem;
                  // absent: the caller owns it, or no call uses it
  // By BufferId of the problem: an input that nothing overwrites; an input or output that begins
  // with its descriptor (Buffer::descriptor_bytes), and lives from the start to the end.
  std::vector<bool> is_precious{};
};
Extracted ExtractBuffers(const Program& program, std::span<const PoolInfo> pools,
                         const ExtractOptions& options);

}  // namespace usmp::lower

#endif  // USMP_LOWER_EXTRACT_BUFFERS_H_
