/* CONV_2D, int8, with stride, dilation, padding and groups. FULLY_CONNECTED is the same kernel over
   one row of 1x1 pixels, and so is a 1x1 convolution with stride 1 over a whole image.

   Reads and writes by blocks of one or two neighboring output pixels of a row,
   left to right and downwards, or the other way about with p->reverse. The windows of a block are
   read until its last output is written; nothing to the left of (after: above) them is read again.
   Each output is written once, except that an activation narrower than int8 is applied in a second
   pass over what the call has just written. */
#ifndef USMP_KERNELS_CONV2D_S8_H_
#define USMP_KERNELS_CONV2D_S8_H_

#include "../usmp_dot_s8.h"
#include "../usmp_runtime.h"

enum { USMP_CONV2D_S8_MAX_ROWS = 6, USMP_CONV2D_S8_MAX_PATCH = 48 };

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
  int32_t patch;   /* elements of a window if it is to be gathered (at most MAX_PATCH), else 0 */
  int32_t reverse; /* scan direction: 0 forward, 1 from the last pixel to the first */
};

struct usmp_conv2d_s8_constants {
  const int8_t* weights; /* [groups * group_out][kernel_h][kernel_w][group_in], and with `patch` as
                            many bytes more as make patch a multiple of 8 */
  const int32_t* bias;   /* by output channel; -in_zero_point * sum(weights) folded in */
  const int32_t* multipliers; /* see multiplier_step */
  const int8_t* shifts;
  const int8_t* padding; /* what lies outside the image: kernel_w * group_in times
                            in_zero_point */
};

/* The window of a pixel, or the first of two neighboring pixels. */
struct usmp_conv2d_s8_window {
  const int8_t* const* rows; /* NULL: outside the image */
  int32_t row_count;
  int32_t in_x; /* input column of the first tap */
  int32_t in_channel;
  int32_t taps;       /* in a row, dilation_w columns apart */
  int32_t tap_length; /* elements */
};

/* Whether neighboring taps of a row are one run of elements. */
USMP_INLINE int usmp_conv2d_s8_is_adjacent(const struct usmp_conv2d_s8_params* p) {
  return p->kernel_w == 1 || (p->dilation_w == 1 && p->group_in == p->in_pixel_stride);
}

/* Whether each row of the windows of two pixels, the first at input column in_x, is one run inside
 * the image. */
USMP_INLINE int usmp_conv2d_s8_is_whole(const struct usmp_conv2d_s8_params* p, int32_t in_x) {
  return usmp_conv2d_s8_is_adjacent(p) && in_x >= 0 && in_x + p->stride_w + p->kernel_w <= p->in_w;
}

/* Output channels [begin, end) of one group, at least USMP_DOT_S8_PAIR_ROWS of them, of two
   neighboring pixels with whole windows. The last block overlaps the one before where the number of
   channels is not a multiple of its own. */
USMP_KERNEL void usmp_conv2d_s8_two_pixels(const struct usmp_conv2d_s8_params* p,
                                           const struct usmp_conv2d_s8_constants* c,
                                           const struct usmp_conv2d_s8_window* window,
                                           int32_t begin, int32_t end, int8_t* out) {
  const ptrdiff_t in_offset = (ptrdiff_t)window->in_x * p->in_pixel_stride + window->in_channel;
  const ptrdiff_t in_step = (ptrdiff_t)p->stride_w * p->in_pixel_stride;
  const int32_t run_length = window->taps * window->tap_length;
  const ptrdiff_t w_row = (ptrdiff_t)window->row_count * run_length;
  const ptrdiff_t out_step = p->out_pixel_stride;
  const ptrdiff_t m_step = p->multiplier_step;
  struct usmp_requantization r = {0, 0, p->out_zero_point};
  for (int32_t o = begin; o < end; o += USMP_DOT_S8_PAIR_ROWS) {
    o = usmp_min_s32(o, end - USMP_DOT_S8_PAIR_ROWS);
    const int8_t* w = c->weights + o * w_row;
    struct usmp_dot_s8_pair sums;
    usmp_dot_s8_pair_start(&sums, c->bias + o);
    for (int32_t ky = 0; ky < window->row_count; ++ky, w += run_length) {
      const int8_t* row = window->rows[ky];
      const int8_t* x0 = c->padding;
      const int8_t* x1 = x0;
      if (row != NULL) {
        x0 = row + in_offset;
        x1 = x0 + in_step;
      }
      usmp_dot_s8_pair_add(&sums, x0, x1, w, w_row, run_length);
    }
    int32_t sum[2 * USMP_DOT_S8_PAIR_ROWS];
    usmp_dot_s8_pair_get(&sums, sum);
    const int32_t* multiplier = c->multipliers + o * m_step;
    const int8_t* shift = c->shifts + o * m_step;
    int8_t* y = out + o;
    for (int32_t i = 0; i < USMP_DOT_S8_PAIR_ROWS; ++i, multiplier += m_step, shift += m_step) {
      r.multiplier = *multiplier;
      r.shift = *shift;
      const int8_t y0 = usmp_requantize_s8(sum[2 * i], r);
      const int8_t y1 = usmp_requantize_s8(sum[2 * i + 1], r);
      y[i + out_step] = y1;
      y[i] = y0;
    }
  }
}

