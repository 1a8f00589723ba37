/* AVERAGE_POOL_2D and MAX_POOL_2D, float32. A spatial kernel.

   A row call computes output pixels [x_begin, x_end) of one output row, channels [c_begin, c_end),
   in the order of the scan, pixel by pixel, and of the input reads only those channels of that
   pixel's window. The whole-layer function computes rows ascending, or with `reverse` descending;
   each output once.

   Elements outside the image do not count. A sum is over window rows, then columns. */
#ifndef USMP_KERNELS_POOL2D_F32_H_
#define USMP_KERNELS_POOL2D_F32_H_

#include <float.h>

#include "../usmp_float.h"

struct usmp_pool2d_f32_params {
  int32_t is_average;
  int32_t batches;
  int32_t in_h;
  int32_t in_w;
  int32_t in_pixel_stride; /* elements from a pixel to the next */
  int32_t out_h;
  int32_t out_w;
  int32_t out_pixel_stride;
  int32_t channels;
  int32_t kernel_h;
  int32_t kernel_w;
  int32_t stride_h;
  int32_t stride_w;
  int32_t dilation_h;
  int32_t dilation_w;
  int32_t pad_top;
  int32_t pad_left;
  int32_t reverse;
  float act_min;
  float act_max;
};

/* The window's columns [kx_begin, kx_end), the first `offset` elements after a row's pointer. */
struct usmp_pool2d_f32_window {
  const float* const* rows;
  ptrdiff_t offset;
  int32_t kx_begin;
  int32_t kx_end;
};

USMP_INLINE float usmp_pool2d_f32_finish(const struct usmp_pool2d_f32_params* p, float x,
                                         float count) {
  return usmp_clamp_f32(p->is_average ? x / count : x, p->act_min, p->act_max);
}

USMP_KERNEL void usmp_pool2d_f32_four_channels(const struct usmp_pool2d_f32_params* p,
                                               const struct usmp_pool2d_f32_window* window,
                                               int32_t channel, float count, float* out) {
  const ptrdiff_t step = (ptrdiff_t)p->dilation_w * p->in_pixel_stride;
  usmp_f32x4 x4 = usmp_splat_f32x4(p->is_average ? 0.0f : -FLT_MAX);
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    if (window->rows[ky] == NULL) continue;
    const float* x = window->rows[ky] + window->offset + channel;
    for (int32_t kx = window->kx_begin; kx < window->kx_end; ++kx, x += step) {
      const usmp_f32x4 tap = usmp_load_f32x4(x);
      x4 = p->is_average ? usmp_add_f32x4(x4, tap) : usmp_max_f32x4(x4, tap);
    }
  }
  float x[4];
  usmp_store_f32x4(x, x4);
  for (int32_t i = 0; i < 4; ++i) out[i] = usmp_pool2d_f32_finish(p, x[i], count);
}

USMP_KERNEL void usmp_pool2d_f32_one_channel(const struct usmp_pool2d_f32_params* p,
                                             const struct usmp_pool2d_f32_window* window,
                                             int32_t channel, float count, float* out) {
  const ptrdiff_t step = (ptrdiff_t)p->dilation_w * p->in_pixel_stride;
  float result = p->is_average ? 0.0f : -FLT_MAX;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    if (window->rows[ky] == NULL) continue;
    const float* x = window->rows[ky] + window->offset + channel;
    for (int32_t kx = window->kx_begin; kx < window->kx_end; ++kx, x += step) {
      result = p->is_average ? result + *x : usmp_max_f32(result, *x);
    }
  }
  *out = usmp_pool2d_f32_finish(p, result, count);
}

/* `rows`: kernel_h pointers to the pixel of column 0 of an input row, NULL outside the image.
   `out`: output pixel x_begin. */
