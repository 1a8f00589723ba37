#include "support/check.h"

#include <cstdio>
#include <cstdlib>

namespace usmp::internal {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "usmp: internal error: %s is false (%s:%d). Please report it.\n", condition,
               file, line);
  std::abort();
}

}  // namespace usmp::internal
