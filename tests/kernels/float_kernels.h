/* The float kernels with external linkage: they are compiled as C, by a C compiler. */
#ifndef USMP_TESTS_KERNELS_FLOAT_KERNELS_H_
#define USMP_TESTS_KERNELS_FLOAT_KERNELS_H_

#include "kernels/binary_f32.h"
#include "kernels/conv2d_f32.h"
#include "kernels/depthwise_conv2d_f32.h"
#include "kernels/fully_connected_f32.h"
#include "kernels/logistic_f32.h"
#include "kernels/mean_f32.h"
#include "kernels/pad_f32.h"
#include "kernels/pool2d_f32.h"
#include "kernels/relu6_f32.h"
#include "kernels/relu_f32.h"
#include "kernels/softmax_f32.h"
#include "kernels/tanh_f32.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `operands` in the order of the kernel's parameters. */
void run_conv2d_f32(const struct usmp_conv2d_f32_params* p, void* const* operands);
void run_depthwise_conv2d_f32(const struct usmp_depthwise_conv2d_f32_params* p,
                              void* const* operands);
void run_pool2d_f32(const struct usmp_pool2d_f32_params* p, void* const* operands);
void run_fully_connected_f32(const struct usmp_fully_connected_f32_params* p,
                             void* const* operands);
void run_binary_f32(const struct usmp_binary_f32_params* p, void* const* operands);
void run_mean_f32(const struct usmp_mean_f32_params* p, void* const* operands);
void run_pad_f32(const struct usmp_pad_f32_params* p, void* const* operands);
void run_softmax_f32(const struct usmp_softmax_f32_params* p, void* const* operands);
void run_logistic_f32(const struct usmp_logistic_f32_params* p, void* const* operands);
void run_tanh_f32(const struct usmp_tanh_f32_params* p, void* const* operands);
void run_relu_f32(const struct usmp_relu_f32_params* p, void* const* operands);
void run_relu6_f32(const struct usmp_relu6_f32_params* p, void* const* operands);

/* Pixels [x_begin, x_end) and channels [c_begin, c_end) of one output row. */
struct row_part {
  int32_t x_begin, x_end, c_begin, c_end;
};
void run_conv2d_f32_row(const struct usmp_conv2d_f32_params* p, void* const* operands,
                        const float* const* rows, struct row_part part, float* out);
void run_depthwise_conv2d_f32_row(const struct usmp_depthwise_conv2d_f32_params* p,
                                  void* const* operands, const float* const* rows,
                                  struct row_part part, float* out);
void run_pool2d_f32_row(const struct usmp_pool2d_f32_params* p, void* const* operands,
                        const float* const* rows, struct row_part part, float* out);

#ifdef __cplusplus
}
#endif

#endif /* USMP_TESTS_KERNELS_FLOAT_KERNELS_H_ */
