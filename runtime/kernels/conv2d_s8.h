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

/* How the taps of a window row lie in memory: `runs` runs of `length` elements, `step` pixels
 * apart. */
struct usmp_conv2d_s8_taps {
  int32_t runs;
  int32_t length;
  int32_t step;
};

/* One run where nothing of the windows of `pixels` pixels from input column `in_x` on is outside
 * the image. */
static inline struct usmp_conv2d_s8_taps usmp_conv2d_s8_taps_at(
    const struct usmp_conv2d_s8_params* p, int32_t in_x, int32_t pixels) {
  const int32_t in_x_end = in_x + (pixels - 1) * p->stride_w + p->kernel_w;
  const int contiguous = p->dilation_w == 1 && p->group_in == p->in_pixel_stride;
  const int whole = contiguous && in_x >= 0 && in_x_end <= p->in_w;
  const struct usmp_conv2d_s8_taps taps = {
      whole ? 1 : p->kernel_w, whole ? p->kernel_w * p->group_in : p->group_in, p->dilation_w};
  return taps;
}

/* The run of taps that begins at input column x, for channels from `channel` on. */
static inline const int8_t* usmp_conv2d_s8_run(const struct usmp_conv2d_s8_params* p,
                                               const struct usmp_conv2d_s8_constants* c,
                                               const int8_t* row, int32_t x, int32_t channel) {
  if (row == NULL || x < 0 || x >= p->in_w) return c->padding;
  return row + (ptrdiff_t)x * p->in_pixel_stride + channel;
}

/* Output channels [begin, end) of one group, of the pixel whose window starts at input column in_x.
 */
static inline void usmp_conv2d_s8_pixel(const struct usmp_conv2d_s8_params* p,
                                        const struct usmp_conv2d_s8_constants* c,
                                        const int8_t* const* rows, int32_t in_x, int32_t in_channel,
                                        int32_t begin, int32_t end, int8_t* out) {
  const struct usmp_conv2d_s8_taps taps = usmp_conv2d_s8_taps_at(p, in_x, 1);
  const int8_t* w = c->weights + (ptrdiff_t)begin * p->kernel_h * p->kernel_w * p->group_in;
  for (int32_t o = begin; o < end; ++o) {
    uint32_t sum = (uint32_t)c->bias[o];
    for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
      for (int32_t run = 0; run < taps.runs; ++run) {
        const int8_t* x = usmp_conv2d_s8_run(p, c, rows[ky], in_x + run * taps.step, in_channel);
        for (int32_t i = 0; i < taps.length; ++i) sum += (uint32_t)(x[i] * w[i]);
        w += taps.length;
      }
    }
    const int32_t m = o * p->multiplier_step;
    out[o] = usmp_requantize_s8((int32_t)sum, c->multipliers[m], c->shifts[m], p->out_zero_point);
  }
}

/* Output channels [channel_begin, channel_end) of output pixels [x_begin, x_end) of one row. `rows`
   has kernel_h pointers to the input rows' pixel 0, NULL where a row is outside the image; `out` is
   the output row's pixel 0. */
USMP_KERNEL void usmp_conv2d_s8_row(const struct usmp_conv2d_s8_params* p,
                                    const struct usmp_conv2d_s8_constants* c,
                                    const int8_t* const* rows, int32_t x_begin, int32_t x_end,
                                    int32_t channel_begin, int32_t channel_end, int8_t* out) {
  for (int32_t i = x_begin; i < x_end; ++i) {
    const int32_t x = p->reverse ? x_begin + x_end - 1 - i : i;
    for (int32_t begin = channel_begin; begin < channel_end;) {
      const int32_t group = begin / p->group_out;
      const int32_t end = usmp_min_s32(channel_end, (group + 1) * p->group_out);
      usmp_conv2d_s8_pixel(p, c, rows, x * p->stride_w - p->pad_left, group * p->group_in, begin,
                           end, out + (ptrdiff_t)x * p->out_pixel_stride);
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
