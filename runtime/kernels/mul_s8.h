/* MUL, int8. Operands are broadcast as numpy does.

   Reads a[i] and b[i] just before it writes out[i]; forward, every output once. */
#ifndef USMP_KERNELS_MUL_S8_H_
#define USMP_KERNELS_MUL_S8_H_

#include "../usmp_broadcast.h"
#include "../usmp_runtime.h"

struct usmp_mul_s8_params {
  int32_t count[5];    /* elements along each dimension, the innermost last */
  int32_t a_stride[5]; /* elements; 0: the operand is repeated */
  int32_t b_stride[5];
  int32_t a_zero_point;
  int32_t b_zero_point;
  int32_t out_zero_point;
  int32_t multiplier;
  int32_t shift;
  int32_t act_min;
  int32_t act_max;
};

/* A run of p->count[4] elements. */
USMP_KERNEL void usmp_mul_s8_run(const struct usmp_mul_s8_params* p, const int8_t* a,
                                 const int8_t* b, int8_t* out) {
  for (int32_t i = 0; i < p->count[4]; ++i) {
    const int32_t product = (*a - p->a_zero_point) * (*b - p->b_zero_point);
    const int32_t y = usmp_requantize(product, p->multiplier, p->shift) + p->out_zero_point;
    out[i] = (int8_t)usmp_clamp_s32(y, p->act_min, p->act_max);
    a += p->a_stride[4];
    b += p->b_stride[4];
  }
}

USMP_KERNEL void usmp_mul_s8(const struct usmp_mul_s8_params* p, const int8_t* a, const int8_t* b,
                             int8_t* out) {
  struct usmp_broadcast at = {{0}, 0, 0};
  do {
    usmp_mul_s8_run(p, a + at.a, b + at.b, out);
    out += p->count[4];
  } while (usmp_broadcast_next(&at, p->count, p->a_stride, p->b_stride));
}

#endif /* USMP_KERNELS_MUL_S8_H_ */
