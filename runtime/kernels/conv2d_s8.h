/* CONV_2D, int8, with stride, dilation, padding and groups. FULLY_CONNECTED is the same kernel over
   one row of 1x1 pixels, and so is a 1x1 convolution with stride 1 over a whole image.

   Reads and writes by blocks of up to USMP_CONV2D_S8_PIXELS neighboring output pixels of a row,
   left to right and downwards, or the other way about with p->reverse. The windows of a block are
   read until its last output is written; nothing to the left of (after: above) them is read again.
   Each output is written once, except that an activation narrower than int8 is applied in a second
   pass over what the call has just written. */
#ifndef USMP_KERNELS_CONV2D_S8_H_
#define USMP_KERNELS_CONV2D_S8_H_

#include "../usmp_runtime.h"
#include "dot_s8.h"

enum { USMP_CONV2D_S8_PIXELS = 2, USMP_CONV2D_S8_MAX_ROWS = 16 };

struct usmp_conv2d_s8_params {
  int32_t batches;
  int32_t in_h;
  int32_t in_w;
  int32_t in_pixel_stride; /* elements from a pixel to the next of its row */
  int32_t out_h;
  int32_t out_w;
  int32_t out_pixel_stride;
  int32_t groups;
  int32_t group_in; /* channels of one group */
  int32_t group_out;
  int32_t kernel_h;
  int32_t kernel_w;
  int32_t stride_h;
  int32_t stride_w;
  int32_t dilation_h;
  int32_t dilation_w;
  int32_t pad_top;
  int32_t pad_left;
  int32_t out_zero_point;
  int32_t act_min;
  int32_t act_max;
  int32_t multiplier_step; /* 1: a multiplier for each output channel; 0: one for all */
  int32_t reverse;         /* scan direction: 0 forward, 1 from the last pixel to the first */
};

struct usmp_conv2d_s8_constants {
  const int8_t* weights;      /* [groups * group_out][kernel_h][kernel_w][group_in] */
  const int32_t* bias;        /* by output channel; -in_zero_point * sum(weights) folded in */
  const int32_t* multipliers; /* see multiplier_step */
  const int8_t* shifts;
  const int8_t* padding; /* what lies outside the image: kernel_w * group_in times in_zero_point */
};

/* How the taps of a window row lie in memory: `runs` runs of `length` elements, `dilation_w` pixels
   apart. One run where nothing of the windows of `pixels` pixels from input column `in_x` on is
   outside the image. */
struct usmp_conv2d_s8_taps {
  int32_t runs;
  int32_t length;
};
USMP_INLINE struct usmp_conv2d_s8_taps usmp_conv2d_s8_taps_at(const struct usmp_conv2d_s8_params* p,
                                                              int32_t in_x, int32_t pixels) {
  struct usmp_conv2d_s8_taps taps = {p->kernel_w, p->group_in};
  const int32_t in_x_end = in_x + (pixels - 1) * p->stride_w + p->kernel_w;
  const int contiguous = p->dilation_w == 1 && p->group_in == p->in_pixel_stride;
  if (contiguous && in_x >= 0 && in_x_end <= p->in_w) {
    taps.length *= taps.runs;
    taps.runs = 1;
  }
  return taps;
}

/* The elements of a row's input pixel x, from `channel` on. */
USMP_INLINE const int8_t* usmp_conv2d_s8_at(const struct usmp_conv2d_s8_params* p,
                                            const struct usmp_conv2d_s8_constants* c,
                                            const int8_t* row, int32_t x, int32_t channel) {
  if (row == NULL || (uint32_t)x >= (uint32_t)p->in_w) return c->padding;
  return row + (ptrdiff_t)x * p->in_pixel_stride + channel;
}

/* A block's place: the window's rows, the input column and channel where it starts, the output
 * pixel. */
struct usmp_conv2d_s8_place {
  const int8_t* const* rows;
  int32_t in_x;
  int32_t in_channel;
  int8_t* out;
};

/* Output channels [begin, end) of one group, at least USMP_DOT_S8_PAIR_ROWS of them, of two
   neighboring pixels. The last block overlaps the one before where the number of channels is not a
   multiple of its own. */
