/* TANH, float32. An element-wise kernel.

   Forward, each element once, read just before it is written: `out` may be the very memory of `in`.
 */
#ifndef USMP_KERNELS_TANH_F32_H_
#define USMP_KERNELS_TANH_F32_H_

#include <math.h>

#include "../usmp_runtime.h"

struct usmp_tanh_f32_params {
  int32_t count;
};

USMP_KERNEL void usmp_tanh_f32(const struct usmp_tanh_f32_params* p, const float* in, float* out) {
  for (int32_t i = 0; i < p->count; ++i) out[i] = tanhf(in[i]);
}

#endif /* USMP_KERNELS_TANH_F32_H_ */
