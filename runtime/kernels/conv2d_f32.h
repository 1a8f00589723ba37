/* CONV_2D, float32, with groups and dilation; DEPTHWISE_CONV_2D with a channel multiplier too. A
   spatial kernel.

   A row call computes output pixels [x_begin, x_end) of one output row, channels [c_begin, c_end).
   It reads the whole input of its run again for every four channels: nothing that the run reads may
   be overwritten before the run ends. The direction of the scan is therefore that of the runs: the
   whole-layer function computes rows, and within a row runs of `run_pixels`, ascending, or
   descending with `reverse`; each output once.

   A sum is over kernel rows, kernel columns, input channels, in that order; then comes the bias. */
#ifndef USMP_KERNELS_CONV2D_F32_H_
#define USMP_KERNELS_CONV2D_F32_H_

#include "../usmp_float.h"

struct usmp_conv2d_f32_params {
  int32_t batches;
  int32_t in_h;
  int32_t in_w;
  int32_t in_pixel_stride; /* elements from a pixel to the next */
  int32_t out_h;
  int32_t out_w;
  int32_t out_pixel_stride;
  int32_t groups;
  int32_t in_channels;  /* of a group */
  int32_t out_channels; /* of a group */
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

/* The taps of a tile of output pixels: in every kernel row `runs` runs, `run_step` apart, of
   `length` consecutive input elements. */
struct usmp_conv2d_f32_taps {
  const float* const* rows;
  ptrdiff_t in_offset;   /* of the first pixel's first tap, in its row */
  int32_t weight_offset; /* of that tap, in the kernel row's weights of one channel */
  int32_t runs;
  int32_t length;
  int32_t run_step;
};

/* Taps [kx_begin, kx_end) of a window whose first tap is in column `column`. */
USMP_INLINE void usmp_conv2d_f32_set_taps(const struct usmp_conv2d_f32_params* p, int32_t channel,
                                          int32_t column, int32_t kx_begin, int32_t kx_end,
                                          struct usmp_conv2d_f32_taps* taps) {
  const int32_t is_dense = p->dilation_w == 1 && p->in_pixel_stride == p->in_channels;
  taps->in_offset = (ptrdiff_t)(column + kx_begin * p->dilation_w) * p->in_pixel_stride + channel;
  taps->weight_offset = kx_begin * p->in_channels;
  taps->runs = is_dense ? 1 : kx_end - kx_begin;
  taps->length = is_dense ? (kx_end - kx_begin) * p->in_channels : p->in_channels;
  taps->run_step = p->dilation_w * p->in_pixel_stride;
}

/* Four pixels times four channels; weights [kernel_h][kernel_w][in_channels][4]. */
USMP_KERNEL void usmp_conv2d_f32_tile_4x4(const struct usmp_conv2d_f32_params* p,
                                          const struct usmp_conv2d_f32_taps* taps,
                                          const float* weights, const float* bias, float* out) {
  const ptrdiff_t step = (ptrdiff_t)p->stride_w * p->in_pixel_stride;
  const ptrdiff_t row_weights = (ptrdiff_t)p->kernel_w * p->in_channels * 4;
  const ptrdiff_t out_step = p->out_pixel_stride;
  usmp_f32x4 sum0 = usmp_splat_f32x4(0.0f), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  weights += taps->weight_offset * 4;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky, weights += row_weights) {
    if (taps->rows[ky] == NULL) continue;
    const float* x0 = taps->rows[ky] + taps->in_offset;
    const float* w = weights;
    for (int32_t run = 0; run < taps->runs; ++run, x0 += taps->run_step) {
      const float* x1 = x0 + step;
      const float* x2 = x1 + step;
      const float* x3 = x2 + step;
      for (int32_t i = 0; i < taps->length; ++i, w += 4) {
        const usmp_f32x4 w4 = usmp_load_f32x4(w);
        sum0 = usmp_scaled_add_f32x4(sum0, x0[i], w4);
        sum1 = usmp_scaled_add_f32x4(sum1, x1[i], w4);
        sum2 = usmp_scaled_add_f32x4(sum2, x2[i], w4);
        sum3 = usmp_scaled_add_f32x4(sum3, x3[i], w4);
      }
    }
  }
  const usmp_f32x4 b = usmp_load_f32x4(bias);
  usmp_store_clamped_f32x4(out, usmp_add_f32x4(sum0, b), p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + out_step, usmp_add_f32x4(sum1, b), p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + 2 * out_step, usmp_add_f32x4(sum2, b), p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + 3 * out_step, usmp_add_f32x4(sum3, b), p->act_min, p->act_max);
}

