/* A part of a tensor, or a tensor with its dimensions in another order: STRIDED_SLICE, SLICE,
   SPLIT, SPLIT_V, UNPACK, TRANSPOSE. Any type.

   Writes `out` forward, run by run, every byte once; reads a run completely just before it writes
   it. Distances: StridedCopyDistances (src/lower/strided_copy.cc). */
#ifndef USMP_KERNELS_STRIDED_COPY_H_
#define USMP_KERNELS_STRIDED_COPY_H_

#include "../usmp_runtime.h"

struct usmp_strided_copy_params {
  int32_t count[5];  /* nested loops over the output, the innermost last */
  int32_t stride[5]; /* bytes of the input, maybe negative */
  int32_t offset;    /* bytes of the input before the first run */
  int32_t run_bytes;
};

/* The innermost loop. Returns the end of what it has written. */
USMP_INLINE uint8_t* usmp_strided_copy_runs(const struct usmp_strided_copy_params* p,
                                            const uint8_t* in, uint8_t* out) {
  const int32_t count = p->count[4];
  const ptrdiff_t stride = p->stride[4];
  if (p->run_bytes == 1) {
    for (int32_t i = 0; i < count; ++i) out[i] = in[i * stride];
    return out + count;
  }
  for (int32_t i = 0; i < count; ++i, out += p->run_bytes) {
    memmove(out, in + i * stride, (size_t)p->run_bytes);
  }
  return out;
}

USMP_KERNEL void usmp_strided_copy(const struct usmp_strided_copy_params* p, const void* in,
                                   void* out) {
  const uint8_t* x = (const uint8_t*)in + p->offset;
  uint8_t* y = (uint8_t*)out;
  int32_t index[4] = {0};
  for (;;) {
    y = usmp_strided_copy_runs(p, x, y);
    int32_t d = 3;
    for (; d >= 0; --d) {
      x += p->stride[d];
      if (++index[d] < p->count[d]) break;
      index[d] = 0;
      x -= (ptrdiff_t)p->count[d] * p->stride[d];
    }
    if (d < 0) return;
  }
}

#endif /* USMP_KERNELS_STRIDED_COPY_H_ */
