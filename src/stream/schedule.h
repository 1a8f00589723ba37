// Calls that run row by row together: what waits for what, and how many rows have to be kept.
#ifndef USMP_STREAM_SCHEDULE_H_
#define USMP_STREAM_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lower/program.h"

namespace usmp::stream {

// Who uses the buffers of a program, by BufferId. Of a program without groups.
struct Uses {
  struct Use {
    std::optional<size_t> writer{};  // the call; absent: none, or more than one
    std::vector<size_t> calls{};     // all that read, write or use it, ascending
  };
  std::vector<Use> of{};
  const Use& operator[](BufferId id) const { return of[static_cast<size_t>(id)]; }
};
Uses CollectUses(const lower::Program& program);

// The members of a strip are run by run of pixels; a run of each tensor inside it is all that
// exists of the tensor. Every other tensor of the schedule is a ring of rows.
struct StripPlan {
  std::vector<size_t> calls{};  // ascending; the last one makes the strip's tensor
  int32_t height = 1, width = 1;
  // Of the tensors inside: a pixel of all, and where the run of each call's begins, counted in
  // bytes for each pixel of a run.
  Bytes pixel_bytes = 0;
  std::vector<Bytes> run_begins{};  // by calls, without the last
  int32_t run_pixels = 1;
  int32_t ring_rows = 1;  // of the strip's tensor; of no meaning for the last strip
};

// A tensor that calls before the schedule have made, or the model's input.
struct OuterInput {
  BufferId buffer{};
  // The least distance, if it dies here, of its first byte from the output's: see CallOverlap.
  Bytes forward_distance = 0;
};

// The length of the runs of a strip of that width and StripPlan::pixel_bytes where all strips have
// so much room; two pixels where it is less.
int32_t RunPixels(int32_t width, Bytes pixel_bytes, Bytes room);

struct Schedule {
  std::vector<StripPlan> strips{};
  std::vector<lower::RowNeed> needs{};
  std::vector<OuterInput> inputs{};
  std::optional<BufferId> output{};  // absent: its rows go to the caller
  Bytes ring_bytes = 0;              // of all rings, sums and counters
  Bytes run_bytes = 0;               // of the strip whose runs are largest: strips share them
};

// The schedule of calls [begin, end); absent where they cannot run row by row: one of them only
// works on whole tensors, more than one result is used outside, or the shapes do not chain. Runs
// are of two pixels where that takes more than `run_room` bytes, and else as long as fits.
std::optional<Schedule> MakeSchedule(const lower::Program& program, const Uses& uses, size_t begin,
                                     size_t end, Bytes run_room);

}  // namespace usmp::stream

#endif  // USMP_STREAM_SCHEDULE_H_
