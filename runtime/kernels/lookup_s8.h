/* Operators of one byte as a table: LOGISTIC, TANH, and whatever rescale_s8 cannot do exactly.

   Reads in[i] just before it writes out[i]; forward, every output once. */
#ifndef USMP_KERNELS_LOOKUP_S8_H_
#define USMP_KERNELS_LOOKUP_S8_H_

#include "../usmp_runtime.h"

struct usmp_lookup_s8_params {
  int32_t count;
};

/* table[256] by the byte of the input. */
USMP_KERNEL void usmp_lookup_s8(const struct usmp_lookup_s8_params* p, const void* in,
                                const int8_t* table, void* out) {
  const uint8_t* x = (const uint8_t*)in;
  int8_t* y = (int8_t*)out;
  for (int32_t i = 0; i < p->count; ++i) y[i] = table[x[i]];
}

#endif /* USMP_KERNELS_LOOKUP_S8_H_ */
