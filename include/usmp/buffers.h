// What is planned: buffers, and the pools they are placed in.
//
// The names are those of the USMP RFC (TVM RFC 0009). Sizes and offsets are bytes; times are steps
// of the schedule, half-open. Everything here is a plain value; ids are indices, never pointers.
#ifndef USMP_BUFFERS_H_
#define USMP_BUFFERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usmp {

using Bytes = int64_t;

enum class PoolId : uint32_t {};    // index into PlanProblem::pools
enum class BufferId : uint32_t {};  // index into PlanProblem::buffers

enum class PoolKind : uint8_t { kWorkspace, kConstant };

enum class BufferKind : uint8_t {
  kIntermediate,  // a tensor between operators
  kScratch,       // memory that one call needs while it runs
  kInput,
  kOutput,
  kConstant,
  kState,       // survives from run to run
  kDescriptor,  // a tensor descriptor (DLTensor)
};

// As in files and reports: "workspace", "intermediate".
std::string_view Name(PoolKind kind);
std::string_view Name(BufferKind kind);

// Figures of a memory. Every one is optional: placement by cost uses those that are given.
struct PoolPerformance {
  std::optional<int64_t> clock_frequency_hz{};
  std::optional<double> read_bandwidth_bytes_per_cycle{};
  std::optional<double> write_bandwidth_bytes_per_cycle{};
  std::optional<int64_t> read_latency_cycles{};
  std::optional<int64_t> write_latency_cycles{};
  std::optional<Bytes> burst_bytes{};
};

struct PoolInfo {
  std::string pool_name{};  // a C identifier: it names fields and macros of the generated code
  PoolKind kind = PoolKind::kWorkspace;
  std::optional<Bytes> size_hint_bytes{};  // a bound, never exceeded; absent: unrestricted
  Bytes alignment = 16;                    // of the base address; a power of two
  bool is_internal = true;                 // the generated code defines the array; else the caller
  std::string section{};                   // linker section of an internal pool; empty: the default
  bool in_ram = false;  // a constant pool whose contents are copied into RAM before the first run
  std::vector<std::string> targets{};  // who can reach it; empty: everyone
  PoolPerformance performance{};
};

// Steps [begin, end) of the schedule.
struct Lifetime {
  int32_t begin = 0;
  int32_t end = 0;
  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

struct PoolAllocation {
  PoolId pool{};
  Bytes byte_offset = 0;
  friend bool operator==(const PoolAllocation&, const PoolAllocation&) = default;
};

struct BufferInfo {
  std::string name_hint{};
  Bytes size_bytes = 0;
  Bytes alignment = 1;  // of the address: a power of two
  BufferKind kind = BufferKind::kIntermediate;
  std::vector<PoolId> pool_candidates{};  // in order of preference; never empty
  std::vector<Lifetime> lifetimes{};  // ascending, disjoint; empty if conflicts are given as pairs
  std::optional<PoolAllocation> pinned{};  // fixed by the user or by another tool
  Bytes bytes_read = 0;                    // per inference, for placement by cost
  Bytes bytes_written = 0;
};

// Two buffers alive together may share bytes when the kernel between them reads ahead of its
// writes. For an ordered pair (lower, upper) the required distance dist(lower, upper) is
// size(lower), unless an Overlap replaces it. Buffers alive together are legal iff
//
//     offset(upper) - offset(lower) >= dist(lower, upper),   or the same with the roles swapped.
//
//  address ->   |------- lower -------|                     lower = the output of a forward scan
//                     |------- upper -------|               upper = its dying input
//               |<--->|  distance_bytes: less than size(lower); may be negative
//
// At most one Overlap for an ordered pair. A distance <= -size(upper) means no conflict at all.
// Valid only between buffers whose lifetimes meet in exactly one step; anything else is
// kInvalidInput.
struct Overlap {
  BufferId lower{};
  BufferId upper{};
  Bytes distance_bytes = 0;
};

}  // namespace usmp

#endif  // USMP_BUFFERS_H_