/* The elements of a window's row, run by run: outside the image to the left, inside, outside to the
 * right. */
struct usmp_conv2d_s8_run {
  const int8_t* begin;
  int32_t length; /* elements */
  int32_t x;      /* input column of the tap after the run */
  int32_t taps;   /* still to come */
};
USMP_INLINE void usmp_conv2d_s8_next_run(const struct usmp_conv2d_s8_params* p,
                                         const struct usmp_conv2d_s8_constants* c,
                                         const struct usmp_conv2d_s8_window* window,
                                         const int8_t* row, struct usmp_conv2d_s8_run* run) {
  int32_t taps = run->taps;
  run->begin = c->padding;
  if (row != NULL) {
    int32_t same = -run->x; /* columns until this run ends at an edge of the image */
    if (run->x >= 0 && run->x < p->in_w) {
      same = p->in_w - run->x;
      run->begin = row + (ptrdiff_t)run->x * p->in_pixel_stride + window->in_channel;
    }
    if (same > 0) taps = usmp_min_s32(taps, usmp_conv2d_s8_is_adjacent(p) ? same : 1);
  }
  run->length = taps * window->tap_length;
  run->x += taps * p->dilation_w;
  run->taps -= taps;
}

/* Output channels [begin, end) of one group, at least four of them, of one pixel. The last block
   overlaps the one before where their number is not a multiple of four. */
USMP_KERNEL void usmp_conv2d_s8_pixel(const struct usmp_conv2d_s8_params* p,
                                      const struct usmp_conv2d_s8_constants* c,
                                      const struct usmp_conv2d_s8_window* window, int32_t begin,
                                      int32_t end, int8_t* out) {
  const ptrdiff_t w_row = (ptrdiff_t)p->kernel_h * p->kernel_w * p->group_in;
  const ptrdiff_t m_step = p->multiplier_step;
  for (int32_t o = begin; o < end; o += 4) {
    o = usmp_min_s32(o, end - 4);
    const int8_t* w = c->weights + o * w_row;
    struct usmp_dot_s8_quad sums;
    usmp_dot_s8_quad_start(&sums, c->bias + o);
    for (int32_t ky = 0; ky < window->row_count; ++ky) {
      struct usmp_conv2d_s8_run run = {NULL, 0, window->in_x, window->taps};
      while (run.taps > 0) {
        usmp_conv2d_s8_next_run(p, c, window, window->rows[ky], &run);
        usmp_dot_s8_quad_add(&sums, run.begin, w, w_row, run.length);
        w += run.length;
      }
    }
    int32_t sum[4];
    usmp_dot_s8_quad_get(&sums, sum);
    usmp_requantize_run_s8(sum, 4, c->multipliers + o * m_step, c->shifts + o * m_step, m_step,
                           p->out_zero_point, out + o);
  }
}

/* Output channels [begin, end) of one group, of one pixel, one by one: where they are fewer than a
 * block. */
