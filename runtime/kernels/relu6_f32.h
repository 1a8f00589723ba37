/* RELU6, float32. An element-wise kernel. NaN stays NaN.

   Forward, each element once, read at most three elements before the one that is written: `out` may
   be the very memory of `in`. */
#ifndef USMP_KERNELS_RELU6_F32_H_
#define USMP_KERNELS_RELU6_F32_H_

#include "../usmp_float.h"

struct usmp_relu6_f32_params {
  int32_t count;
};

USMP_KERNEL void usmp_relu6_f32(const struct usmp_relu6_f32_params* p, const float* in,
                                float* out) {
  const int32_t count = p->count;
  int32_t i = 0;
  for (; count - i >= 4; i += 4) {
    usmp_store_clamped_f32x4(out + i, usmp_load_f32x4(in + i), 0.0f, 6.0f);
  }
  for (; i < count; ++i) out[i] = usmp_clamp_f32(in[i], 0.0f, 6.0f);
}

#endif /* USMP_KERNELS_RELU6_F32_H_ */
