#ifndef USMP_PLAN_LUBY_H_
#define USMP_PLAN_LUBY_H_

#include <bit>
#include <cstdint>

namespace usmp::plan {

// 1 1 2 1 1 2 4 1 1 2 ... (Luby, Sinclair, Zuckerman 1993), from i = 1: how long rounds of a search
// with restarts last.
inline int64_t Luby(uint64_t i) {
  while (true) {
    const auto width = static_cast<int>(std::bit_width(i));
    if (i == (uint64_t{1} << width) - 1) return int64_t{1} << (width - 1);
    i -= (uint64_t{1} << (width - 1)) - 1;
  }
}

}  // namespace usmp::plan

#endif  // USMP_PLAN_LUBY_H_
