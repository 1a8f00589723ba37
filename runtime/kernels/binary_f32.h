/* ADD, SUB and MUL, float32, with numpy broadcasting. An element-wise kernel.

   Writes `out` forward, each element once. Reads at most three elements ahead of the element that
   it writes: `out` may be the very memory of an operand that is not broadcast. */
#ifndef USMP_KERNELS_BINARY_F32_H_
#define USMP_KERNELS_BINARY_F32_H_

#include "../usmp_broadcast.h"
#include "../usmp_float.h"

/* Five nested loops over the output, the innermost last; an operand that is broadcast along a
   dimension has stride 0 there. In the innermost `a` has stride 1, and `b` 1 or 0. */
struct usmp_binary_f32_params {
  int32_t is_product; /* a * b; else a * a_factor + b * b_factor, with factors of 1 or -1 */
  float a_factor;
  float b_factor;
  int32_t count[5];
  int32_t a_stride[5];
  int32_t b_stride[5];
  float act_min;
  float act_max;
};

USMP_KERNEL void usmp_binary_f32_run(const struct usmp_binary_f32_params* p, const float* a,
                                     const float* b, float* out) {
  const usmp_f32x4 a_factor = usmp_splat_f32x4(p->a_factor);
  const usmp_f32x4 b_factor = usmp_splat_f32x4(p->b_factor);
  const int32_t count = p->count[4];
  const int32_t b_is_scalar = p->b_stride[4] == 0;
  int32_t i = 0;
  for (; count - i >= 4; i += 4) {
    const usmp_f32x4 a4 = usmp_load_f32x4(a + i);
    const usmp_f32x4 b4 = b_is_scalar ? usmp_splat_f32x4(*b) : usmp_load_f32x4(b + i);
    const usmp_f32x4 result =
        p->is_product ? usmp_multiply_f32x4(a4, b4)
                      : usmp_multiply_add_f32x4(usmp_multiply_f32x4(a4, a_factor), b4, b_factor);
    usmp_store_clamped_f32x4(out + i, result, p->act_min, p->act_max);
  }
  for (; i < count; ++i) {
    const float b1 = b_is_scalar ? *b : b[i];
    const float result = p->is_product ? a[i] * b1 : a[i] * p->a_factor + b1 * p->b_factor;
    out[i] = usmp_clamp_f32(result, p->act_min, p->act_max);
  }
}

USMP_KERNEL void usmp_binary_f32(const struct usmp_binary_f32_params* p, const float* a,
                                 const float* b, float* out) {
  struct usmp_broadcast at = {{0}, 0, 0};
  do {
    usmp_binary_f32_run(p, a + at.a, b + at.b, out);
    out += p->count[4];
  } while (usmp_broadcast_next(&at, p->count, p->a_stride, p->b_stride));
}

#endif /* USMP_KERNELS_BINARY_F32_H_ */