USMP_KERNEL void usmp_conv2d_s8_two_pixels(const struct usmp_conv2d_s8_params* p,
                                           const struct usmp_conv2d_s8_constants* c,
                                           const struct usmp_conv2d_s8_place* at, int32_t begin,
                                           int32_t end) {
  const struct usmp_conv2d_s8_taps taps = usmp_conv2d_s8_taps_at(p, at->in_x, 2);
  const ptrdiff_t w_row = (ptrdiff_t)p->kernel_h * p->kernel_w * p->group_in;
  for (int32_t o = begin; o < end; o += USMP_DOT_S8_PAIR_ROWS) {
    o = usmp_min_s32(o, end - USMP_DOT_S8_PAIR_ROWS);
    const int8_t* w = c->weights + o * w_row;
    struct usmp_dot_s8_pair sums;
    usmp_dot_s8_pair_clear(&sums);
    for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
      int32_t x = at->in_x;
      for (int32_t run = taps.runs; run > 0; --run, x += p->dilation_w, w += taps.length) {
        usmp_dot_s8_pair_add(&sums, usmp_conv2d_s8_at(p, c, at->rows[ky], x, at->in_channel),
                             usmp_conv2d_s8_at(p, c, at->rows[ky], x + p->stride_w, at->in_channel),
                             w, w_row, taps.length);
      }
    }
    int32_t sum[2 * USMP_DOT_S8_PAIR_ROWS];
    usmp_dot_s8_pair_get(&sums, sum);
    for (int32_t i = 0; i < USMP_DOT_S8_PAIR_ROWS; ++i) {
      int8_t* out = at->out + o + i;
      const int32_t m = (o + i) * p->multiplier_step;
      const struct usmp_requantization r = {c->multipliers[m], c->shifts[m], p->out_zero_point};
      out[0] = usmp_requantize_s8(usmp_add_s32(sum[2 * i], c->bias[o + i]), r);
      out[p->out_pixel_stride] =
          usmp_requantize_s8(usmp_add_s32(sum[2 * i + 1], c->bias[o + i]), r);
    }
  }
}

/* Output channels [begin, end) of one group, at least four of them, of one pixel. */
USMP_KERNEL void usmp_conv2d_s8_pixel(const struct usmp_conv2d_s8_params* p,
                                      const struct usmp_conv2d_s8_constants* c,
                                      const struct usmp_conv2d_s8_place* at, int32_t begin,
                                      int32_t end) {
  const struct usmp_conv2d_s8_taps taps = usmp_conv2d_s8_taps_at(p, at->in_x, 1);
  const ptrdiff_t w_row = (ptrdiff_t)p->kernel_h * p->kernel_w * p->group_in;
  for (int32_t o = begin; o < end; o += 4) {
    o = usmp_min_s32(o, end - 4);
    const int8_t* w = c->weights + o * w_row;
    struct usmp_dot_s8_quad sums;
    usmp_dot_s8_quad_clear(&sums);
    for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
      int32_t x = at->in_x;
      for (int32_t run = taps.runs; run > 0; --run, x += p->dilation_w, w += taps.length) {
        usmp_dot_s8_quad_add(&sums, usmp_conv2d_s8_at(p, c, at->rows[ky], x, at->in_channel), w,
                             w_row, taps.length);
      }
    }
    int32_t sum[4];
    usmp_dot_s8_quad_get(&sums, sum);
    for (int32_t i = 0; i < 4; ++i) {
      const int32_t m = (o + i) * p->multiplier_step;
      const struct usmp_requantization r = {c->multipliers[m], c->shifts[m], p->out_zero_point};
      at->out[o + i] = usmp_requantize_s8(usmp_add_s32(sum[i], c->bias[o + i]), r);
    }
  }
}

/* One output channel of one pixel: where a group has fewer channels than a block. */
USMP_KERNEL void usmp_conv2d_s8_channel(const struct usmp_conv2d_s8_params* p,
                                        const struct usmp_conv2d_s8_constants* c,
                                        const struct usmp_conv2d_s8_place* at, int32_t o) {
  const struct usmp_conv2d_s8_taps taps = usmp_conv2d_s8_taps_at(p, at->in_x, 1);
  const int8_t* w = c->weights + (ptrdiff_t)o * p->kernel_h * p->kernel_w * p->group_in;
  uint32_t sum = (uint32_t)c->bias[o];
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    int32_t x = at->in_x;
    for (int32_t run = taps.runs; run > 0; --run, x += p->dilation_w, w += taps.length) {
      const int8_t* in = usmp_conv2d_s8_at(p, c, at->rows[ky], x, at->in_channel);
      for (int32_t i = 0; i < taps.length; ++i) sum += (uint32_t)(in[i] * w[i]);
    }
  }
  const int32_t m = o * p->multiplier_step;
  const struct usmp_requantization r = {c->multipliers[m], c->shifts[m], p->out_zero_point};
  at->out[o] = usmp_requantize_s8((int32_t)sum, r);
}

