/* A custom operator that the application computes: in a model called `m`, t = Scale(x), y =
   relu(t), all float[2][3]; the operator's options are its factor and a rounding that must be 7.
   The pool `fast` is the CPU's alone, `shared` also the device's. Exit code 0 if everything holds;
   otherwise the line is printed. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "tvmgen_m.h"

static _Alignas(TVMGEN_M_WORKSPACE_ALIGN) uint8_t fast[TVMGEN_M_FAST_WORKSPACE_POOL_SIZE + 1];
static _Alignas(TVMGEN_M_WORKSPACE_ALIGN) uint8_t shared[TVMGEN_M_SHARED_WORKSPACE_POOL_SIZE];
static char calls[16]; /* the order of what was called */
static char failing;   /* what is to fail */
static int context;

static int32_t note(char what) {
  calls[strlen(calls)] = what;
  return what == failing ? 1 : 0;
}
int32_t TVMDeviceNpu1Activate(void* c) { return note(c == &context ? 'A' : '?'); }
int32_t TVMDeviceNpu1Open(void* c) { return note(c == &context ? 'O' : '?'); }
int32_t TVMDeviceNpu1Close(void* c) { return note(c == &context ? 'C' : '?'); }
int32_t TVMDeviceNpu1Deactivate(void* c) { return note(c == &context ? 'D' : '?'); }

static int is_shared(const void* p) {
  return (const uint8_t*)p >= shared && (const uint8_t*)p < shared + sizeof shared;
}

static int check_operator(const struct usmp_operator* op, const void* scratch) {
  EXPECT(strcmp(op->name, "CUSTOM:Scale") == 0 && op->index == 0);
  EXPECT(op->num_inputs == 2 && op->num_outputs == 1 && op->window == NULL);
  EXPECT(op->inputs[0].ndim == 2 && op->inputs[0].shape[0] == 2 && op->inputs[0].shape[1] == 3);
  EXPECT(op->inputs[0].dtype.code == USMP_DL_FLOAT && op->inputs[0].dtype.bits == 32);
  EXPECT(op->inputs[0].num_scales == 0 && op->inputs[1].dtype.bits == 0);
  EXPECT(op->options_bytes == 2 && op->options[1] == 7);
  EXPECT(op->scratch_bytes == 24 && ((uintptr_t)scratch & 7u) == 0);
  return 0;
}

int32_t scale_fn(const struct usmp_operator* op, const void* const* inputs, void* const* outputs,
                 void* scratch, void* device) {
  const float* x = inputs[0];
  float* t = outputs[0];
  float* doubled = scratch;
  if (check_operator(op, scratch) != 0 || inputs[1] != NULL || device != &context) return -7;
  if (!is_shared(t) || !is_shared(scratch)) return -8;
  for (int i = 0; i < 6; ++i) doubled[i] = x[i] * (float)op->options[0];
  memcpy(t, doubled, 24);
  return note('f');
}

static int run(struct tvmgen_m_devices* devices) {
  static const float x[6] = {-3.0F, -1.0F, 0.0F, 0.5F, 1.0F, 100.0F};
  static const float expected[6] = {0.0F, 0.0F, 0.0F, 1.0F, 2.0F, 200.0F};
  float y[6];
  struct tvmgen_m_inputs in = {.x = x};
  struct tvmgen_m_outputs out = {.y = y};
  struct tvmgen_m_workspace_pools pools = {.fast = fast, .shared = shared};
  memset(calls, 0, sizeof calls);
  const int32_t code = tvmgen_m_run(&in, &out, &pools, devices);
  if (code == 0) EXPECT(memcmp(y, expected, sizeof y) == 0);
  return code;
}

int main(void) {
  static const struct {
    char failing;
    const char* calls;
  } rows[] = {{'A', "A"}, {'O', "AOD"}, {'f', "AOfCD"}, {'C', "AOfCD"}, {'D', "AOfCD"}};
  struct tvmgen_m_devices devices = {.npu1 = &context};
  EXPECT(run(NULL) == 0x503 && calls[0] == 0);
  EXPECT(run(&devices) == 0);
  EXPECT(strcmp(calls, "AOfCD") == 0);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    failing = rows[i].failing;
    EXPECT(run(&devices) == -1);
    EXPECT(strcmp(calls, rows[i].calls) == 0);
  }
  return 0;
}
