/* The int8 operators as plain loops, the yardstick of the benchmarks: the loop order of TensorFlow
   Lite's reference kernels, run-time shapes, a bounds check for every tap and a requantization with
   both roundings for every element. Written from the rules; nothing here is tuned.

   Tensors are NHWC and row-major; weights [out][kh][kw][in / groups], depthwise [kh][kw][out]. */
#ifndef USMP_BENCHMARKS_NAIVE_KERNELS_H_
#define USMP_BENCHMARKS_NAIVE_KERNELS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct naive_image {
  int32_t n, h, w, c;
};

struct naive_window {
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w;
  int32_t pad_top, pad_left;
};

/* How int32 sums become int8. multipliers and shifts are by output channel. */
struct naive_scaling {
  int32_t in_zero_point, out_zero_point;
  int32_t act_min, act_max;
  const int32_t* multipliers;
  const int32_t* shifts;
};

/* bias may be NULL. */
void naive_conv(const struct naive_window* p, const struct naive_scaling* s,
                const struct naive_image* in_shape, const int8_t* in, const int8_t* weights,
                const int32_t* bias, const struct naive_image* out_shape, int8_t* out,
                int32_t group_in);
void naive_depthwise(const struct naive_window* p, const struct naive_scaling* s,
                     const struct naive_image* in_shape, const int8_t* in, const int8_t* weights,
                     const int32_t* bias, const struct naive_image* out_shape, int8_t* out,
                     int32_t depth_multiplier);
/* One multiplier for all: multipliers[channel * multiplier_step], multiplier_step 0 or 1. */
void naive_fully_connected(const struct naive_scaling* s, int32_t multiplier_step, int32_t batches,
                           int32_t depth, int32_t outputs, const int8_t* in, const int8_t* weights,
                           const int32_t* bias, int8_t* out);

struct naive_add_params {
  int32_t zero_point_a, zero_point_b, zero_point_out;
  int32_t multiplier_a, multiplier_b, multiplier_out;
  int32_t shift_a, shift_b, shift_out;
  int32_t act_min, act_max;
};
void naive_add(const struct naive_add_params* p, int32_t count, const int8_t* a, const int8_t* b,
               int8_t* out);

void naive_average_pool(const struct naive_window* p, int32_t act_min, int32_t act_max,
                        const struct naive_image* in_shape, const int8_t* in,
                        const struct naive_image* out_shape, int8_t* out);
void naive_max_pool(const struct naive_window* p, int32_t act_min, int32_t act_max,
                    const struct naive_image* in_shape, const int8_t* in,
                    const struct naive_image* out_shape, int8_t* out);

/* Along the last dimension, to scale 1/256 and zero point -128. */
void naive_softmax(int32_t multiplier, int32_t shift, int32_t diff_min, int32_t rows, int32_t depth,
                   const int8_t* in, int8_t* out);

/* int8 to int8 of another scale. */
void naive_requantize(int32_t multiplier, int32_t shift, int32_t in_zero_point,
                      int32_t out_zero_point, int32_t count, const int8_t* in, int8_t* out);

#ifdef __cplusplus
}
#endif

#endif /* USMP_BENCHMARKS_NAIVE_KERNELS_H_ */
