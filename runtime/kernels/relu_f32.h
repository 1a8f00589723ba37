/* RELU, float32. An element-wise kernel. NaN stays NaN, and there is no upper limit.

   Forward, each element once, read at most three elements before the one that is written: `out` may
   be the very memory of `in`. */
#ifndef USMP_KERNELS_RELU_F32_H_
#define USMP_KERNELS_RELU_F32_H_

#include "../usmp_float.h"

struct usmp_relu_f32_params {
  int32_t count;
};

USMP_KERNEL void usmp_relu_f32(const struct usmp_relu_f32_params* p, const float* in, float* out) {
  int32_t left = p->count;
  for (; left >= 4; left -= 4, in += 4, out += 4) {
    usmp_store_f32x4(out, usmp_max_f32x4(usmp_load_f32x4(in), usmp_splat_f32x4(0.0f)));
  }
  for (; left > 0; --left) *out++ = usmp_max_f32(*in++, 0.0f);
}

#endif /* USMP_KERNELS_RELU_F32_H_ */
