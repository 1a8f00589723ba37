/* The module interface, from the caller's side: one float input "x:0" and one output "y:0" of 6
   elements, y = relu(x + x), in a model called `m`. Either both are the caller's, or with
   WORKSPACE_IO both are in the workspace; with EXTERNAL_POOL the pool `sram` is ours. Exit code 0
   if everything holds; otherwise the line is printed. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "tvmgen_m.h"

static const float x[6] = {-3.0F, -1.0F, 0.0F, 0.5F, 1.0F, 100.0F};
static const float expected[6] = {0.0F, 0.0F, 0.0F, 1.0F, 2.0F, 200.0F};
static float y[6];
static struct tvmgen_m_module module;

static int check_names(void) {
  EXPECT(tvmgen_m_get_num_inputs() == 1);
  EXPECT(tvmgen_m_get_num_outputs() == 1);
  EXPECT(tvmgen_m_get_input_index("x:0") == 0);
  EXPECT(tvmgen_m_get_input_index("x_0") == 0);
  EXPECT(tvmgen_m_get_input_index("y:0") == -1);
  EXPECT(tvmgen_m_get_input_index(NULL) == -1);
  EXPECT(tvmgen_m_get_output_index("y:0") == 0);
  EXPECT(tvmgen_m_get_output_index("x:0") == -1);
  return 0;
}

static int check_errors(void) {
  EXPECT(tvmgen_m_set_input(NULL, 0, x) == 0x503);
  EXPECT(tvmgen_m_set_input(&module, 0, NULL) == 0x803);
  EXPECT(tvmgen_m_set_input(&module, 1, x) == 0x702);
  EXPECT(tvmgen_m_set_input(&module, tvmgen_m_get_input_index("z"), x) == 0x702);
  EXPECT(tvmgen_m_set_output(&module, 1, y) == 0x702);
  EXPECT(tvmgen_m_get_input(&module, 1) == NULL);
  EXPECT(tvmgen_m_get_output(&module, -1) == NULL);
  EXPECT(tvmgen_m_get_output(NULL, 0) == NULL);
  EXPECT(tvmgen_m_run(NULL) == 0x503);
  return 0;
}

static int check_before(void) {
#ifdef EXTERNAL_POOL
  EXPECT(tvmgen_m_run(&module) == 0x503);
#ifdef WORKSPACE_IO
  EXPECT(tvmgen_m_set_input(&module, 0, x) == 0x503);
  EXPECT(tvmgen_m_get_output(&module, 0) == NULL);
#endif
  static _Alignas(TVMGEN_M_WORKSPACE_ALIGN) uint8_t memory[TVMGEN_M_SRAM_WORKSPACE_POOL_SIZE];
  module.workspace_pools.sram = memory;
#endif
#ifdef WORKSPACE_IO
  EXPECT(tvmgen_m_set_output(&module, 0, y) == 0x803);
#else
  EXPECT(tvmgen_m_get_input(&module, 0) == NULL);
  EXPECT(tvmgen_m_run(&module) == 0x803);
  EXPECT(tvmgen_m_set_output(&module, 0, y) == 0);
#endif
  return 0;
}

int main(void) {
  if (check_names() != 0 || check_before() != 0 || check_errors() != 0) return 1;
  for (int i = 0; i < 2; ++i) {
    EXPECT(tvmgen_m_set_input(&module, tvmgen_m_get_input_index("x:0"), x) == 0);
    EXPECT(memcmp(tvmgen_m_get_input(&module, 0), x, sizeof x) == 0);
    EXPECT(tvmgen_m_run(&module) == 0);
    EXPECT(memcmp(tvmgen_m_get_output(&module, 0), expected, sizeof expected) == 0);
  }
  return 0;
}
