/* AVERAGE_POOL_2D, int8; what lies outside the image does not count. A spatial kernel: see the row
   function.

   For each output pixel, and within it for each block of USMP_AVERAGE_POOL_S8_BLOCK channels, reads
   the window of the block, then writes the block. Pixels and blocks go up, or down with `reverse`;
   every output once. */
#ifndef USMP_KERNELS_AVERAGE_POOL_S8_H_
#define USMP_KERNELS_AVERAGE_POOL_S8_H_

#include "../usmp_runtime.h"

enum { USMP_AVERAGE_POOL_S8_BLOCK = 16, USMP_AVERAGE_POOL_S8_ROWS = 16 };

struct usmp_average_pool_s8_params {
  int32_t batches;
  int32_t in_h;
  int32_t in_w;
  int32_t out_h;
  int32_t out_w;
  int32_t channels;
  int32_t in_pixel_stride; /* elements from a pixel to the next of its row */
  int32_t out_pixel_stride;
  int32_t kernel_h;
  int32_t kernel_w;
  int32_t stride_h;
  int32_t stride_w;
  int32_t pad_top;
  int32_t pad_left;
  int32_t act_min;
  int32_t act_max;
  int32_t reverse; /* scan direction: 0 forward, 1 from the last pixel to the first */
};

/* sum / count rounded to nearest, halves away from zero. `reciprocal` is UINT32_MAX / count: its
   quotient is exact or one too small. */
USMP_INLINE int32_t usmp_average_pool_s8_divide(int32_t sum, uint32_t count, uint32_t reciprocal) {
  const uint32_t magnitude = (uint32_t)(sum < 0 ? -sum : sum) + count / 2;
  const uint32_t quotient = (uint32_t)(((uint64_t)magnitude * reciprocal) >> 32);
  const uint32_t remainder = magnitude - quotient * count;
  const int32_t result = (int32_t)(quotient + (remainder >= count ? 1u : 0u));
  return sum < 0 ? -result : result;
}

/* `n` channels of one output pixel; taps [tap_begin, tap_end) of each row are inside the image. `x`
   is the offset of tap 0 in a row, maybe negative. */
USMP_KERNEL void usmp_average_pool_s8_block(const struct usmp_average_pool_s8_params* p,
                                            const int8_t* const* rows, ptrdiff_t x,
                                            int32_t tap_begin, int32_t tap_end, int32_t n,
                                            int8_t* out) {
  int32_t sums[USMP_AVERAGE_POOL_S8_BLOCK] = {0};
  const int32_t act_min = p->act_min;
  const int32_t act_max = p->act_max;
  uint32_t count = 0;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    if (rows[ky] == NULL) continue;
    count += (uint32_t)(tap_end - tap_begin);
    for (int32_t kx = tap_begin; kx < tap_end; ++kx) {
      const int8_t* in = rows[ky] + (x + (ptrdiff_t)kx * p->in_pixel_stride);
      for (int32_t c = 0; c < n; ++c) sums[c] += in[c];
    }
  }
  const uint32_t reciprocal = UINT32_MAX / count;
  for (int32_t c = 0; c < n; ++c) {
    const int32_t y = usmp_average_pool_s8_divide(sums[c], count, reciprocal);
    out[c] = (int8_t)usmp_clamp_s32(y, act_min, act_max);
  }
}

/* Output pixels [x_begin, x_end), channels [c_begin, c_end) of one row. rows[ky] is the input row
   under tap ky, NULL outside the image; `out` is
   output pixel x_begin. */
