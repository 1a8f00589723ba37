// Where a kernel with a window stands: convolutions and pools, int8 and float32.
#ifndef USMP_LOWER_WINDOW_H_
#define USMP_LOWER_WINDOW_H_

#include <vector>

#include "ir/graph.h"
#include "lower/builder.h"
#include "lower/scan.h"

namespace usmp::lower {

WindowGeometry GeometryOf(const OpBuilder& builder, const ir::Window2d& window);
std::vector<Param> GeometryParams(const WindowGeometry& geometry);

}  // namespace usmp::lower

#endif  // USMP_LOWER_WINDOW_H_
