/* A copy of whole tensors of any type: RESHAPE where a view is not legal, and outputs that stand
   for another tensor. Reads and writes forward; `in` and `out` may be the same memory. */
#ifndef USMP_KERNELS_COPY_H_
#define USMP_KERNELS_COPY_H_

#include "../usmp_runtime.h"

struct usmp_copy_params {
  int32_t bytes;
};

USMP_KERNEL void usmp_copy(const struct usmp_copy_params* p, const void* in, void* out) {
  memmove(out, in, (size_t)p->bytes);
}

#endif /* USMP_KERNELS_COPY_H_ */
