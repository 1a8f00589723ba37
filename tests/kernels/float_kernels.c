#include "float_kernels.h"

void run_conv2d_f32(const struct usmp_conv2d_f32_params* p, void* const* operands) {
  usmp_conv2d_f32(p, operands[0], operands[1], operands[2], operands[3], operands[4]);
}

void run_depthwise_conv2d_f32(const struct usmp_depthwise_conv2d_f32_params* p,
                              void* const* operands) {
  usmp_depthwise_conv2d_f32(p, operands[0], operands[1], operands[2], operands[3], operands[4]);
}

void run_pool2d_f32(const struct usmp_pool2d_f32_params* p, void* const* operands) {
  usmp_pool2d_f32(p, operands[0], operands[1], operands[2]);
}

void run_fully_connected_f32(const struct usmp_fully_connected_f32_params* p,
                             void* const* operands) {
  usmp_fully_connected_f32(p, operands[0], operands[1], operands[2], operands[3]);
}

void run_binary_f32(const struct usmp_binary_f32_params* p, void* const* operands) {
  usmp_binary_f32(p, operands[0], operands[1], operands[2]);
}

void run_mean_f32(const struct usmp_mean_f32_params* p, void* const* operands) {
  usmp_mean_f32(p, operands[0], operands[1]);
}

void run_pad_f32(const struct usmp_pad_f32_params* p, void* const* operands) {
  usmp_pad_f32(p, operands[0], operands[1]);
}

void run_softmax_f32(const struct usmp_softmax_f32_params* p, void* const* operands) {
  usmp_softmax_f32(p, operands[0], operands[1]);
}

void run_logistic_f32(const struct usmp_logistic_f32_params* p, void* const* operands) {
  usmp_logistic_f32(p, operands[0], operands[1]);
}

void run_tanh_f32(const struct usmp_tanh_f32_params* p, void* const* operands) {
  usmp_tanh_f32(p, operands[0], operands[1]);
}

void run_relu_f32(const struct usmp_relu_f32_params* p, void* const* operands) {
  usmp_relu_f32(p, operands[0], operands[1]);
}

void run_relu6_f32(const struct usmp_relu6_f32_params* p, void* const* operands) {
  usmp_relu6_f32(p, operands[0], operands[1]);
}

void run_conv2d_f32_row(const struct usmp_conv2d_f32_params* p, void* const* operands,
                        const float* const* rows, struct row_part part, float* out) {
  usmp_conv2d_f32_row(p, rows, operands[1], operands[2],
                      out + (ptrdiff_t)part.x_begin * p->out_pixel_stride, part.x_begin, part.x_end,
                      part.c_begin, part.c_end);
}

void run_depthwise_conv2d_f32_row(const struct usmp_depthwise_conv2d_f32_params* p,
                                  void* const* operands, const float* const* rows,
                                  struct row_part part, float* out) {
  usmp_depthwise_conv2d_f32_row(p, rows, operands[1], operands[2],
                                out + (ptrdiff_t)part.x_begin * p->out_pixel_stride, part.x_begin,
                                part.x_end, part.c_begin, part.c_end);
}

void run_pool2d_f32_row(const struct usmp_pool2d_f32_params* p, void* const* operands,
                        const float* const* rows, struct row_part part, float* out) {
  (void)operands;
  usmp_pool2d_f32_row(p, rows, out + (ptrdiff_t)part.x_begin * p->out_pixel_stride, part.x_begin,
                      part.x_end, part.c_begin, part.c_end);
}
