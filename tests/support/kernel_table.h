/* Every kernel of runtime/, callable by name: as the host's compiler builds it, and as processors
   without vectors get it. */
#ifndef USMP_TESTS_SUPPORT_KERNEL_TABLE_H_
#define USMP_TESTS_SUPPORT_KERNEL_TABLE_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct usmp_test_kernel {
  const char* name;
  size_t params_bytes;
  size_t operands;
  void (*call)(const void* params, void* const* operands);
};

/* Ends with a row without a name. */
extern const struct usmp_test_kernel usmp_test_vector_kernels[];
extern const struct usmp_test_kernel usmp_test_plain_kernels[];

#ifdef __cplusplus
}
#endif

#endif /* USMP_TESTS_SUPPORT_KERNEL_TABLE_H_ */
