/* DEPTHWISE_CONV_2D, int8, with stride, dilation, padding and any depth multiplier.

   Reads and writes output pixel by output pixel, left to right and downwards, or the other way
   about with p->reverse. The window of a pixel is read until the pixel's last output is written.
   Each output is written once, except that an activation narrower than int8 is applied in a second
   pass over what the call has just written. */
#ifndef USMP_KERNELS_DEPTHWISE_CONV2D_S8_H_
#define USMP_KERNELS_DEPTHWISE_CONV2D_S8_H_

#include "../usmp_runtime.h"

enum { USMP_DEPTHWISE_CONV2D_S8_MAX_ROWS = 16 };

struct usmp_depthwise_conv2d_s8_params {
  int32_t batches;
  int32_t in_h;
  int32_t in_w;
  int32_t in_pixel_stride; /* elements from a pixel to the next of its row */
  int32_t out_h;
  int32_t out_w;
  int32_t out_pixel_stride;
  int32_t channels; /* of the output: depth_multiplier for each input channel */
  int32_t depth_multiplier;
  int32_t kernel_h;
  int32_t kernel_w;
  int32_t stride_h;
  int32_t stride_w;
  int32_t dilation_h;
  int32_t dilation_w;
  int32_t pad_top;
  int32_t pad_left;
  int32_t in_zero_point;
  int32_t out_zero_point;
  int32_t act_min;
  int32_t act_max;
  int32_t multiplier_step; /* 1: a multiplier for each output channel; 0: one for all */
  int32_t reverse;         /* scan direction: 0 forward, 1 from the last pixel to the first */
};

struct usmp_depthwise_conv2d_s8_constants {
  const int8_t* weights;      /* [kernel_h][kernel_w][channels] */
  const int32_t* bias;        /* by channel; -in_zero_point * sum(weights) folded in */
  const int32_t* multipliers; /* see multiplier_step */
  const int8_t* shifts;
};

/* Output channel o of the pixel whose window starts at input column in_x. */
static inline int8_t usmp_depthwise_conv2d_s8_output(
    const struct usmp_depthwise_conv2d_s8_params* p,
    const struct usmp_depthwise_conv2d_s8_constants* c, const int8_t* const* rows, int32_t in_x,
    int32_t in_channel, int32_t o) {
  const int8_t* w = c->weights + o;
  uint32_t sum = (uint32_t)c->bias[o];
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    const int8_t* row = rows[ky];
    for (int32_t kx = 0; kx < p->kernel_w; ++kx, w += p->channels) {
      const int32_t x = in_x + kx * p->dilation_w;
      const int inside = row != NULL && x >= 0 && x < p->in_w;
      const int32_t value =
          inside ? row[(ptrdiff_t)x * p->in_pixel_stride + in_channel] : p->in_zero_point;
      sum += (uint32_t)(value * *w);
    }
  }
  const int32_t m = o * p->multiplier_step;
  const struct usmp_requantization r = {c->multipliers[m], c->shifts[m], p->out_zero_point};
  return usmp_requantize_s8((int32_t)sum, r);
}

/* Output channels [channel_begin, channel_end) of output pixels [x_begin, x_end) of one row. `rows`
   has kernel_h pointers to the input rows' pixel 0, NULL where a row is outside the image; `out` is
   the output row's pixel 0. */
USMP_KERNEL void usmp_depthwise_conv2d_s8_row(const struct usmp_depthwise_conv2d_s8_params* p,
                                              const struct usmp_depthwise_conv2d_s8_constants* c,
                                              const int8_t* const* rows, int32_t x_begin,
                                              int32_t x_end, int32_t channel_begin,
                                              int32_t channel_end, int8_t* out) {
  for (int32_t i = x_begin; i < x_end; ++i) {
    const int32_t x = p->reverse ? x_begin + x_end - 1 - i : i;
    int8_t* pixel = out + (ptrdiff_t)x * p->out_pixel_stride;
    for (int32_t o = channel_begin; o < channel_end; ++o) {
      pixel[o] = usmp_depthwise_conv2d_s8_output(p, c, rows, x * p->stride_w - p->pad_left,
                                                 o / p->depth_multiplier, o);
    }
  }
  usmp_clamp_pixels_s8(out + (ptrdiff_t)x_begin * p->out_pixel_stride + channel_begin,
                       x_end - x_begin, p->out_pixel_stride, channel_end - channel_begin,
                       p->act_min, p->act_max);
}

/* `tall_rows`: space for kernel_h pointers where kernel_h > USMP_DEPTHWISE_CONV2D_S8_MAX_ROWS, else
 * NULL. */
USMP_KERNEL void usmp_depthwise_conv2d_s8(const struct usmp_depthwise_conv2d_s8_params* p,
                                          const int8_t* in, const int8_t* weights,
                                          const int32_t* bias, const int32_t* multipliers,
                                          const int8_t* shifts, void* tall_rows, int8_t* out) {
  const struct usmp_depthwise_conv2d_s8_constants c = {weights, bias, multipliers, shifts};
  const int8_t* few_rows[USMP_DEPTHWISE_CONV2D_S8_MAX_ROWS];
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
    usmp_depthwise_conv2d_s8_row(p, &c, rows, 0, p->out_w, 0, p->channels, out + row * out_row);
  }
}

#endif /* USMP_KERNELS_DEPTHWISE_CONV2D_S8_H_ */
