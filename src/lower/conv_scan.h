// The order in which the convolutions of runtime/kernels read and write, as distances between input
// and output. A change of a kernel's loops is a change here.
#ifndef USMP_LOWER_CONV_SCAN_H_
#define USMP_LOWER_CONV_SCAN_H_

#include <cstdint>

#include "lower/scan.h"

namespace usmp::lower {

// `gathers`: the call has a `patch`.
ScanDistances Conv2dS8Distances(const WindowGeometry& geometry, int64_t groups, bool gathers);
ScanDistances DepthwiseConv2dS8Distances(const WindowGeometry& geometry);

// How the float kernels divide a row: into runs, and those, where the windows are inside the image,
// into tiles of four pixels.
struct FloatRuns {
  int64_t run_pixels = 1;
  int64_t inner_begin = 0, inner_end = 0;  // columns whose windows are inside
};
ScanDistances Conv2dF32Distances(const WindowGeometry& geometry, int64_t groups,
                                 const FloatRuns& runs);
ScanDistances DepthwiseConv2dF32Distances(const WindowGeometry& geometry, const FloatRuns& runs);

}  // namespace usmp::lower

#endif  // USMP_LOWER_CONV_SCAN_H_