USMP_KERNEL void usmp_conv2d_s8_channels(const struct usmp_conv2d_s8_params* p,
                                         const struct usmp_conv2d_s8_constants* c,
                                         const struct usmp_conv2d_s8_window* window, int32_t begin,
                                         int32_t end, int8_t* out) {
  for (int32_t o = begin; o < end; ++o) {
    const int8_t* w = c->weights + (ptrdiff_t)o * p->kernel_h * p->kernel_w * p->group_in;
    uint32_t sum = (uint32_t)c->bias[o];
    for (int32_t ky = 0; ky < window->row_count; ++ky) {
      struct usmp_conv2d_s8_run run = {NULL, 0, window->in_x, window->taps};
      while (run.taps > 0) {
        usmp_conv2d_s8_next_run(p, c, window, window->rows[ky], &run);
        for (int32_t i = 0; i < run.length; ++i) sum += (uint32_t)(run.begin[i] * w[i]);
        w += run.length;
      }
    }
    const int32_t m = o * p->multiplier_step;
    const struct usmp_requantization r = {c->multipliers[m], c->shifts[m], p->out_zero_point};
    out[o] = usmp_requantize_s8((int32_t)sum, r);
  }
}

/* Output channels [begin, end) of one group, of one or two neighboring pixels. */
USMP_INLINE void usmp_conv2d_s8_block(const struct usmp_conv2d_s8_params* p,
                                      const struct usmp_conv2d_s8_constants* c,
                                      struct usmp_conv2d_s8_window* window, int32_t pixels,
                                      int32_t begin, int32_t end, int8_t* out) {
  if (pixels == 2 && end - begin >= USMP_DOT_S8_PAIR_ROWS) {
    usmp_conv2d_s8_two_pixels(p, c, window, begin, end, out);
    return;
  }
  for (; pixels > 0; --pixels, window->in_x += p->stride_w, out += p->out_pixel_stride) {
    if (end - begin >= 4) {
      usmp_conv2d_s8_pixel(p, c, window, begin, end, out);
    } else {
      usmp_conv2d_s8_channels(p, c, window, begin, end, out);
    }
  }
}

/* Brings the elements of a small window of several runs together in `patch`, which it then is.
   `row` is the space for its one pointer to a row. */
USMP_KERNEL void usmp_conv2d_s8_gather(const struct usmp_conv2d_s8_params* p,
                                       const struct usmp_conv2d_s8_constants* c,
                                       struct usmp_conv2d_s8_window* window, const int8_t** row,
                                       int8_t* patch) {
  int8_t* to = patch;
  for (int32_t ky = 0; ky < window->row_count; ++ky) {
    struct usmp_conv2d_s8_run run = {NULL, 0, window->in_x, window->taps};
    while (run.taps > 0) {
      usmp_conv2d_s8_next_run(p, c, window, window->rows[ky], &run);
      int32_t i = 0;
      for (; i + 4 <= run.length; i += 4) memcpy(to + i, run.begin + i, 4);
      for (; i < run.length; ++i) to[i] = run.begin[i];
      to += run.length;
    }
  }
  *row = patch;
  window->rows = row;
  window->row_count = 1;
  window->in_x = window->in_channel = 0;
  window->taps = 1;
  window->tap_length = p->patch;
  while (window->tap_length % USMP_DOT_S8_STEP != 0) patch[window->tap_length++] = 0;
}

/* usmp_conv2d_s8_row for windows that are gathered (`gathers`) or not: apart, so that a call needs
   the stack of one of them only. */
