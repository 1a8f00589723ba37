/* DEQUANTIZE from int8 or uint8 to float32.

   Reads in[i] just before it writes out[i]; forward, every output once. */
#ifndef USMP_KERNELS_DEQUANTIZE_S8_F32_H_
#define USMP_KERNELS_DEQUANTIZE_S8_F32_H_

#include "../usmp_runtime.h"

struct usmp_dequantize_s8_f32_params {
  int32_t count;
  float scale;
  int32_t zero_point; /* of int8: for uint8 less 128 */
  int32_t in_flip;    /* 0x80: the input is uint8; else 0 */
};

/* The product of two floats of which one is a small integer is rounded once: the same as in double.
 */
USMP_KERNEL void usmp_dequantize_s8_f32(const struct usmp_dequantize_s8_f32_params* p,
                                        const void* in, float* out) {
  const uint8_t* x = (const uint8_t*)in;
  const struct usmp_dequantize_s8_f32_params q = *p;
  for (int32_t i = 0; i < q.count; ++i) {
    const int32_t value = (int8_t)(x[i] ^ q.in_flip);
    out[i] = q.scale * (float)(value - q.zero_point);
  }
}

#endif /* USMP_KERNELS_DEQUANTIZE_S8_F32_H_ */
