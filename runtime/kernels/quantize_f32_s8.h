/* QUANTIZE from float32 to int8 or uint8.

   Reads in[i] just before it writes out[i]; forward, every output once. */
#ifndef USMP_KERNELS_QUANTIZE_F32_S8_H_
#define USMP_KERNELS_QUANTIZE_F32_S8_H_

#include "../usmp_runtime.h"

struct usmp_quantize_f32_s8_params {
  int32_t count;
  float scale;
  int32_t zero_point; /* of int8: for uint8 less 128 */
  int32_t out_flip;   /* 0x80: the output is uint8; else 0 */
};

/* Halves are rounded away from zero. What is no number becomes the least value. */
USMP_KERNEL void usmp_quantize_f32_s8(const struct usmp_quantize_f32_s8_params* p, const float* in,
                                      void* out) {
  uint8_t* y = (uint8_t*)out;
  const struct usmp_quantize_f32_s8_params q = *p;
  const float low = (float)(-128 - q.zero_point);
  const float high = (float)(127 - q.zero_point);
  for (int32_t i = 0; i < q.count; ++i) {
    float x = in[i] / q.scale;
    x = x > low ? x : low;
    x = x < high ? x : high;
    const int32_t whole = (int32_t)x;
    const float rest = x - (float)whole;
    const int32_t rounded = whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0);
    y[i] = (uint8_t)((rounded + q.zero_point) ^ q.out_flip);
  }
}

#endif /* USMP_KERNELS_QUANTIZE_F32_S8_H_ */
