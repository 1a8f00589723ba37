/* The convolution kernels with external linkage: they are compiled as C, by a C compiler. */
#ifndef USMP_TESTS_KERNELS_CONV_KERNELS_H_
#define USMP_TESTS_KERNELS_CONV_KERNELS_H_

#include "kernels/conv2d_s8.h"
#include "kernels/depthwise_conv2d_s8.h"

#ifdef __cplusplus
extern "C" {
#endif

void run_conv2d_s8(const struct usmp_conv2d_s8_params* p, const int8_t* in, const int8_t* weights,
                   const int32_t* bias, const int32_t* multipliers, const int8_t* shifts,
                   const int8_t* padding, void* tall_rows, int8_t* out);
void run_conv2d_s8_row(const struct usmp_conv2d_s8_params* p,
                       const struct usmp_conv2d_s8_constants* c, const int8_t* const* rows,
                       int32_t x_begin, int32_t x_end, int32_t channel_begin, int32_t channel_end,
                       int8_t* out);
void run_depthwise_conv2d_s8(const struct usmp_depthwise_conv2d_s8_params* p, const int8_t* in,
                             const int8_t* weights, const int32_t* bias, const int32_t* multipliers,
                             const int8_t* shifts, const int8_t* padding, void* pointers,
                             int8_t* out);
void run_depthwise_conv2d_s8_row(const struct usmp_depthwise_conv2d_s8_params* p,
                                 const struct usmp_depthwise_conv2d_s8_constants* c,
                                 const int8_t* const* rows, int32_t x_begin, int32_t x_end,
                                 int32_t channel_begin, int32_t channel_end, int8_t* out);
int32_t run_requantize(int32_t x, int32_t multiplier, int32_t shift);
int8_t run_requantize_s8(int32_t x, int32_t multiplier, int32_t shift, int32_t zero_point);

#ifdef __cplusplus
}
#endif

#endif /* USMP_TESTS_KERNELS_CONV_KERNELS_H_ */