USMP_KERNEL void usmp_pool2d_f32_row(const struct usmp_pool2d_f32_params* p,
                                     const float* const* rows, float* out, int32_t x_begin,
                                     int32_t x_end, int32_t c_begin, int32_t c_end) {
  int32_t row_count = 0;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) row_count += rows[ky] != NULL;
  struct usmp_pool2d_f32_window window;
  window.rows = rows;
  for (int32_t i = 0; i < x_end - x_begin; ++i) {
    const int32_t x = p->reverse ? x_end - 1 - i : x_begin + i;
    const int32_t column = x * p->stride_w - p->pad_left;
    float* to = out + (ptrdiff_t)(x - x_begin) * p->out_pixel_stride;
    window.kx_begin = usmp_taps_begin(column, p->kernel_w, p->dilation_w);
    window.kx_end = usmp_taps_end(column, window.kx_begin, p->kernel_w, p->dilation_w, p->in_w);
    window.offset = (ptrdiff_t)(column + window.kx_begin * p->dilation_w) * p->in_pixel_stride;
    const float count = (float)(row_count * (window.kx_end - window.kx_begin));
    int32_t c = c_begin;
    for (; c_end - c >= 4; c += 4) usmp_pool2d_f32_four_channels(p, &window, c, count, to + c);
    for (; c < c_end; ++c) usmp_pool2d_f32_one_channel(p, &window, c, count, to + c);
  }
}

/* `row_scratch`: kernel_h elements where kernel_h > 16, else NULL. */
USMP_KERNEL void usmp_pool2d_f32(const struct usmp_pool2d_f32_params* p, const float* in,
                                 int64_t* row_scratch, float* out) {
  const float* near_rows[16];
  const float** rows = row_scratch != NULL ? (const float**)(void*)row_scratch : near_rows;
  const ptrdiff_t in_row = (ptrdiff_t)p->in_w * p->in_pixel_stride;
  const ptrdiff_t out_row = (ptrdiff_t)p->out_w * p->out_pixel_stride;
  const int32_t row_count = p->batches * p->out_h;
  for (int32_t i = 0; i < row_count; ++i) {
    const int32_t row = p->reverse ? row_count - 1 - i : i;
    const int32_t batch = row / p->out_h;
    const int32_t y = row - batch * p->out_h;
    usmp_window_rows_f32(rows, in + batch * p->in_h * in_row, in_row, p->in_h,
                         y * p->stride_h - p->pad_top, p->kernel_h, p->dilation_h);
    usmp_pool2d_f32_row(p, rows, out + row * out_row, 0, p->out_w, 0, p->channels);
  }
}

/* A part of a row; `out` is its first pixel. */
USMP_KERNEL void usmp_pool2d_f32_part(const struct usmp_pool2d_f32_params* p,
                                      const struct usmp_part* part, const float* in,
                                      int64_t* row_scratch, float* out) {
  const float* near_rows[16];
  const float** rows = row_scratch != NULL ? (const float**)(void*)row_scratch : near_rows;
  usmp_ring_rows_f32(rows, in, (ptrdiff_t)p->in_w * p->in_pixel_stride, part->in_rows, p->in_h,
                     part->y * p->stride_h - p->pad_top, p->kernel_h, p->dilation_h);
  usmp_pool2d_f32_row(p, rows, out, part->x_begin, part->x_end, 0, p->channels);
}

/* The average over all pixels of an image while they come in, row by row, where the window is the
   image: sums[p->channels]. */
USMP_KERNEL void usmp_pool2d_f32_begin_sums(const struct usmp_pool2d_f32_params* p, float* sums) {
  for (int32_t c = 0; c < p->channels; ++c) sums[c] = 0.0f;
}

USMP_KERNEL void usmp_pool2d_f32_add_pixels(const struct usmp_pool2d_f32_params* p, int32_t pixels,
                                            const float* in, float* sums) {
  for (; pixels > 0; --pixels, in += p->channels) {
    for (int32_t c = 0; c < p->channels; ++c) sums[c] += in[c];
  }
}

USMP_KERNEL void usmp_pool2d_f32_end_sums(const struct usmp_pool2d_f32_params* p, const float* sums,
                                          float* out) {
  const float count = (float)(p->in_h * p->in_w);
  for (int32_t c = 0; c < p->channels; ++c) out[c] = usmp_pool2d_f32_finish(p, sums[c], count);
}

#endif /* USMP_KERNELS_POOL2D_F32_H_ */
