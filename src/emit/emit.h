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

namespace usmp::emit {

struct File {
  std::string path{};
  std::string content{};
};

// An input or output as the header describes it.
struct Interface {
  std::string identifier{};  // the struct member
  std::string macro{};       // the part of macro names: IDENTIFIER in capitals, made distinct
  std::string name{};        // in the model
  BufferId buffer{};         // in the program
  std::string dtype{};
  std::vector<int32_t> shape{};
  std::vector<float> scales{};
  std::vector<int32_t> zero_points{};
};

struct EmitInput {
  const lower::Program& program;
  std::string prefix{};       // "tvmgen"
  std::string model{};        // sanitized
  std::vector<Interface> inputs{}, outputs{};
  std::span<const PoolInfo> pools;
  std::span<const Bytes> pool_sizes;  // by PoolId
  // By the program's BufferId: where it lives; absent: the caller's input or output.
  std::span<const std::optional<PoolAllocation>> allocations;
  // By call: buffers that die after it and are overwritten (DebugMode::kPoison); empty otherwise.
  std::vector<std::vector<BufferId>> poison_after{};
};

std::vector<File> Emit(const EmitInput& input);

}  // namespace usmp::emit

#endif  // USMP_EMIT_EMIT_H_