USMP_KERNEL void usmp_average_pool_s8_row(const struct usmp_average_pool_s8_params* p,
                                          const int8_t* const* rows, int8_t* out, int32_t x_begin,
                                          int32_t x_end, int32_t c_begin, int32_t c_end,
                                          int32_t reverse) {
  const int32_t blocks =
      (c_end - c_begin + USMP_AVERAGE_POOL_S8_BLOCK - 1) / USMP_AVERAGE_POOL_S8_BLOCK;
  for (int32_t i = x_begin; i < x_end; ++i) {
    const int32_t x = reverse ? x_begin + x_end - 1 - i : i;
    const int32_t in_x = x * p->stride_w - p->pad_left;
    const int32_t tap_begin = usmp_max_s32(0, -in_x);
    const int32_t tap_end = usmp_min_s32(p->kernel_w, p->in_w - in_x);
    for (int32_t j = 0; j < blocks; ++j) {
      const int32_t c = c_begin + (reverse ? blocks - 1 - j : j) * USMP_AVERAGE_POOL_S8_BLOCK;
      usmp_average_pool_s8_block(p, rows, (ptrdiff_t)in_x * p->in_pixel_stride + c, tap_begin,
                                 tap_end, usmp_min_s32(c_end - c, USMP_AVERAGE_POOL_S8_BLOCK),
                                 out + ((ptrdiff_t)(x - x_begin) * p->out_pixel_stride + c));
    }
  }
}

/* `scratch`: kernel_h pointers where kernel_h > USMP_AVERAGE_POOL_S8_ROWS, else NULL. */
USMP_KERNEL void usmp_average_pool_s8(const struct usmp_average_pool_s8_params* p, const int8_t* in,
                                      void* scratch, int8_t* out) {
  const int8_t* local_rows[USMP_AVERAGE_POOL_S8_ROWS];
  const int8_t** rows = scratch != NULL ? (const int8_t**)scratch : local_rows;
  const ptrdiff_t in_row = (ptrdiff_t)p->in_w * p->in_pixel_stride;
  const ptrdiff_t out_row = (ptrdiff_t)p->out_w * p->out_pixel_stride;
  const int32_t out_rows = p->batches * p->out_h;
  for (int32_t i = 0; i < out_rows; ++i) {
    const int32_t r = p->reverse ? out_rows - 1 - i : i;
    const int32_t in_y = r % p->out_h * p->stride_h - p->pad_top;
    const int8_t* image = in + r / p->out_h * p->in_h * in_row;
    usmp_window_rows(image, in_row, p->in_h, in_y, 1, p->kernel_h, rows);
    usmp_average_pool_s8_row(p, rows, out + r * out_row, 0, p->out_w, 0, p->channels, p->reverse);
  }
}

/* A part of a row; `out` is its first pixel. */
USMP_KERNEL void usmp_average_pool_s8_part(const struct usmp_average_pool_s8_params* p,
                                           const struct usmp_part* part, const int8_t* in,
                                           void* scratch, int8_t* out) {
  const int8_t* local_rows[USMP_AVERAGE_POOL_S8_ROWS];
  const int8_t** rows = scratch != NULL ? (const int8_t**)scratch : local_rows;
  usmp_ring_rows(in, (ptrdiff_t)p->in_w * p->in_pixel_stride, part->in_rows, p->in_h,
                 part->y * p->stride_h - p->pad_top, 1, p->kernel_h, rows);
  usmp_average_pool_s8_row(p, rows, out, part->x_begin, part->x_end, 0, p->channels, p->reverse);
}

/* The average over all pixels of an image while they come in, in any order, where the window is the
   image: sums[p->channels]. */
USMP_KERNEL void usmp_average_pool_s8_begin_sums(const struct usmp_average_pool_s8_params* p,
                                                 int32_t* sums) {
  memset(sums, 0, (size_t)p->channels * sizeof *sums);
}

USMP_KERNEL void usmp_average_pool_s8_add_pixels(const struct usmp_average_pool_s8_params* p,
                                                 int32_t pixels, const int8_t* in, int32_t* sums) {
  for (; pixels > 0; --pixels, in += p->channels) {
    for (int32_t c = 0; c < p->channels; ++c) sums[c] += in[c];
  }
}

USMP_KERNEL void usmp_average_pool_s8_end_sums(const struct usmp_average_pool_s8_params* p,
                                               const int32_t* sums, int8_t* out) {
  const uint32_t count = (uint32_t)p->in_h * (uint32_t)p->in_w;
  const uint32_t reciprocal = UINT32_MAX / count;
  for (int32_t c = 0; c < p->channels; ++c) {
    const int32_t y = usmp_average_pool_s8_divide(sums[c], count, reciprocal);
    out[c] = (int8_t)usmp_clamp_s32(y, p->act_min, p->act_max);
  }
}

#endif /* USMP_KERNELS_AVERAGE_POOL_S8_H_ */