/* One pixel times four channels; weights as above. */
USMP_KERNEL void usmp_conv2d_f32_tile_1x4(const struct usmp_conv2d_f32_params* p,
                                          const struct usmp_conv2d_f32_taps* taps,
                                          const float* weights, const float* bias, float* out) {
  const ptrdiff_t row_weights = (ptrdiff_t)p->kernel_w * p->in_channels * 4;
  usmp_f32x4 sum = usmp_splat_f32x4(0.0f);
  weights += taps->weight_offset * 4;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky, weights += row_weights) {
    if (taps->rows[ky] == NULL) continue;
    const float* x = taps->rows[ky] + taps->in_offset;
    const float* w = weights;
    for (int32_t run = 0; run < taps->runs; ++run, x += taps->run_step) {
      for (int32_t i = 0; i < taps->length; ++i, w += 4) {
        sum = usmp_scaled_add_f32x4(sum, x[i], usmp_load_f32x4(w));
      }
    }
  }
  usmp_store_clamped_f32x4(out, usmp_add_f32x4(sum, usmp_load_f32x4(bias)), p->act_min, p->act_max);
}

/* Four pixels of one channel; weights [kernel_h][kernel_w][in_channels]. */
USMP_KERNEL void usmp_conv2d_f32_tile_4x1(const struct usmp_conv2d_f32_params* p,
                                          const struct usmp_conv2d_f32_taps* taps,
                                          const float* weights, const float* bias, float* out) {
  const ptrdiff_t step = (ptrdiff_t)p->stride_w * p->in_pixel_stride;
  const ptrdiff_t row_weights = (ptrdiff_t)p->kernel_w * p->in_channels;
  usmp_f32x4 sum = usmp_splat_f32x4(0.0f);
  weights += taps->weight_offset;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky, weights += row_weights) {
    if (taps->rows[ky] == NULL) continue;
    const float* x0 = taps->rows[ky] + taps->in_offset;
    const float* w = weights;
    for (int32_t run = 0; run < taps->runs; ++run, x0 += taps->run_step) {
      const float* x1 = x0 + step;
      const float* x2 = x1 + step;
      const float* x3 = x2 + step;
      for (int32_t i = 0; i < taps->length; ++i) {
        sum = usmp_scaled_add_f32x4(sum, *w++, usmp_make_f32x4(x0[i], x1[i], x2[i], x3[i]));
      }
    }
  }
  float sums[4];
  usmp_store_f32x4(sums, usmp_add_f32x4(sum, usmp_splat_f32x4(*bias)));
  for (int32_t i = 0; i < 4; ++i, out += p->out_pixel_stride) {
    *out = usmp_clamp_f32(sums[i], p->act_min, p->act_max);
  }
}

/* One pixel of one channel; weights as above. */
USMP_KERNEL void usmp_conv2d_f32_tile_1x1(const struct usmp_conv2d_f32_params* p,
                                          const struct usmp_conv2d_f32_taps* taps,
                                          const float* weights, const float* bias, float* out) {
  const ptrdiff_t row_weights = (ptrdiff_t)p->kernel_w * p->in_channels;
  float sum = 0.0f;
  weights += taps->weight_offset;
  for (int32_t ky = 0; ky < p->kernel_h; ++ky, weights += row_weights) {
    if (taps->rows[ky] == NULL) continue;
    const float* x = taps->rows[ky] + taps->in_offset;
    const float* w = weights;
    for (int32_t run = 0; run < taps->runs; ++run, x += taps->run_step) {
      for (int32_t i = 0; i < taps->length; ++i) sum = usmp_multiply_add_f32(sum, x[i], *w++);
    }
  }
  *out = usmp_clamp_f32(sum + *bias, p->act_min, p->act_max);
}

