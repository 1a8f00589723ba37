/* How two operands are walked so that they broadcast as numpy does: five nested loops over the
   output, the innermost of which is a run of the kernel. */
#ifndef USMP_BROADCAST_H_
#define USMP_BROADCAST_H_

#include "usmp_runtime.h"

/* Where a run begins; all zero: the first. */
struct usmp_broadcast {
  int32_t index[4]; /* of the outer loops */
  ptrdiff_t a;      /* offsets into the operands, elements */
  ptrdiff_t b;
};

/* Goes on to the next run; 0 after the last. `count`, at least 1 in the outer loops, and the
   strides are those of the five loops, the innermost last. */
USMP_INLINE int usmp_broadcast_next(struct usmp_broadcast* at, const int32_t* count,
                                    const int32_t* a_stride, const int32_t* b_stride) {
  for (int32_t d = 3; d >= 0; --d) {
    at->a += a_stride[d];
    at->b += b_stride[d];
    if (++at->index[d] < count[d]) return 1;
    at->index[d] = 0;
    at->a -= (ptrdiff_t)count[d] * a_stride[d];
    at->b -= (ptrdiff_t)count[d] * b_stride[d];
  }
  return 0;
}

#endif /* USMP_BROADCAST_H_ */
