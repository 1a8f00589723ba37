/* For programs that check generated code from the caller's side. */
#ifndef USMP_TESTS_EXPECT_H_
#define USMP_TESTS_EXPECT_H_

#include <stdio.h>

/* In a function whose result is the program's exit code. */
#define EXPECT(condition)                                          \
  do {                                                             \
    if (!(condition)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #condition); \
      return 1;                                                    \
    }                                                              \
  } while (0)

#endif /* USMP_TESTS_EXPECT_H_ */
