#ifndef USMP_LOWER_SHARE_CONSTANTS_H_
#define USMP_LOWER_SHARE_CONSTANTS_H_

#include "lower/program.h"

namespace usmp::lower {

// Constants with the same elements become one: the first of them, which every call then reads. No
// call uses the others any more, and their data is dropped.
void ShareConstants(Program& program);

}  // namespace usmp::lower

#endif  // USMP_LOWER_SHARE_CONSTANTS_H_
