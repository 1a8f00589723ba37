/* Descriptors in the workspace: one float input x of the workspace and one output y of the caller,
   2 x 3 elements, y = relu(x + x), in a model called `m` whose pool `sram` is ours; with CONTIGUOUS
   the descriptor of x is directly before its data. Exit code 0 if everything holds; otherwise the
   line is printed. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "tvmgen_m.h"

static _Alignas(TVMGEN_M_WORKSPACE_ALIGN) uint8_t memory[TVMGEN_M_SRAM_WORKSPACE_POOL_SIZE];
static const float x[6] = {-3.0F, -1.0F, 0.0F, 0.5F, 1.0F, 100.0F};
static const float expected[6] = {0.0F, 0.0F, 0.0F, 1.0F, 2.0F, 200.0F};
static float y[6];

static int is_in_memory(const void* p, size_t bytes) {
  return (const uint8_t*)p >= memory && (const uint8_t*)p + bytes <= memory + sizeof memory;
}

static int check(const struct usmp_dl_tensor* t, const void* data) {
  EXPECT(is_in_memory(t, sizeof *t));
  EXPECT(t->data == data);
  EXPECT(t->device.device_type == USMP_DL_CPU && t->device.device_id == 0);
  EXPECT(t->ndim == 2 && t->shape[0] == 2 && t->shape[1] == 3 && t->strides == NULL);
  EXPECT(t->dtype.code == USMP_DL_FLOAT && t->dtype.bits == 32 && t->dtype.lanes == 1);
  EXPECT(t->byte_offset == 0);
  return 0;
}

int main(void) {
  struct tvmgen_m_workspace_pools pools = {.sram = memory};
  const struct tvmgen_m_tensors tensors = tvmgen_m_map_tensors(&pools);
  const struct tvmgen_m_inputs inputs = tvmgen_m_map_inputs(&pools);
  EXPECT(is_in_memory(inputs.x, sizeof x));
  EXPECT(check(tensors.x, inputs.x) == 0);
  EXPECT(check(tensors.y, NULL) == 0);
#ifdef CONTIGUOUS
  EXPECT((uint8_t*)tensors.x + 48 == (uint8_t*)inputs.x);
#endif
  tensors.y->data = y;
  for (int i = 0; i < 2; ++i) { /* the second time: nothing has touched the descriptors */
    EXPECT(check(tensors.x, inputs.x) == 0);
    EXPECT(check(tensors.y, y) == 0);
    memcpy(tensors.x->data, x, sizeof x);
    struct tvmgen_m_outputs outputs = {.y = tensors.y->data};
    EXPECT(tvmgen_m_run(&outputs, &pools) == 0);
    EXPECT(memcmp(y, expected, sizeof y) == 0);
#ifdef CONTIGUOUS
    EXPECT(memcmp(tensors.x->data, x, sizeof x) == 0);
#endif
  }
  return 0;
}
