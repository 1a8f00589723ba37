// Which calls run row by row: the cuts of the program with the lowest peak.
#ifndef USMP_STREAM_CHOOSE_H_
#define USMP_STREAM_CHOOSE_H_

#include <optional>
#include <string>
#include <vector>

#include "lower/program.h"

namespace usmp::stream {

struct ChooseOptions {
  std::vector<BufferId> workspace_io{};  // the caller owns the other inputs and outputs
  std::vector<BufferId> precious{};      // inputs that live to the end
  bool overlap = true;                   // outputs may share bytes with dying inputs
  // The fastest program that is estimated to need no more; absent: the lowest peak, or 1/64 more.
  std::optional<Bytes> ram_bytes{};
};

// What is alive at the most crowded step, overlaps counted, and the call that runs there.
struct Peak {
  Bytes bytes = 0;
  std::string call{};  // Call::label
};

// A program that needs so much; one that needs less calls more functions.
struct Tradeoff {
  Bytes bytes = 0;           // an estimate: a plan may need more
  size_t fused_calls = 0;    // calls that run in groups
  int64_t kernel_calls = 0;  // of functions, one inference
};

struct Choice {
  Peak peak{};             // an estimate: a plan may need more
  Peak whole{};            // the same for the program without groups
  size_t fused_calls = 0;  // calls that run in groups
  lower::Program program{};
};

// A program that computes the same in groups of calls where that lowers the peak. Of all ways to
// cut the program into groups and single calls that stay within the limit, the fastest, which is
// the one that calls the fewest functions; runs are as long as the limit allows.
Choice ChooseGroups(const lower::Program& program, const ChooseOptions& options);

// What else there was to choose: from the program without groups to the lowest peak, every step at
// least a 64th of that. `ram_bytes` has no say.
std::vector<Tradeoff> FindTradeoffs(const lower::Program& program, const ChooseOptions& options);

}  // namespace usmp::stream

#endif  // USMP_STREAM_CHOOSE_H_
