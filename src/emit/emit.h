// Program and plan to C files. docs/generated-c.md is the contract of what comes out.
#ifndef USMP_EMIT_EMIT_H_
#define USMP_EMIT_EMIT_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lower/program.h"
#include "usmp/buffers.h"
#include "usmp/interface.h"

namespace usmp::emit {

struct File {
  std::string path{};
  std::string content{};
};

// An input or output as the header describes it.
struct Interface {
  std::string identifier{};  // the struct's member; in capitals, part of the macros' names
  std::string name{};        // in the model
  BufferId buffer{};         // in the program
  std::vector<int32_t> shape{};
  std::vector<float> scales{};
  std::vector<int32_t> zero_points{};
  bool is_precious = false;  // an input in the workspace that no call overwrites
  int32_t rows = 0;          // functions of the caller hand over so many; 0: it is there as a whole
  std::optional<PoolAllocation> descriptor{};  // where a descriptor in the workspace is
};

// Room for a descriptor in the workspace, aligned to kDescriptorAlignment: for a struct
// usmp_dl_tensor whatever the size of a pointer.
inline constexpr Bytes kDescriptorBytes = 48;
inline constexpr Bytes kDescriptorAlignment = 8;

// `bytes` bytes of a buffer, from its byte `begin` on.
struct DeadBytes {
  BufferId buffer{};
  Bytes begin = 0, bytes = 0;
};

struct EmitInput {
  const lower::Program& program;
  std::string symbol{};  // "tvmgen_kws": starts every name
  std::string_view version{};
  std::vector<Interface> inputs{}, outputs{};
  InterfaceApi api = InterfaceApi::kC;
  DlTensors dl_tensors = DlTensors::kNone;
  std::span<const PoolInfo> pools;
  std::span<const Bytes> pool_sizes;  // by PoolId
  // By PoolId: the array of usmp_pools.c that it is; empty, or none at all: an array of this model.
  std::span<const std::string> shared_arrays{};
  // By the program's BufferId: where it lives; absent: the caller's input or output, or unused.
  std::span<const std::optional<PoolAllocation>> allocations;
  std::vector<std::string> devices{};  // targets of its calls that have a context and hooks
  Bytes lower_bound_bytes = 0;
  Bytes max_stack_bytes = 0;
  // By call: what is dead after it and gets overwritten (DebugMode::kPoison); empty: nothing at
  // all.
  std::vector<std::vector<DeadBytes>> poison_after{};
};

// An internal workspace pool in which more than one model of a build has buffers: an array of
// usmp_pools.c. The others are arrays of their model's source.
struct SharedPool {
  PoolId pool{};
  Bytes bytes = 0;
};
// "tvmgen_pools": starts the names of such arrays.
std::string SharedPoolsSymbol(std::string_view prefix);

// The models that are linked together.
struct EmitBuild {
  std::string symbol{};  // of the shared pools
  std::string_view version{};
  std::span<const PoolInfo> pools;
  std::vector<SharedPool> shared{};
  std::vector<EmitInput> models{};
};

// Names of the kernels that the program calls, ascending.
std::vector<std::string_view> KernelsOf(const lower::Program& program);
// Does any of its calls call functions of the caller, which may end the run?
bool CanFail(const lower::Program& program);
// Does any of its calls stand for several that run row by row?
bool HasGroups(const lower::Program& program);
// Does the header speak of tensors in DLPack's terms?
bool NeedsDlTensor(const EmitInput& input);
// Files of runtime/ that the source includes besides kernels, ascending.
std::vector<std::string_view> HeadersOf(const EmitInput& input);

// Every model's header, source and constants; shared pools, the kernels that are used and a
// CMakeLists.txt.
std::vector<File> Emit(const EmitBuild& build);

}  // namespace usmp::emit

#endif  // USMP_EMIT_EMIT_H_
