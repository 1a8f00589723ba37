/* Operators of one byte for which out = (in * multiplier + offset) >> shift has been proved equal
   to the reference for every input: QUANTIZE between 8-bit types, RELU, RELU6.

   Reads in[i] just before it writes out[i]; forward, every output once. */
#ifndef USMP_KERNELS_RESCALE_S8_H_
#define USMP_KERNELS_RESCALE_S8_H_

#include "../usmp_runtime.h"

struct usmp_rescale_s8_params {
  int32_t count;
  int32_t multiplier;
  int32_t offset;
  int32_t shift;
  int32_t min;
  int32_t max;
  int32_t in_flip; /* 0x80: the input is uint8, and seen as int8 by subtracting 128; else 0 */
  int32_t out_flip;
};

USMP_KERNEL void usmp_rescale_s8(const struct usmp_rescale_s8_params* p, const void* in,
                                 void* out) {
  const uint8_t* x = (const uint8_t*)in;
  uint8_t* y = (uint8_t*)out;
  const struct usmp_rescale_s8_params q = *p;
  for (int32_t i = 0; i < q.count; ++i) {
    const int32_t value = (int8_t)(x[i] ^ q.in_flip);
    const int32_t scaled = (value * q.multiplier + q.offset) >> q.shift;
    y[i] = (uint8_t)(usmp_clamp_s32(scaled, q.min, q.max) ^ q.out_flip);
  }
}

#endif /* USMP_KERNELS_RESCALE_S8_H_ */
