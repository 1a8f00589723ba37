// Which calls run row by row: the cuts of the program with the lowest peak.
#ifndef USMP_STREAM_CHOOSE_H_
#define USMP_STREAM_CHOOSE_H_

#include <optional>
#include <vector>

#include "lower/program.h"

namespace usmp::stream {

struct ChooseOptions {
  bool io_in_workspace = false;
  bool overlap = true;  // outputs may share bytes with dying inputs
  // The fastest program that is estimated to need no more; absent: the lowest peak.
  std::optional<Bytes> ram_bytes{};
};

struct Choice {
  Bytes peak_bytes = 0;    // estimated: what is alive at one step, overlaps counted
  size_t fused_calls = 0;  // calls that run in groups
  lower::Program program{};
};

// A program that computes the same in groups of calls where that lowers the peak. Of all ways to
// cut the program into groups and single calls, one with the lowest peak, and of those one with the
// fewest calls in groups.
Choice ChooseGroups(const lower::Program& program, const ChooseOptions& options);

}  // namespace usmp::stream

#endif  // USMP_STREAM_CHOOSE_H_
