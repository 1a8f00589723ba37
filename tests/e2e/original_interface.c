/* Firmware as it was written for TVM's Embedded C Runtime Interface: its calls, types and macros,
   in the four variants without devices (EXTERNAL_POOL: the caller's memory; WORKSPACE_IO: inputs
   and outputs in the workspace). The model `kws` has one float input input_1 and one output
   Identity of 6 elements each, Identity = relu(input_1 + input_1). Exit code 0: all is well. */
#include <stdint.h>
#include <string.h>

#include "tvmgen_kws.h"

static const float mfcc[6] = {-3.0F, -1.0F, 0.0F, 0.5F, 1.0F, 100.0F};
static const float expected[6] = {0.0F, 0.0F, 0.0F, 1.0F, 2.0F, 200.0F};

#ifdef EXTERNAL_POOL
__attribute__((aligned(16))) static uint8_t sram[TVMGEN_KWS_SRAM_WORKSPACE_POOL_SIZE];
#endif

#if defined(EXTERNAL_POOL) && defined(WORKSPACE_IO)
typedef int32_t run_function(struct tvmgen_kws_workspace_pools*);
typedef struct tvmgen_kws_inputs map_inputs_function(struct tvmgen_kws_workspace_pools*);
typedef struct tvmgen_kws_outputs map_outputs_function(struct tvmgen_kws_workspace_pools*);
#elif defined(EXTERNAL_POOL)
typedef int32_t run_function(struct tvmgen_kws_inputs*, struct tvmgen_kws_outputs*,
                             struct tvmgen_kws_workspace_pools*);
#elif defined(WORKSPACE_IO)
typedef int32_t run_function(void);
typedef struct tvmgen_kws_inputs map_inputs_function(void);
typedef struct tvmgen_kws_outputs map_outputs_function(void);
#else
typedef int32_t run_function(struct tvmgen_kws_inputs*, struct tvmgen_kws_outputs*);
#endif
static run_function* const run = tvmgen_kws_run;

#ifdef WORKSPACE_IO
static map_inputs_function* const map_inputs = tvmgen_kws_map_inputs;
static map_outputs_function* const map_outputs = tvmgen_kws_map_outputs;
#ifdef EXTERNAL_POOL
#define POOLS &pools
#else
#define POOLS
#endif

static int infer(float* scores) {
#ifdef EXTERNAL_POOL
  struct tvmgen_kws_workspace_pools pools = {.sram = sram};
#endif
  struct tvmgen_kws_inputs in = map_inputs(POOLS);
  struct tvmgen_kws_outputs out = map_outputs(POOLS);
  memcpy(in.input_1, mfcc, TVMGEN_KWS_INPUT_1_SIZE);
  if (run(POOLS) != 0) return 1;
  const float* score = out.Identity;
  memcpy(scores, score, TVMGEN_KWS_IDENTITY_SIZE);
  return 0;
}
#else
static int infer(float* scores) {
  struct tvmgen_kws_inputs in = {.input_1 = (void*)mfcc};
  struct tvmgen_kws_outputs out = {.Identity = scores};
#ifdef EXTERNAL_POOL
  struct tvmgen_kws_workspace_pools pools = {.sram = sram};
  return run(&in, &out, &pools) != 0;
#else
  return run(&in, &out) != 0;
#endif
}
#endif

int main(void) {
  float scores[6];
  if (TVMGEN_KWS_INPUT_1_SIZE != sizeof mfcc || TVMGEN_KWS_IDENTITY_SIZE != sizeof scores) return 2;
#ifdef EXTERNAL_POOL
  if (TVMGEN_KWS_WORKSPACE_SIZE != sizeof sram) return 3;
#endif
  for (int i = 0; i < 2; ++i) { /* the second time in memory that has been used */
    memset(scores, 0, sizeof scores);
    if (infer(scores) != 0) return 4;
    if (memcmp(scores, expected, sizeof scores) != 0) return 5;
  }
  return 0;
}
