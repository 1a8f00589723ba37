/* DEPTHWISE_CONV_2D, float32, as many output channels as input channels, with dilation. A spatial
   kernel.

   A row call computes output pixels [x_begin, x_end) of one output row, channels [c_begin, c_end),
   and of the input reads only those channels. It computes four channels of the whole run, then the
   next four: nothing that the run reads of a channel may be overwritten before that channel of the
   run is done. The direction of the scan is that of the runs: the whole-layer function computes
   rows, and within a row runs of `run_pixels`, ascending, or descending with `reverse`; each output
   once.

   A sum is over kernel rows, then kernel columns; then comes the bias. */
#ifndef USMP_KERNELS_DEPTHWISE_CONV2D_F32_H_
#define USMP_KERNELS_DEPTHWISE_CONV2D_F32_H_

#include "../usmp_float.h"

struct usmp_depthwise_conv2d_f32_params {
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
  int32_t
      inner_begin; /* the windows of output columns [inner_begin, inner_end) lie inside the rows */
  int32_t inner_end;
  int32_t run_pixels;
  int32_t reverse;
  float act_min;
  float act_max;
};

/* The taps of a tile of output pixels: columns [kx_begin, kx_end) of every kernel row. */
struct usmp_depthwise_conv2d_f32_taps {
  const float* const* rows;
  ptrdiff_t in_offset; /* of the first pixel's first tap, in its row */
  int32_t kx_begin;
  int32_t kx_end;
};

/* Four pixels of four channels. */
USMP_KERNEL void usmp_depthwise_conv2d_f32_tile_4x4(
    const struct usmp_depthwise_conv2d_f32_params* p,
    const struct usmp_depthwise_conv2d_f32_taps* taps, const float* weights, const float* bias,
    float* out) {
  const ptrdiff_t step = (ptrdiff_t)p->stride_w * p->in_pixel_stride;
  const ptrdiff_t tap_step = (ptrdiff_t)p->dilation_w * p->in_pixel_stride;
  const ptrdiff_t out_step = p->out_pixel_stride;
  usmp_f32x4 sum0 = usmp_splat_f32x4(0.0f), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    const float* w = weights + (ptrdiff_t)ky * p->kernel_w * p->channels;
    if (taps->rows[ky] == NULL) continue;
    const float* x = taps->rows[ky] + taps->in_offset;
    for (int32_t kx = taps->kx_begin; kx < taps->kx_end; ++kx, x += tap_step, w += p->channels) {
      const usmp_f32x4 w4 = usmp_load_f32x4(w);
      sum0 = usmp_multiply_add_f32x4(sum0, usmp_load_f32x4(x), w4);
      sum1 = usmp_multiply_add_f32x4(sum1, usmp_load_f32x4(x + step), w4);
      sum2 = usmp_multiply_add_f32x4(sum2, usmp_load_f32x4(x + 2 * step), w4);
      sum3 = usmp_multiply_add_f32x4(sum3, usmp_load_f32x4(x + 3 * step), w4);
    }
  }
  const usmp_f32x4 b = usmp_load_f32x4(bias);
  usmp_store_clamped_f32x4(out, usmp_add_f32x4(sum0, b), p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + out_step, usmp_add_f32x4(sum1, b), p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + 2 * out_step, usmp_add_f32x4(sum2, b), p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + 3 * out_step, usmp_add_f32x4(sum3, b), p->act_min, p->act_max);
}

/* One pixel of four channels. */
USMP_KERNEL void usmp_depthwise_conv2d_f32_tile_1x4(
    const struct usmp_depthwise_conv2d_f32_params* p,
    const struct usmp_depthwise_conv2d_f32_taps* taps, const float* weights, const float* bias,
    float* out) {
  const ptrdiff_t tap_step = (ptrdiff_t)p->dilation_w * p->in_pixel_stride;
  usmp_f32x4 sum = usmp_splat_f32x4(0.0f);
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    const float* w = weights + ((ptrdiff_t)ky * p->kernel_w + taps->kx_begin) * p->channels;
    if (taps->rows[ky] == NULL) continue;
    const float* x = taps->rows[ky] + taps->in_offset;
    for (int32_t kx = taps->kx_begin; kx < taps->kx_end; ++kx, x += tap_step, w += p->channels) {
      sum = usmp_multiply_add_f32x4(sum, usmp_load_f32x4(x), usmp_load_f32x4(w));
    }
  }
  usmp_store_clamped_f32x4(out, usmp_add_f32x4(sum, usmp_load_f32x4(bias)), p->act_min, p->act_max);
}

