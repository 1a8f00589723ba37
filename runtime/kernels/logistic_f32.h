/* LOGISTIC, float32. An element-wise kernel.

   Forward, each element once, read just before it is written: `out` may be the very memory of `in`.
 */
#ifndef USMP_KERNELS_LOGISTIC_F32_H_
#define USMP_KERNELS_LOGISTIC_F32_H_

#include <math.h>

#include "../usmp_runtime.h"

struct usmp_logistic_f32_params {
  int32_t count;
};

/* Beyond these the result is 1, or exp(x), to the last bit of a float. */
USMP_INLINE float usmp_logistic_f32_value(float x) {
  if (x > 16.619047164916992188f) return 1.0f;
  if (x < -9.0f) return expf(x);
  return 1.0f / (1.0f + expf(-x));
}

USMP_KERNEL void usmp_logistic_f32(const struct usmp_logistic_f32_params* p, const float* in,
                                   float* out) {
  for (int32_t i = 0; i < p->count; ++i) out[i] = usmp_logistic_f32_value(in[i]);
}

#endif /* USMP_KERNELS_LOGISTIC_F32_H_ */
