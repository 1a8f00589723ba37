/* FULLY_CONNECTED, int8. A whole-tensor kernel.

   Reads `in` [batches][in_depth] completely for each batch before the last output of that batch is written;
   writes `out` [batches][out_depth] forward, each element once. */
#ifndef USMP_KERNELS_FULLY_CONNECTED_S8_H_
#define USMP_KERNELS_FULLY_CONNECTED_S8_H_

#include "../usmp_runtime.h"

struct usmp_fully_connected_s8_params {
  int32_t batches;
  int32_t in_depth;
  int32_t out_depth;
  int32_t multiplier; /* used where `multipliers` is NULL: one for all outputs */
  int32_t shift;
  int32_t out_zero_point;
  int32_t act_min;
  int32_t act_max;
};

/* weights [out_depth][in_depth]; bias [out_depth] has -in_zero_point * sum(weights of the row) folded in;
   multipliers, shifts [out_depth], or both NULL. */
USMP_KERNEL void usmp_fully_connected_s8(const struct usmp_fully_connected_s8_params* p,
                                         const int8_t* in, const int8_t* weights,
                                         const int32_t* bias, const int32_t* multipliers,
                                         const int8_t* shifts, int8_t* out) {
  for (int32_t b = 0; b < p->batches; ++b) {
    for (int32_t o = 0; o < p->out_depth; ++o) {
      const int8_t* w = weights + (ptrdiff_t)o * p->in_depth;
      int32_t acc = bias[o];
      for (int32_t i = 0; i < p->in_depth; ++i) acc += in[i] * w[i];
      acc = multipliers != NULL ? usmp_requantize(acc, multipliers[o], shifts[o])
                                : usmp_requantize(acc, p->multiplier, p->shift);
      out[o] = (int8_t)usmp_clamp_s32(acc + p->out_zero_point, p->act_min, p->act_max);
    }
    in += p->in_depth;
    out += p->out_depth;
  }
}

#endif /* USMP_KERNELS_FULLY_CONNECTED_S8_H_ */
