/* FULLY_CONNECTED, float32. A whole-tensor kernel.

   Reads `in` [batches][in_depth] completely for each batch before the last output of that batch is
   written; writes `out` [batches][out_depth] forward, each element once. A sum is over the inputs
   in their order; then comes the bias. */
#ifndef USMP_KERNELS_FULLY_CONNECTED_F32_H_
#define USMP_KERNELS_FULLY_CONNECTED_F32_H_

#include "../usmp_float.h"

struct usmp_fully_connected_f32_params {
  int32_t batches;
  int32_t in_depth;
  int32_t out_depth;
  float act_min;
  float act_max;
};

/* Sixteen outputs; weights [4][in_depth][4]. */
USMP_KERNEL void usmp_fully_connected_f32_16(const struct usmp_fully_connected_f32_params* p,
                                             const float* in, const float* weights,
                                             const float* bias, float* out) {
  const ptrdiff_t block = (ptrdiff_t)p->in_depth * 4;
  const float* w0 = weights;
  const float* w1 = w0 + block;
  const float* w2 = w1 + block;
  const float* w3 = w2 + block;
  usmp_f32x4 sum0 = usmp_splat_f32x4(0.0f), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  for (int32_t i = 0; i < p->in_depth; ++i, w0 += 4, w1 += 4, w2 += 4, w3 += 4) {
    sum0 = usmp_scaled_add_f32x4(sum0, in[i], usmp_load_f32x4(w0));
    sum1 = usmp_scaled_add_f32x4(sum1, in[i], usmp_load_f32x4(w1));
    sum2 = usmp_scaled_add_f32x4(sum2, in[i], usmp_load_f32x4(w2));
    sum3 = usmp_scaled_add_f32x4(sum3, in[i], usmp_load_f32x4(w3));
  }
  sum0 = usmp_add_f32x4(sum0, usmp_load_f32x4(bias));
  sum1 = usmp_add_f32x4(sum1, usmp_load_f32x4(bias + 4));
  sum2 = usmp_add_f32x4(sum2, usmp_load_f32x4(bias + 8));
  sum3 = usmp_add_f32x4(sum3, usmp_load_f32x4(bias + 12));
  usmp_store_clamped_f32x4(out, sum0, p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + 4, sum1, p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + 8, sum2, p->act_min, p->act_max);
  usmp_store_clamped_f32x4(out + 12, sum3, p->act_min, p->act_max);
}

/* Four outputs; weights [in_depth][4]. */
USMP_KERNEL void usmp_fully_connected_f32_4(const struct usmp_fully_connected_f32_params* p,
                                            const float* in, const float* weights,
                                            const float* bias, float* out) {
  usmp_f32x4 sum = usmp_splat_f32x4(0.0f);
  for (int32_t i = 0; i < p->in_depth; ++i, weights += 4) {
    sum = usmp_scaled_add_f32x4(sum, in[i], usmp_load_f32x4(weights));
  }
  usmp_store_clamped_f32x4(out, usmp_add_f32x4(sum, usmp_load_f32x4(bias)), p->act_min, p->act_max);
}

/* The weights of the outputs in blocks of four, as far as they go, [in_depth][4]; then output by
   output, [in_depth]. bias [out_depth]. */
USMP_KERNEL void usmp_fully_connected_f32(const struct usmp_fully_connected_f32_params* p,
                                          const float* in, const float* weights, const float* bias,
                                          float* out) {
  for (int32_t b = 0; b < p->batches; ++b, in += p->in_depth, out += p->out_depth) {
    int32_t o = 0;
    for (; p->out_depth - o >= 16; o += 16) {
      usmp_fully_connected_f32_16(p, in, weights + (ptrdiff_t)o * p->in_depth, bias + o, out + o);
    }
    for (; p->out_depth - o >= 4; o += 4) {
      usmp_fully_connected_f32_4(p, in, weights + (ptrdiff_t)o * p->in_depth, bias + o, out + o);
    }
    for (; o < p->out_depth; ++o) {
      const float* w = weights + (ptrdiff_t)o * p->in_depth;
      float sum = 0.0f;
      for (int32_t i = 0; i < p->in_depth; ++i) sum = usmp_multiply_add_f32(sum, in[i], w[i]);
      out[o] = usmp_clamp_f32(sum + bias[o], p->act_min, p->act_max);
    }
  }
}

#endif /* USMP_KERNELS_FULLY_CONNECTED_F32_H_ */
