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
ScanDistances Conv2dF32Distances(const WindowGeometry& geometry, int64_t groups,
                                 int64_t run_pixels);
ScanDistances DepthwiseConv2dF32Distances(const WindowGeometry& geometry, int64_t run_pixels);

}  // namespace usmp::lower

#endif  // USMP_LOWER_CONV_SCAN_H_
