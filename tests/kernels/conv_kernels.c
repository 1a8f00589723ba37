#include "conv_kernels.h"

void run_conv2d_s8(const struct usmp_conv2d_s8_params* p, const int8_t* in, const int8_t* weights,
                   const int32_t* bias, const int32_t* multipliers, const int8_t* shifts,
                   const int8_t* padding, void* tall_rows, int8_t* out) {
  usmp_conv2d_s8(p, in, weights, bias, multipliers, shifts, padding, tall_rows, out);
}

void run_conv2d_s8_row(const struct usmp_conv2d_s8_params* p,
                       const struct usmp_conv2d_s8_constants* c, const int8_t* const* rows,
                       int32_t x_begin, int32_t x_end, int32_t channel_begin, int32_t channel_end,
                       int8_t* out) {
  usmp_conv2d_s8_row(p, c, rows, x_begin, x_end, channel_begin, channel_end,
                     out + (ptrdiff_t)x_begin * p->out_pixel_stride);
}

void run_depthwise_conv2d_s8(const struct usmp_depthwise_conv2d_s8_params* p, const int8_t* in,
                             const int8_t* weights, const int32_t* bias, const int32_t* multipliers,
                             const int8_t* shifts, const int8_t* padding, void* pointers,
                             int8_t* out) {
  usmp_depthwise_conv2d_s8(p, in, weights, bias, multipliers, shifts, padding, pointers, out);
}

void run_depthwise_conv2d_s8_row(const struct usmp_depthwise_conv2d_s8_params* p,
                                 const struct usmp_depthwise_conv2d_s8_constants* c,
                                 const int8_t* const* rows, int32_t x_begin, int32_t x_end,
                                 int32_t channel_begin, int32_t channel_end, int8_t* out) {
  usmp_depthwise_conv2d_s8_row(p, c, rows, x_begin, x_end, channel_begin, channel_end,
                               out + (ptrdiff_t)x_begin * p->out_pixel_stride);
}

int32_t run_requantize(int32_t x, int32_t multiplier, int32_t shift) {
  return usmp_requantize(x, multiplier, shift);
}

int8_t run_requantize_s8(int32_t x, int32_t multiplier, int32_t shift, int32_t zero_point) {
  const struct usmp_requantization r = {multiplier, shift, zero_point};
  return usmp_requantize_s8(x, r);
}
