/* MEAN, int8, over any dimensions.

   For each run of up to USMP_MEAN_S8_BLOCK neighboring outputs, reads what they average, then
   writes them; forward, every output once. */
#ifndef USMP_KERNELS_MEAN_S8_H_
#define USMP_KERNELS_MEAN_S8_H_

#include "../usmp_runtime.h"

enum { USMP_MEAN_S8_BLOCK = 16 };

struct usmp_mean_s8_params {
  int32_t kept_count[2]; /* the dimensions that stay, the outer first; strides are elements of the
                            input */
  int32_t kept_stride[2];
  int32_t run; /* neighbors that stay: the innermost dimension, or 1 where it is averaged */
  int32_t reduced_count[3]; /* the dimensions that are averaged, the outer first */
  int32_t reduced_stride[3];
  int32_t offset; /* -in_zero_point * the number of elements averaged */
  int32_t multiplier;
  int32_t shift;
  int32_t out_zero_point;
};

/* Adds `count` runs of `n` elements, `stride` apart, to sums[n]. */
USMP_INLINE void usmp_mean_s8_add(const int8_t* in, int32_t count, int32_t stride, int32_t n,
                                  int32_t* sums) {
  if (n == 1) {
    int32_t sum = 0;
    for (int32_t i = 0; i < count; ++i) sum += in[(ptrdiff_t)i * stride];
    sums[0] += sum;
    return;
  }
  for (int32_t i = 0; i < count; ++i) {
    for (int32_t c = 0; c < n; ++c) sums[c] += in[c];
    in += stride;
  }
}

USMP_INLINE void usmp_mean_s8_finish(const struct usmp_mean_s8_params* p, const int32_t* sums,
                                     int32_t n, int8_t* out) {
  for (int32_t c = 0; c < n; ++c) {
    const int32_t y = usmp_requantize(sums[c], p->multiplier, p->shift) + p->out_zero_point;
    out[c] = (int8_t)usmp_clamp_s32(y, -128, 127);
  }
}

/* `n` neighboring outputs, n <= USMP_MEAN_S8_BLOCK; `in` is the first element of the first. */
USMP_KERNEL void usmp_mean_s8_block(const struct usmp_mean_s8_params* p, const int8_t* in,
                                    int32_t n, int8_t* out) {
  int32_t sums[USMP_MEAN_S8_BLOCK];
  for (int32_t c = 0; c < n; ++c) sums[c] = p->offset;
  for (int32_t i = 0; i < p->reduced_count[0]; ++i) {
    for (int32_t j = 0; j < p->reduced_count[1]; ++j) {
      usmp_mean_s8_add(in + i * p->reduced_stride[0] + j * p->reduced_stride[1],
                       p->reduced_count[2], p->reduced_stride[2], n, sums);
    }
  }
  usmp_mean_s8_finish(p, sums, n, out);
}

USMP_KERNEL void usmp_mean_s8(const struct usmp_mean_s8_params* p, const int8_t* in, int8_t* out) {
  for (int32_t i = 0; i < p->kept_count[0]; ++i) {
    for (int32_t j = 0; j < p->kept_count[1]; ++j) {
      const int8_t* x = in + i * p->kept_stride[0] + j * p->kept_stride[1];
      for (int32_t c = 0; c < p->run; c += USMP_MEAN_S8_BLOCK) {
        usmp_mean_s8_block(p, x + c, usmp_min_s32(p->run - c, USMP_MEAN_S8_BLOCK), out + c);
      }
      out += p->run;
    }
  }
}

/* The mean over all pixels of an image while they come in, in any order: sums[p->run]. */
USMP_KERNEL void usmp_mean_s8_begin_sums(const struct usmp_mean_s8_params* p, int32_t* sums) {
  for (int32_t c = 0; c < p->run; ++c) sums[c] = p->offset;
}

USMP_KERNEL void usmp_mean_s8_add_pixels(const struct usmp_mean_s8_params* p, int32_t pixels,
                                         const int8_t* in, int32_t* sums) {
  for (; pixels > 0; --pixels, in += p->run) {
    for (int32_t c = 0; c < p->run; ++c) sums[c] += in[c];
  }
}

USMP_KERNEL void usmp_mean_s8_end_sums(const struct usmp_mean_s8_params* p, const int32_t* sums,
                                       int8_t* out) {
  usmp_mean_s8_finish(p, sums, p->run, out);
}

#endif /* USMP_KERNELS_MEAN_S8_H_ */
