/* PAD and PADV2 of 8-bit elements, up to five dimensions.

   Writes `out` forward, every element once; a row of `in` is read just before its row of `out` is
   written. */
#ifndef USMP_KERNELS_PAD_S8_H_
#define USMP_KERNELS_PAD_S8_H_

#include "../usmp_runtime.h"

struct usmp_pad_s8_params {
  int32_t in_count[5]; /* the innermost last: neighboring dimensions without padding are one */
  int32_t before[5];
  int32_t after[5];
  int32_t value;
};

/* One innermost row of the output; `in` is its row of the input, NULL if it is all padding. Returns
   the end of the output row. */
USMP_INLINE int8_t* usmp_pad_s8_row(const struct usmp_pad_s8_params* p, const int8_t* in,
                                    int8_t* out) {
  const size_t before = (size_t)p->before[4];
  const size_t count = (size_t)p->in_count[4];
  const size_t after = (size_t)p->after[4];
  if (in == NULL) {
    memset(out, p->value, before + count + after);
  } else {
    memmove(out + before, in, count);
    memset(out, p->value, before);
    memset(out + before + count, p->value, after);
  }
  return out + (before + count + after);
}

/* Is index i, counted from the start of the padding, inside the input? */
USMP_INLINE int usmp_pad_s8_inside(const struct usmp_pad_s8_params* p, int dimension, int32_t i) {
  return i >= p->before[dimension] && i - p->before[dimension] < p->in_count[dimension];
}

USMP_INLINE int32_t usmp_pad_s8_out_count(const struct usmp_pad_s8_params* p, int dimension) {
  return p->before[dimension] + p->in_count[dimension] + p->after[dimension];
}

USMP_KERNEL void usmp_pad_s8(const struct usmp_pad_s8_params* p, const int8_t* in, int8_t* out) {
  for (int32_t i = 0; i < usmp_pad_s8_out_count(p, 0); ++i) {
    const int in_i = usmp_pad_s8_inside(p, 0, i);
    for (int32_t j = 0; j < usmp_pad_s8_out_count(p, 1); ++j) {
      const int in_j = in_i && usmp_pad_s8_inside(p, 1, j);
      for (int32_t k = 0; k < usmp_pad_s8_out_count(p, 2); ++k) {
        const int in_k = in_j && usmp_pad_s8_inside(p, 2, k);
        for (int32_t l = 0; l < usmp_pad_s8_out_count(p, 3); ++l) {
          const int inside = in_k && usmp_pad_s8_inside(p, 3, l);
          out = usmp_pad_s8_row(p, inside ? in : NULL, out);
          if (inside) in += p->in_count[4];
        }
      }
    }
  }
}

#endif /* USMP_KERNELS_PAD_S8_H_ */