/* The pixels of a run, for the four channels (or one) that `weights`, `bias` and `out` point to. */
USMP_INLINE void usmp_conv2d_f32_channels(const struct usmp_conv2d_f32_params* p,
                                          const float* const* rows, int32_t in_channel,
                                          int32_t is_four, const float* weights, const float* bias,
                                          float* out, int32_t x_begin, int32_t x_end) {
  const int32_t inner_end = usmp_min_s32(p->inner_end, x_end);
  struct usmp_conv2d_f32_taps taps;
  taps.rows = rows;
  for (int32_t x = x_begin; x < x_end;) {
    const int32_t column = x * p->stride_w - p->pad_left;
    float* to = out + (ptrdiff_t)(x - x_begin) * p->out_pixel_stride;
    const int32_t is_tile = x >= p->inner_begin && inner_end - x >= 4;
    const int32_t begin = usmp_taps_begin(column, p->kernel_w, p->dilation_w);
    const int32_t end = usmp_taps_end(column, begin, p->kernel_w, p->dilation_w, p->in_w);
    usmp_conv2d_f32_set_taps(p, in_channel, column, begin, end, &taps);
    if (is_tile) {
      if (is_four) {
        usmp_conv2d_f32_tile_4x4(p, &taps, weights, bias, to);
      } else {
        usmp_conv2d_f32_tile_4x1(p, &taps, weights, bias, to);
      }
    } else if (is_four) {
      usmp_conv2d_f32_tile_1x4(p, &taps, weights, bias, to);
    } else {
      usmp_conv2d_f32_tile_1x1(p, &taps, weights, bias, to);
    }
    x += is_tile ? 4 : 1;
  }
}

/* `rows`: kernel_h pointers to the pixel of column 0 of an input row, NULL outside the image.
   `out`: output pixel x_begin. The weights of each group are those of its channels in blocks
   of four, as far as they go, [kernel_h][kernel_w][in_channels][4], and then channel by channel,
   [kernel_h][kernel_w][in_channels]; c_begin and c_end do not divide a block. bias [groups *
   out_channels]. */
USMP_KERNEL void usmp_conv2d_f32_row(const struct usmp_conv2d_f32_params* p,
                                     const float* const* rows, const float* weights,
                                     const float* bias, float* out, int32_t x_begin, int32_t x_end,
                                     int32_t c_begin, int32_t c_end) {
  const ptrdiff_t channel_weights = (ptrdiff_t)p->kernel_h * p->kernel_w * p->in_channels;
  for (int32_t c = c_begin; c < c_end;) {
    const int32_t group = c / p->out_channels;
    const int32_t is_four = (group + 1) * p->out_channels - c >= 4;
    usmp_conv2d_f32_channels(p, rows, group * p->in_channels, is_four,
                             weights + c * channel_weights, bias + c, out + c, x_begin, x_end);
    c += is_four ? 4 : 1;
  }
}

/* `row_scratch`: kernel_h elements where kernel_h > 16, else NULL. */
USMP_KERNEL void usmp_conv2d_f32(const struct usmp_conv2d_f32_params* p, const float* in,
                                 const float* weights, const float* bias, int64_t* row_scratch,
                                 float* out) {
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
      usmp_conv2d_f32_row(p, rows, weights, bias,
                          out + row * out_row + (ptrdiff_t)x * p->out_pixel_stride, x, x + count, 0,
                          p->groups * p->out_channels);
    }
  }
}

/* A part of a row; `out` is its first pixel. */
USMP_KERNEL void usmp_conv2d_f32_part(const struct usmp_conv2d_f32_params* p,
                                      const struct usmp_part* part, const float* in,
                                      const float* weights, const float* bias, int64_t* row_scratch,
                                      float* out) {
  const float* near_rows[16];
  const float** rows = row_scratch != NULL ? (const float**)(void*)row_scratch : near_rows;
  usmp_ring_rows_f32(rows, in, (ptrdiff_t)p->in_w * p->in_pixel_stride, part->in_rows, p->in_h,
                     part->y * p->stride_h - p->pad_top, p->kernel_h, p->dilation_h);
  usmp_conv2d_f32_row(p, rows, weights, bias, out, part->x_begin, part->x_end, 0,
                      p->groups * p->out_channels);
}

#endif /* USMP_KERNELS_CONV2D_F32_H_ */
