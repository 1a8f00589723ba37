/* ADD and SUB, int8, with the three requantizations of the reference: for the few scales for which
   weighted_sum_s8 is not exact. Operands are broadcast as numpy does.

   Reads a[i] and b[i] just before it writes out[i]; forward, every output once. */
#ifndef USMP_KERNELS_ADD_S8_H_
#define USMP_KERNELS_ADD_S8_H_

#include "../usmp_broadcast.h"
#include "../usmp_runtime.h"

struct usmp_add_s8_params {
  int32_t count[5];    /* elements along each dimension, the innermost last */
  int32_t a_stride[5]; /* elements; 0: the operand is repeated */
  int32_t b_stride[5];
  int32_t a_zero_point;
  int32_t b_zero_point;
  int32_t out_zero_point;
  int32_t a_multiplier;
  int32_t a_shift;
  int32_t b_multiplier;
  int32_t b_shift;
  int32_t b_sign; /* 1: a + b, -1: a - b */
  int32_t out_multiplier;
  int32_t out_shift;
  int32_t act_min;
  int32_t act_max;
};

/* A run of p->count[4] elements. */
USMP_KERNEL void usmp_add_s8_run(const struct usmp_add_s8_params* p, const int8_t* a,
                                 const int8_t* b, int8_t* out) {
  for (int32_t i = 0; i < p->count[4]; ++i) {
    const int32_t a_shifted = (*a - p->a_zero_point) * (1 << 20);
    const int32_t b_shifted = (*b - p->b_zero_point) * (1 << 20);
    const int32_t sum = usmp_requantize(a_shifted, p->a_multiplier, p->a_shift) +
                        usmp_requantize(b_shifted, p->b_multiplier, p->b_shift) * p->b_sign;
    const int32_t y = usmp_requantize(sum, p->out_multiplier, p->out_shift) + p->out_zero_point;
    out[i] = (int8_t)usmp_clamp_s32(y, p->act_min, p->act_max);
    a += p->a_stride[4];
    b += p->b_stride[4];
  }
}

USMP_KERNEL void usmp_add_s8(const struct usmp_add_s8_params* p, const int8_t* a, const int8_t* b,
                             int8_t* out) {
  struct usmp_broadcast at = {{0}, 0, 0};
  do {
    usmp_add_s8_run(p, a + at.a, b + at.b, out);
    out += p->count[4];
  } while (usmp_broadcast_next(&at, p->count, p->a_stride, p->b_stride));
}

#endif /* USMP_KERNELS_ADD_S8_H_ */
