/* ADD and SUB, int8, where out = (a * a_multiplier + b * b_multiplier + offset) >> shift has been
   proved equal to the reference for every pair of inputs. Operands are broadcast as numpy does.

   Reads a[i] and b[i] just before it writes out[i]; forward, every output once. */
#ifndef USMP_KERNELS_WEIGHTED_SUM_S8_H_
#define USMP_KERNELS_WEIGHTED_SUM_S8_H_

#include "../usmp_broadcast.h"
#include "../usmp_runtime.h"

struct usmp_weighted_sum_s8_params {
  int32_t count[5];    /* elements along each dimension, the innermost last */
  int32_t a_stride[5]; /* elements; 0: the operand is repeated. The innermost is 0 or 1 */
  int32_t b_stride[5];
  int32_t a_multiplier; /* the sum stays within int32 for all inputs */
  int32_t b_multiplier;
  int32_t offset;
  int32_t shift;
  int32_t act_min;
  int32_t act_max;
};

/* A run of p->count[4] elements. */
USMP_KERNEL void usmp_weighted_sum_s8_run(const struct usmp_weighted_sum_s8_params* p,
                                          const int8_t* a, const int8_t* b, int8_t* out) {
  const int32_t n = p->count[4];
  const int32_t shift = p->shift;
  const int32_t act_min = p->act_min;
  const int32_t act_max = p->act_max;
  const int swap = p->a_stride[4] == 0;
  const int8_t* x = swap ? b : a;
  const int8_t* y = swap ? a : b;
  const int32_t x_multiplier = swap ? p->b_multiplier : p->a_multiplier;
  const int32_t y_multiplier = swap ? p->a_multiplier : p->b_multiplier;
  if (p->a_stride[4] != 0 && p->b_stride[4] != 0) {
    const int32_t offset = p->offset;
    for (int32_t i = 0; i < n; ++i) {
      const int32_t sum = x[i] * x_multiplier + y[i] * y_multiplier + offset;
      out[i] = (int8_t)usmp_clamp_s32(sum >> shift, act_min, act_max);
    }
  } else {
    const int32_t offset = p->offset + *y * y_multiplier;
    for (int32_t i = 0; i < n; ++i) {
      const int32_t sum = x[i] * x_multiplier + offset;
      out[i] = (int8_t)usmp_clamp_s32(sum >> shift, act_min, act_max);
    }
  }
}

USMP_KERNEL void usmp_weighted_sum_s8(const struct usmp_weighted_sum_s8_params* p, const int8_t* a,
                                      const int8_t* b, int8_t* out) {
  struct usmp_broadcast at = {{0}, 0, 0};
  do {
    usmp_weighted_sum_s8_run(p, a + at.a, b + at.b, out);
    out += p->count[4];
  } while (usmp_broadcast_next(&at, p->count, p->a_stride, p->b_stride));
}

#endif /* USMP_KERNELS_WEIGHTED_SUM_S8_H_ */
