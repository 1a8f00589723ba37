/* One operand of a CONCATENATION of any type: its part of every row of the output.

   Reads and writes forward, byte by byte, every byte once. */
#ifndef USMP_KERNELS_CONCATENATE_H_
#define USMP_KERNELS_CONCATENATE_H_

#include "../usmp_runtime.h"

struct usmp_concatenate_params {
  int32_t rows;
  int32_t in_row_bytes;
  int32_t out_row_bytes;
  int32_t out_offset; /* bytes: where the operand's part of a row of the output starts */
};

USMP_KERNEL void usmp_concatenate(const struct usmp_concatenate_params* p, const void* in,
                                  void* out) {
  const uint8_t* x = (const uint8_t*)in;
  uint8_t* y = (uint8_t*)out + p->out_offset;
  for (int32_t r = 0; r < p->rows; ++r) {
    memmove(y, x, (size_t)p->in_row_bytes);
    x += p->in_row_bytes;
    y += p->out_row_bytes;
  }
}

#endif /* USMP_KERNELS_CONCATENATE_H_ */