/* One pixel of one channel. */
USMP_KERNEL void usmp_depthwise_conv2d_f32_tile_1x1(
    const struct usmp_depthwise_conv2d_f32_params* p,
    const struct usmp_depthwise_conv2d_f32_taps* taps, const float* weights, const float* bias,
    float* out) {
  const ptrdiff_t tap_step = (ptrdiff_t)p->dilation_w * p->in_pixel_stride;
  float sum = 0.0f;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    const float* w = weights + ((ptrdiff_t)ky * p->kernel_w + taps->kx_begin) * p->channels;
    if (taps->rows[ky] == NULL) continue;
    const float* x = taps->rows[ky] + taps->in_offset;
    for (int32_t kx = taps->kx_begin; kx < taps->kx_end; ++kx, x += tap_step, w += p->channels) {
      sum = usmp_multiply_add_f32(sum, *x, *w);
    }
  }
  *out = usmp_clamp_f32(sum + *bias, p->act_min, p->act_max);
}

/* `rows`: kernel_h pointers to the pixel of column 0 of an input row, NULL outside the image.
   `out`: output pixel x_begin. weights [kernel_h][kernel_w][channels]; bias [channels]. */
USMP_KERNEL void usmp_depthwise_conv2d_f32_row(const struct usmp_depthwise_conv2d_f32_params* p,
                                               const float* const* rows, const float* weights,
                                               const float* bias, float* out, int32_t x_begin,
                                               int32_t x_end, int32_t c_begin, int32_t c_end) {
  const int32_t inner_end = usmp_min_s32(p->inner_end, x_end);
  struct usmp_depthwise_conv2d_f32_taps taps;
  taps.rows = rows;
  for (int32_t c = c_begin; c < c_end;) {
    const int32_t is_four = c_end - c >= 4;
    for (int32_t x = x_begin; x < x_end;) {
      const int32_t column = x * p->stride_w - p->pad_left;
      const int32_t is_tile = is_four && x >= p->inner_begin && inner_end - x >= 4;
      float* to = out + (ptrdiff_t)(x - x_begin) * p->out_pixel_stride + c;
      taps.kx_begin = usmp_taps_begin(column, p->kernel_w, p->dilation_w);
      taps.kx_end = usmp_taps_end(column, taps.kx_begin, p->kernel_w, p->dilation_w, p->in_w);
      taps.in_offset = (ptrdiff_t)(column + taps.kx_begin * p->dilation_w) * p->in_pixel_stride + c;
      if (is_tile) {
        usmp_depthwise_conv2d_f32_tile_4x4(p, &taps, weights + c, bias + c, to);
      } else if (is_four) {
        usmp_depthwise_conv2d_f32_tile_1x4(p, &taps, weights + c, bias + c, to);
      } else {
        usmp_depthwise_conv2d_f32_tile_1x1(p, &taps, weights + c, bias + c, to);
      }
      x += is_tile ? 4 : 1;
    }
    c += is_four ? 4 : 1;
  }
}

/* `row_scratch`: kernel_h elements where kernel_h > 16, else NULL. */
USMP_KERNEL void usmp_depthwise_conv2d_f32(const struct usmp_depthwise_conv2d_f32_params* p,
                                           const float* in, const float* weights, const float* bias,
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
    for (int32_t done = 0; done < p->out_w; done += p->run_pixels) {
      const int32_t count = usmp_min_s32(p->run_pixels, p->out_w - done);
      const int32_t x = p->reverse ? p->out_w - done - count : done;
      usmp_depthwise_conv2d_f32_row(p, rows, weights, bias,
                                    out + row * out_row + (ptrdiff_t)x * p->out_pixel_stride, x,
                                    x + count, 0, p->channels);
    }
  }
}

/* A part of a row; `out` is its first pixel. */
USMP_KERNEL void usmp_depthwise_conv2d_f32_part(const struct usmp_depthwise_conv2d_f32_params* p,
                                                const struct usmp_part* part, const float* in,
                                                const float* weights, const float* bias,
                                                int64_t* row_scratch, float* out) {
  const float* near_rows[16];
  const float** rows = row_scratch != NULL ? (const float**)(void*)row_scratch : near_rows;
  usmp_ring_rows_f32(rows, in, (ptrdiff_t)p->in_w * p->in_pixel_stride, part->in_rows, p->in_h,
                     part->y * p->stride_h - p->pad_top, p->kernel_h, p->dilation_h);
  usmp_depthwise_conv2d_f32_row(p, rows, weights, bias, out, part->x_begin, part->x_end, 0,
                                p->channels);
}

#endif /* USMP_KERNELS_DEPTHWISE_CONV2D_F32_H_ */
