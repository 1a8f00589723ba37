// Operators that functions of the application compute.
#ifndef USMP_LOWER_OFFLOAD_H_
#define USMP_LOWER_OFFLOAD_H_

#include <span>

#include "lower/builder.h"
#include "usmp/interface.h"
#include "usmp/result.h"

namespace usmp::lower {

// The row of kOffloaded. `offloads` is the list that the importer was given.
Result<void> LowerOffloaded(OpBuilder& builder, std::span<const Offload> offloads);

}  // namespace usmp::lower

#endif  // USMP_LOWER_OFFLOAD_H_
