// Assertions about our own code, active in release. Input can never reach one: that is a Result.
#ifndef USMP_SUPPORT_CHECK_H_
#define USMP_SUPPORT_CHECK_H_

namespace usmp::internal {
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}  // namespace usmp::internal

// Aborts with the place if `condition` is false: a bug in usmp.
#define USMP_CHECK(condition)         \
  ((condition) ? static_cast<void>(0) \
               : ::usmp::internal::CheckFailed(#condition, __FILE__, __LINE__))

#endif  // USMP_SUPPORT_CHECK_H_
