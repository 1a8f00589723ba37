/* PAD and PADV2, float32. A data movement kernel.

   Computes rows of the last dimension ascending, or with `reverse` descending; of each row first
   the border before it, then the copied part, then the border after it, or the reverse; each output
   once. The copied part of a row may overlap the row that it comes from. */
#ifndef USMP_KERNELS_PAD_F32_H_
#define USMP_KERNELS_PAD_F32_H_

#include "../usmp_runtime.h"

struct usmp_pad_f32_params {
  int32_t in[4]; /* outer dimensions */
  int32_t before[4];
  int32_t out[4];
  int32_t in_inner; /* the last dimension */
  int32_t before_inner;
  int32_t out_inner;
  int32_t reverse;
  float value;
};

USMP_INLINE void usmp_pad_f32_fill(float* to, int32_t count, float value) {
  for (int32_t i = 0; i < count; ++i) to[i] = value;
}

/* One row; `from` is NULL where the whole row is border. */
USMP_KERNEL void usmp_pad_f32_row(const struct usmp_pad_f32_params* p, const float* from,
                                  float* to) {
  const int32_t copied_end = p->before_inner + p->in_inner;
  if (from == NULL) {
    usmp_pad_f32_fill(to, p->out_inner, p->value);
    return;
  }
  if (!p->reverse) usmp_pad_f32_fill(to, p->before_inner, p->value);
  if (p->reverse) usmp_pad_f32_fill(to + copied_end, p->out_inner - copied_end, p->value);
  memmove(to + p->before_inner, from, (size_t)p->in_inner * sizeof(float));
  if (p->reverse) usmp_pad_f32_fill(to, p->before_inner, p->value);
  if (!p->reverse) usmp_pad_f32_fill(to + copied_end, p->out_inner - copied_end, p->value);
}

/* The input row that output row `row` copies; NULL: none. */
USMP_INLINE const float* usmp_pad_f32_source(const struct usmp_pad_f32_params* p, const float* in,
                                             int32_t row) {
  ptrdiff_t in_row = 0;
  ptrdiff_t in_rows = 1;
  for (int32_t d = 3; d >= 0; --d) {
    const int32_t at = row % p->out[d] - p->before[d];
    if (at < 0 || at >= p->in[d]) return NULL;
    in_row += at * in_rows;
    in_rows *= p->in[d];
    row /= p->out[d];
  }
  return in + in_row * p->in_inner;
}

USMP_KERNEL void usmp_pad_f32(const struct usmp_pad_f32_params* p, const float* in, float* out) {
  const int32_t rows = p->out[0] * p->out[1] * p->out[2] * p->out[3];
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = p->reverse ? rows - 1 - i : i;
    usmp_pad_f32_row(p, usmp_pad_f32_source(p, in, row), out + (ptrdiff_t)row * p->out_inner);
  }
}

#endif /* USMP_KERNELS_PAD_F32_H_ */
