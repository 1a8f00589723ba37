/* SOFTMAX, int8 to int8 (scale 1/256, zero point -128), along rows of `depth` elements. A
   whole-tensor kernel.

   Reads a row of `in` three times; from the third time on writes out[i] just after it has read
   in[i]. */
#ifndef USMP_KERNELS_SOFTMAX_S8_H_
#define USMP_KERNELS_SOFTMAX_S8_H_

#include "../usmp_runtime.h"

struct usmp_softmax_s8_params {
  int32_t rows;
  int32_t depth;
  int32_t exp_count; /* entries of exp_table: from there on the exponential counts as 0 */
};

/* x * 2^2, saturating. */
USMP_INLINE int32_t usmp_softmax_s8_times_four(int32_t x) {
  if (x > INT32_MAX / 4) return INT32_MAX;
  if (x < INT32_MIN / 4) return INT32_MIN;
  return x * 4;
}

/* 1 / (1 + x) for x in [0, 1), both with 31 fractional bits: three Newton steps from 48/17 - 32/17
 * d, where d = (1 + x) / 2, with 2 integer bits. */
USMP_KERNEL int32_t usmp_softmax_s8_reciprocal(int32_t x) {
  const int32_t half = (int32_t)(((int64_t)x + INT32_MAX + 1) / 2);
  int32_t estimate = 1515870810 + usmp_doubling_high_multiply(half, -1010580540);
  for (int i = 0; i < 3; ++i) {
    const int32_t error = (1 << 29) - usmp_doubling_high_multiply(half, estimate);
    estimate += usmp_softmax_s8_times_four(usmp_doubling_high_multiply(estimate, error));
  }
  return estimate > INT32_MAX / 2 ? INT32_MAX : estimate * 2;
}

/* exp_table[d] = exp(-d * beta * in_scale) with 31 fractional bits. */
USMP_KERNEL void usmp_softmax_s8(const struct usmp_softmax_s8_params* p, const int8_t* in,
                                 const int32_t* exp_table, int8_t* out) {
  for (int32_t r = 0; r < p->rows; ++r) {
    int32_t max = -128;
    for (int32_t i = 0; i < p->depth; ++i) max = usmp_max_s32(max, in[i]);
    uint32_t sum = 0; /* 19 fractional bits */
    for (int32_t i = 0; i < p->depth; ++i) {
      const int32_t d = max - in[i];
      if (d < p->exp_count) sum += (uint32_t)usmp_rounding_shift_right(exp_table[d], 12);
    }
    int32_t headroom = 0;
    while ((sum << headroom & 0x80000000u) == 0) ++headroom;
    const int32_t scale = usmp_softmax_s8_reciprocal((int32_t)((sum << headroom) - 0x80000000u));
    const int32_t exponent = 12 - headroom + 31 - 8; /* above 31 every output rounds to 0 */
    for (int32_t i = 0; i < p->depth; ++i) {
      const int32_t d = max - in[i];
      int32_t y = 0;
      if (d < p->exp_count && exponent <= 31) {
        y = usmp_doubling_high_multiply(scale, exp_table[d]);
        y = usmp_rounding_shift_right(y, exponent);
      }
      out[i] = (int8_t)usmp_min_s32(y - 128, 127);
    }
    in += p->depth;
    out += p->depth;
  }
}

#endif /* USMP_KERNELS_SOFTMAX_S8_H_ */