USMP_INLINE void usmp_conv2d_s8_row_of(const struct usmp_conv2d_s8_params* p,
                                       const struct usmp_conv2d_s8_constants* c,
                                       const int8_t* const* rows, int32_t x_begin, int32_t x_end,
                                       int32_t channel_begin, int32_t channel_end, int gathers,
                                       int8_t* out) {
  int8_t patch[USMP_CONV2D_S8_MAX_PATCH];
  const int8_t* patch_row;
  int32_t pixels = 0;
  for (int32_t left = x_end - x_begin; left > 0; left -= pixels) {
    /* Two pixels if there are two with whole windows, and channels for a block of them. */
    int32_t x = p->reverse ? x_begin + left - 2 : x_end - left;
    const int two = left > 1 && !gathers && p->group_out >= USMP_DOT_S8_PAIR_ROWS &&
                    usmp_conv2d_s8_is_whole(p, x * p->stride_w - p->pad_left);
    pixels = two ? 2 : 1;
    if (p->reverse && !two) ++x;
    int8_t* pixel = out + (ptrdiff_t)(x - x_begin) * p->out_pixel_stride;
    for (int32_t begin = channel_begin; begin < channel_end;) {
      const int32_t group = begin / p->group_out;
      const int32_t end = usmp_min_s32(channel_end, (group + 1) * p->group_out);
      struct usmp_conv2d_s8_window window = {
          rows,        p->kernel_h, x * p->stride_w - p->pad_left, group * p->group_in,
          p->kernel_w, p->group_in};
      if (gathers && end - begin >= 4) usmp_conv2d_s8_gather(p, c, &window, &patch_row, patch);
      usmp_conv2d_s8_block(p, c, &window, pixels, begin, end, pixel);
      begin = end;
    }
  }
  usmp_clamp_pixels_s8(out + channel_begin, x_end - x_begin, p->out_pixel_stride,
                       channel_end - channel_begin, p->act_min, p->act_max);
}
USMP_KERNEL void usmp_conv2d_s8_gathered_row(const struct usmp_conv2d_s8_params* p,
                                             const struct usmp_conv2d_s8_constants* c,
                                             const int8_t* const* rows, int32_t x_begin,
                                             int32_t x_end, int32_t channel_begin,
                                             int32_t channel_end, int8_t* out) {
  usmp_conv2d_s8_row_of(p, c, rows, x_begin, x_end, channel_begin, channel_end, 1, out);
}
USMP_KERNEL void usmp_conv2d_s8_plain_row(const struct usmp_conv2d_s8_params* p,
                                          const struct usmp_conv2d_s8_constants* c,
                                          const int8_t* const* rows, int32_t x_begin, int32_t x_end,
                                          int32_t channel_begin, int32_t channel_end, int8_t* out) {
  usmp_conv2d_s8_row_of(p, c, rows, x_begin, x_end, channel_begin, channel_end, 0, out);
}

/* Output channels [channel_begin, channel_end) of output pixels [x_begin, x_end) of one row. `rows`
   has kernel_h pointers to the input rows' pixel 0, NULL where a row is outside the image; `out` is
   output pixel x_begin. */
USMP_INLINE void usmp_conv2d_s8_row(const struct usmp_conv2d_s8_params* p,
                                    const struct usmp_conv2d_s8_constants* c,
                                    const int8_t* const* rows, int32_t x_begin, int32_t x_end,
                                    int32_t channel_begin, int32_t channel_end, int8_t* out) {
  if (p->patch != 0) {
    usmp_conv2d_s8_gathered_row(p, c, rows, x_begin, x_end, channel_begin, channel_end, out);
  } else {
    usmp_conv2d_s8_plain_row(p, c, rows, x_begin, x_end, channel_begin, channel_end, out);
  }
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

/* A part of a row; `out` is its first pixel. */
USMP_KERNEL void usmp_conv2d_s8_part(const struct usmp_conv2d_s8_params* p,
                                     const struct usmp_part* part, const int8_t* in,
                                     const int8_t* weights, const int32_t* bias,
                                     const int32_t* multipliers, const int8_t* shifts,
                                     const int8_t* padding, void* tall_rows, int8_t* out) {
  const struct usmp_conv2d_s8_constants c = {weights, bias, multipliers, shifts, padding};
  const int8_t* few_rows[USMP_CONV2D_S8_MAX_ROWS];
  const int8_t** rows = tall_rows != NULL ? (const int8_t**)tall_rows : few_rows;
  usmp_ring_rows(in, (ptrdiff_t)p->in_w * p->in_pixel_stride, part->in_rows, p->in_h,
                 part->y * p->stride_h - p->pad_top, p->dilation_h, p->kernel_h, rows);
  usmp_conv2d_s8_row(p, &c, rows, part->x_begin, part->x_end, 0, p->groups * p->group_out, out);
}

#endif /* USMP_KERNELS_CONV2D_S8_H_ */
