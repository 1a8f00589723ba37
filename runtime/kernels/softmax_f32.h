/* SOFTMAX, float32, along the last dimension. A whole-tensor kernel.

   Row by row, forward. Reads a row once for its maximum, then element by element, each just before
   the output in the same place is written: `out` may be the very memory of `in`. */
#ifndef USMP_KERNELS_SOFTMAX_F32_H_
#define USMP_KERNELS_SOFTMAX_F32_H_

#include <float.h>
#include <math.h>

#include "../usmp_float.h"

struct usmp_softmax_f32_params {
  int32_t rows;
  int32_t depth;
  float beta;
};

USMP_KERNEL void usmp_softmax_f32(const struct usmp_softmax_f32_params* p, const float* in,
                                  float* out) {
  for (int32_t row = 0; row < p->rows; ++row, in += p->depth, out += p->depth) {
    float max = -FLT_MAX;
    for (int32_t i = 0; i < p->depth; ++i) max = usmp_max_f32(max, in[i]);
    float sum = 0.0f;
    for (int32_t i = 0; i < p->depth; ++i) {
      out[i] = expf((in[i] - max) * p->beta);
      sum += out[i];
    }
    for (int32_t i = 0; i < p->depth; ++i) out[i] /= sum;
  }
}

#endif /* USMP_KERNELS_SOFTMAX_F32_H_ */
