// A schedule made a part of the program: its calls become one.
#ifndef USMP_STREAM_FORM_GROUP_H_
#define USMP_STREAM_FORM_GROUP_H_

#include <cstddef>

#include "lower/program.h"
#include "stream/schedule.h"

namespace usmp::stream {

// The call that stands for calls [begin, end) of `from`, whose schedule it is. Rings, runs, sums
// and counters are added to `to`, which has all buffers of `from`.
lower::Call FormGroup(const lower::Program& from, const Schedule& schedule, size_t begin,
                      size_t end, lower::Program& to);

}  // namespace usmp::stream

#endif  // USMP_STREAM_FORM_GROUP_H_
