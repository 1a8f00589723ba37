/* The contract of the generated header, from the caller's side: one float input x and one output y
   of 6 elements, y = relu(x + x), in a model called `m` (internal workspace) or, with
   EXTERNAL_POOL, one whose pool `sram` is ours. Exit code 0 if everything holds; otherwise the line
   is printed. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "tvmgen_m.h"

_Static_assert(TVMGEN_M_X_SIZE == 24, "bytes of the input");
_Static_assert(TVMGEN_M_Y_SIZE == 24, "bytes of the output");
_Static_assert(TVMGEN_M_X_ALIGN == 4, "alignment of the input");
_Static_assert(TVMGEN_M_WORKSPACE_SIZE >= 24, "the sum needs memory");
_Static_assert(TVMGEN_M_PEAK_LOWER_BOUND <= TVMGEN_M_WORKSPACE_SIZE, "a bound is a bound");

#ifdef EXTERNAL_POOL
_Static_assert(TVMGEN_M_SRAM_WORKSPACE_POOL_SIZE == TVMGEN_M_WORKSPACE_SIZE, "there is one pool");
static struct tvmgen_m_workspace_pools pools;
#define RUN(inputs, outputs) tvmgen_m_run(inputs, outputs, &pools)
#else
#define RUN(inputs, outputs) tvmgen_m_run(inputs, outputs)
#endif

static _Alignas(16) float x[8] = {-3.0F, -1.0F, 0.0F, 0.5F, 1.0F, 100.0F, 7.0F, 7.0F};
static _Alignas(16) float y[8];

static int is_untouched(void) {
  for (int i = 0; i < 8; ++i) {
    if (y[i] != -1.0F) return 0;
  }
  return 1;
}

static int check_errors(void) {
  struct tvmgen_m_inputs inputs = {.x = x};
  struct tvmgen_m_outputs outputs = {.y = y};
  struct tvmgen_m_inputs no_inputs = {.x = NULL};
  struct tvmgen_m_outputs no_outputs = {.y = NULL};
  struct tvmgen_m_inputs odd_inputs = {.x = (char*)x + 1};
  struct tvmgen_m_outputs odd_outputs = {.y = (char*)y + 2};
  EXPECT(RUN(NULL, &outputs) == 0x503);
  EXPECT(RUN(&inputs, NULL) == 0x503);
  EXPECT(RUN(&no_inputs, &outputs) == 0x803);
  EXPECT(RUN(&inputs, &no_outputs) == 0x803);
  EXPECT(RUN(&odd_inputs, &outputs) == 0x803);
  EXPECT(RUN(&inputs, &odd_outputs) == 0x803);
  EXPECT(is_untouched());
  return 0;
}

#ifdef EXTERNAL_POOL
static int check_pools(void) {
  struct tvmgen_m_inputs inputs = {.x = x};
  struct tvmgen_m_outputs outputs = {.y = y};
  static _Alignas(64) uint8_t memory[TVMGEN_M_SRAM_WORKSPACE_POOL_SIZE + 64];
  memset(memory, 0xA5, sizeof memory);
  EXPECT(tvmgen_m_run(&inputs, &outputs, NULL) == 0x503);
  pools.sram = NULL;
  EXPECT(RUN(&inputs, &outputs) == 0x503);
  pools.sram = memory + 1;
  EXPECT(RUN(&inputs, &outputs) == 0x803);
  EXPECT(is_untouched());
  pools.sram = memory;
  EXPECT(check_errors() == 0);
  EXPECT(RUN(&inputs, &outputs) == 0);
  for (size_t i = TVMGEN_M_SRAM_WORKSPACE_POOL_SIZE; i < sizeof memory; ++i)
    EXPECT(memory[i] == 0xA5);
  return 0;
}
#endif

int main(void) {
  for (int i = 0; i < 8; ++i) y[i] = -1.0F;
#ifdef EXTERNAL_POOL
  if (check_pools() != 0) return 1;
#else
  if (check_errors() != 0) return 1;
#endif
  struct tvmgen_m_inputs inputs = {.x = x};
  struct tvmgen_m_outputs outputs = {.y = y};
  EXPECT(RUN(&inputs, &outputs) == 0);
  const float expected[8] = {0.0F, 0.0F, 0.0F, 1.0F, 2.0F, 200.0F, -1.0F, -1.0F};
  for (int i = 0; i < 8; ++i) EXPECT(y[i] == expected[i]);
  return 0;
}
