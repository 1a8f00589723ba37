/* MEAN, float32. A whole-tensor kernel.

   Writes `out` forward, each element once; up to four outputs that are neighbors in the last kept
   dimension are computed together, from all the elements that belong to them. A sum is in the order
   of the input. */
#ifndef USMP_KERNELS_MEAN_F32_H_
#define USMP_KERNELS_MEAN_F32_H_

#include "../usmp_float.h"

/* Strides are in elements of the input. */
struct usmp_mean_f32_params {
  int32_t kept[3];
  int32_t kept_stride[3];
  int32_t reduced[3];
  int32_t reduced_stride[3];
  float count; /* the product of `reduced` */
};

/* The sums of four outputs whose first elements are `step` apart. */
USMP_INLINE usmp_f32x4 usmp_mean_f32_sum4(const struct usmp_mean_f32_params* p, const float* in,
                                          ptrdiff_t step) {
  usmp_f32x4 sum = usmp_splat_f32x4(0.0f);
  for (int32_t r0 = 0; r0 < p->reduced[0]; ++r0) {
    for (int32_t r1 = 0; r1 < p->reduced[1]; ++r1) {
      const float* x = in + (ptrdiff_t)r0 * p->reduced_stride[0] + r1 * p->reduced_stride[1];
      for (int32_t r2 = 0; r2 < p->reduced[2]; ++r2, x += p->reduced_stride[2]) {
        sum = usmp_add_f32x4(sum, step == 1
                                      ? usmp_load_f32x4(x)
                                      : usmp_make_f32x4(x[0], x[step], x[2 * step], x[3 * step]));
      }
    }
  }
  return sum;
}

USMP_INLINE float usmp_mean_f32_sum(const struct usmp_mean_f32_params* p, const float* in) {
  float sum = 0.0f;
  for (int32_t r0 = 0; r0 < p->reduced[0]; ++r0) {
    for (int32_t r1 = 0; r1 < p->reduced[1]; ++r1) {
      const float* x = in + (ptrdiff_t)r0 * p->reduced_stride[0] + r1 * p->reduced_stride[1];
      for (int32_t r2 = 0; r2 < p->reduced[2]; ++r2, x += p->reduced_stride[2]) sum += *x;
    }
  }
  return sum;
}

/* The outputs of one run of the last kept dimension. */
USMP_KERNEL void usmp_mean_f32_run(const struct usmp_mean_f32_params* p, const float* in,
                                   float* out) {
  const ptrdiff_t step = p->kept_stride[2];
  int32_t left = p->kept[2];
  for (; left >= 4; left -= 4, in += 4 * step, out += 4) {
    usmp_store_f32x4(out,
                     step == 1 ? usmp_mean_f32_sum4(p, in, 1) : usmp_mean_f32_sum4(p, in, step));
    for (int32_t lane = 0; lane < 4; ++lane) out[lane] /= p->count;
  }
  for (; left > 0; --left, in += step) *out++ = usmp_mean_f32_sum(p, in) / p->count;
}

USMP_KERNEL void usmp_mean_f32(const struct usmp_mean_f32_params* p, const float* in, float* out) {
  for (int32_t k0 = 0; k0 < p->kept[0]; ++k0) {
    for (int32_t k1 = 0; k1 < p->kept[1]; ++k1) {
      usmp_mean_f32_run(p, in + (ptrdiff_t)k0 * p->kept_stride[0] + k1 * p->kept_stride[1], out);
      out += p->kept[2];
    }
  }
}

/* The mean over all pixels of an image while they come in, row by row: sums[p->kept[2]]. */
USMP_KERNEL void usmp_mean_f32_begin_sums(const struct usmp_mean_f32_params* p, float* sums) {
  for (int32_t c = 0; c < p->kept[2]; ++c) sums[c] = 0.0f;
}

USMP_KERNEL void usmp_mean_f32_add_pixels(const struct usmp_mean_f32_params* p, int32_t pixels,
                                          const float* in, float* sums) {
  for (; pixels > 0; --pixels, in += p->kept[2]) {
    for (int32_t c = 0; c < p->kept[2]; ++c) sums[c] += in[c];
  }
}

USMP_KERNEL void usmp_mean_f32_end_sums(const struct usmp_mean_f32_params* p, const float* sums,
                                        float* out) {
  for (int32_t c = 0; c < p->kept[2]; ++c) out[c] = sums[c] / p->count;
}

#endif /* USMP_KERNELS_MEAN_F32_H_ */