/* Output channels [begin, end) of one group, of one or two neighboring pixels. */
USMP_INLINE void usmp_conv2d_s8_block(const struct usmp_conv2d_s8_params* p,
                                      const struct usmp_conv2d_s8_constants* c,
                                      struct usmp_conv2d_s8_place at, int32_t pixels, int32_t begin,
                                      int32_t end) {
  if (pixels == 2 && end - begin >= USMP_DOT_S8_PAIR_ROWS) {
    usmp_conv2d_s8_two_pixels(p, c, &at, begin, end);
    return;
  }
  for (; pixels > 0; --pixels, at.in_x += p->stride_w, at.out += p->out_pixel_stride) {
    if (end - begin >= 4) {
      usmp_conv2d_s8_pixel(p, c, &at, begin, end);
    } else {
      for (int32_t o = begin; o < end; ++o) usmp_conv2d_s8_channel(p, c, &at, o);
    }
  }
}

/* Output channels [channel_begin, channel_end) of output pixels [x_begin, x_end) of one row. `rows`
   has kernel_h pointers to the input rows' pixel 0, NULL where a row is outside the image; `out` is
   the output row's pixel 0. */
USMP_KERNEL void usmp_conv2d_s8_row(const struct usmp_conv2d_s8_params* p,
                                    const struct usmp_conv2d_s8_constants* c,
                                    const int8_t* const* rows, int32_t x_begin, int32_t x_end,
                                    int32_t channel_begin, int32_t channel_end, int8_t* out) {
  int32_t pixels = USMP_CONV2D_S8_PIXELS;
  for (int32_t left = x_end - x_begin; left > 0; left -= pixels) {
    pixels = usmp_min_s32(pixels, left);
    const int32_t x = p->reverse ? x_begin + left - pixels : x_end - left;
    struct usmp_conv2d_s8_place at = {rows, x * p->stride_w - p->pad_left, 0,
                                      out + (ptrdiff_t)x * p->out_pixel_stride};
    for (int32_t begin = channel_begin; begin < channel_end;) {
      const int32_t group = begin / p->group_out;
      const int32_t end = usmp_min_s32(channel_end, (group + 1) * p->group_out);
      at.in_channel = group * p->group_in;
      usmp_conv2d_s8_block(p, c, at, pixels, begin, end);
      begin = end;
    }
  }
  usmp_clamp_pixels_s8(out + (ptrdiff_t)x_begin * p->out_pixel_stride + channel_begin,
                       x_end - x_begin, p->out_pixel_stride, channel_end - channel_begin,
                       p->act_min, p->act_max);
}

/* `tall_rows`: space for kernel_h pointers where kernel_h > USMP_CONV2D_S8_MAX_ROWS, else NULL. */
USMP_KERNEL void usmp_conv2d_s8(const struct usmp_conv2d_s8_params* p, const int8_t* in,
                                const int8_t* weights, const int32_t* bias,
                                const int32_t* multipliers, const int8_t* shifts,
                                const int8_t* padding, void* tall_rows, int8_t* out) {
  const struct usmp_conv2d_s8_constants c = {weights, bias, multipliers, shifts, padding};
  const int8_t* few_rows[USMP_CONV2D_S8_MAX_ROWS];
  const int8_t** rows = tall_rows != NULL ? (const int8_t**)tall_rows : few_rows;
  const ptrdiff_t in_row = (ptrdiff_t)p->in_w * p->in_pixel_stride;
  const ptrdiff_t out_row = (ptrdiff_t)p->out_w * p->out_pixel_stride;
  const int32_t out_rows = p->batches * p->out_h;
  for (int32_t i = 0; i < out_rows; ++i) {
    const int32_t row = p->reverse ? out_rows - 1 - i : i;
    const int32_t batch = row / p->out_h;
    const int32_t in_y = (row - batch * p->out_h) * p->stride_h - p->pad_top;
    usmp_window_rows(in + batch * p->in_h * in_row, in_row, p->in_h, in_y, p->dilation_h,
                     p->kernel_h, rows);
    usmp_conv2d_s8_row(p, &c, rows, 0, p->out_w, 0, p->groups * p->group_out, out + row * out_row);
  }
}

#endif /* USMP_KERNELS_CONV2D_S8_H_ */
