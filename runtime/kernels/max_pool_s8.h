/* MAX_POOL_2D, int8. A spatial kernel: see the row function.

   For each output pixel, and within it for each block of USMP_MAX_POOL_S8_BLOCK channels, reads the
   window of the block, then writes the block. Pixels and blocks go up, or down with `reverse`;
   every output once. */
#ifndef USMP_KERNELS_MAX_POOL_S8_H_
#define USMP_KERNELS_MAX_POOL_S8_H_

#include "../usmp_runtime.h"

enum { USMP_MAX_POOL_S8_BLOCK = 64, USMP_MAX_POOL_S8_ROWS = 16 };

struct usmp_max_pool_s8_params {
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

/* `n` channels of one output pixel; taps [tap_begin, tap_end) of each row are inside the image. `x`
   is the offset of tap 0 in a row, maybe negative. */
USMP_KERNEL void usmp_max_pool_s8_block(const struct usmp_max_pool_s8_params* p,
                                        const int8_t* const* rows, ptrdiff_t x, int32_t tap_begin,
                                        int32_t tap_end, int32_t n, int8_t* out) {
  int8_t best[USMP_MAX_POOL_S8_BLOCK];
  const int8_t act_min = (int8_t)p->act_min;
  const int8_t act_max = (int8_t)p->act_max;
  memset(best, -128, sizeof best);
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    if (rows[ky] == NULL) continue;
    for (int32_t kx = tap_begin; kx < tap_end; ++kx) {
      const int8_t* in = rows[ky] + (x + (ptrdiff_t)kx * p->in_pixel_stride);
      for (int32_t c = 0; c < n; ++c) best[c] = in[c] > best[c] ? in[c] : best[c];
    }
  }
  for (int32_t c = 0; c < n; ++c) {
    const int8_t y = best[c] > act_min ? best[c] : act_min;
    out[c] = y < act_max ? y : act_max;
  }
}

/* Output pixels [x_begin, x_end), channels [c_begin, c_end) of one row. rows[ky] is the input row
   under tap ky, NULL outside the image; `out` is
   output pixel x_begin. */
USMP_KERNEL void usmp_max_pool_s8_row(const struct usmp_max_pool_s8_params* p,
                                      const int8_t* const* rows, int8_t* out, int32_t x_begin,
                                      int32_t x_end, int32_t c_begin, int32_t c_end,
                                      int32_t reverse) {
  const int32_t blocks = (c_end - c_begin + USMP_MAX_POOL_S8_BLOCK - 1) / USMP_MAX_POOL_S8_BLOCK;
  for (int32_t i = x_begin; i < x_end; ++i) {
    const int32_t x = reverse ? x_begin + x_end - 1 - i : i;
    const int32_t in_x = x * p->stride_w - p->pad_left;
    const int32_t tap_begin = usmp_max_s32(0, -in_x);
    const int32_t tap_end = usmp_min_s32(p->kernel_w, p->in_w - in_x);
    for (int32_t j = 0; j < blocks; ++j) {
      const int32_t c = c_begin + (reverse ? blocks - 1 - j : j) * USMP_MAX_POOL_S8_BLOCK;
      usmp_max_pool_s8_block(p, rows, (ptrdiff_t)in_x * p->in_pixel_stride + c, tap_begin, tap_end,
                             usmp_min_s32(c_end - c, USMP_MAX_POOL_S8_BLOCK),
                             out + ((ptrdiff_t)(x - x_begin) * p->out_pixel_stride + c));
    }
  }
}

/* `scratch`: kernel_h pointers where kernel_h > USMP_MAX_POOL_S8_ROWS, else NULL. */
USMP_KERNEL void usmp_max_pool_s8(const struct usmp_max_pool_s8_params* p, const int8_t* in,
                                  void* scratch, int8_t* out) {
  const int8_t* local_rows[USMP_MAX_POOL_S8_ROWS];
  const int8_t** rows = scratch != NULL ? (const int8_t**)scratch : local_rows;
  const ptrdiff_t in_row = (ptrdiff_t)p->in_w * p->in_pixel_stride;
  const ptrdiff_t out_row = (ptrdiff_t)p->out_w * p->out_pixel_stride;
  const int32_t out_rows = p->batches * p->out_h;
  for (int32_t i = 0; i < out_rows; ++i) {
    const int32_t r = p->reverse ? out_rows - 1 - i : i;
    const int32_t in_y = r % p->out_h * p->stride_h - p->pad_top;
    const int8_t* image = in + r / p->out_h * p->in_h * in_row;
    usmp_window_rows(image, in_row, p->in_h, in_y, 1, p->kernel_h, rows);
    usmp_max_pool_s8_row(p, rows, out + r * out_row, 0, p->out_w, 0, p->channels, p->reverse);
  }
}

/* A part of a row; `out` is its first pixel. */
USMP_KERNEL void usmp_max_pool_s8_part(const struct usmp_max_pool_s8_params* p,
                                       const struct usmp_part* part, const int8_t* in,
                                       void* scratch, int8_t* out) {
  const int8_t* local_rows[USMP_MAX_POOL_S8_ROWS];
  const int8_t** rows = scratch != NULL ? (const int8_t**)scratch : local_rows;
  usmp_ring_rows(in, (ptrdiff_t)p->in_w * p->in_pixel_stride, part->in_rows, p->in_h,
                 part->y * p->stride_h - p->pad_top, 1, p->kernel_h, rows);
  usmp_max_pool_s8_row(p, rows, out, part->x_begin, part->x_end, 0, p->channels, p->reverse);
}

#endif /* USMP_KERNELS_MAX_POOL_S8_H_ */
