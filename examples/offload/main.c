/* Offload: the two additions of the model are computed by a vector unit, which cannot reach the
   processor's own memory. What they read and write, and their scratch, is planned into `sram`; the
   rest prefers the faster `dtcm`. The unit is switched on and off around each run, and opened and
   closed around each addition.

     usmp compile glyphs.tflite --name glyphs -o glyphs_c \
                  --offload ADD=vector_add,scratch=128,target=vector --devices vector \
                  --workspace-pool dtcm:size=2K,targets=cpu --workspace-pool sram

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"

/* The linker script puts the sections where these memories are. */
#define IN(section_name) \
  __attribute__((section(section_name))) static _Alignas(TVMGEN_GLYPHS_WORKSPACE_ALIGN) uint8_t
IN(".dtcm") dtcm[TVMGEN_GLYPHS_DTCM_WORKSPACE_POOL_SIZE];
IN(".sram") sram[TVMGEN_GLYPHS_SRAM_WORKSPACE_POOL_SIZE];
static int8_t pixels[TVMGEN_GLYPHS_IMAGE_SIZE];
static int8_t score[TVMGEN_GLYPHS_DIGIT_SIZE];

/* The unit, as the application knows it. */
struct vector_unit {
  uint32_t is_on, is_open, additions;
};

int32_t TVMDeviceVectorActivate(void* context) {
  ((struct vector_unit*)context)->is_on = 1;
  return 0;
}
int32_t TVMDeviceVectorOpen(void* context) {
  struct vector_unit* unit = context;
  unit->is_open = 1;
  return unit->is_on ? 0 : -1;
}
int32_t TVMDeviceVectorClose(void* context) {
  ((struct vector_unit*)context)->is_open = 0;
  return 0;
}
int32_t TVMDeviceVectorDeactivate(void* context) {
  ((struct vector_unit*)context)->is_on = 0;
  return 0;
}

static int is_in_sram(const void* p) {
  return (const uint8_t*)p >= sram && (const uint8_t*)p < sram + sizeof sram;
}

static int8_t quantize(const struct usmp_operand* operand, float real) {
  const float stored = real / operand->scales[0];
  const int32_t q = (int32_t)(stored + (stored < 0 ? -0.5F : 0.5F)) + operand->zero_points[0];
  return (int8_t)(q < -128 ? -128 : q > 127 ? 127 : q);
}

/* Sums of a few elements at a time, in scratch, which stands for the unit's registers. */
int32_t vector_add(const struct usmp_operator* op, const void* const* inputs, void* const* outputs,
                   void* scratch, void* device) {
  struct vector_unit* unit = device;
  const int8_t* a = inputs[0];
  const int8_t* b = inputs[1];
  int8_t* sum = outputs[0];
  float* registers = scratch;
  const int32_t lanes = op->scratch_bytes / (int32_t)sizeof(float);
  int32_t count = 1;
  for (int32_t i = 0; i < op->outputs[0].ndim; ++i) count *= op->outputs[0].shape[i];
  if (!unit->is_open || !is_in_sram(a) || !is_in_sram(b) || !is_in_sram(sum)) return -1;
  const struct usmp_operand* in = op->inputs;
  for (int32_t done = 0; done < count; done += lanes) {
    const int32_t some = count - done < lanes ? count - done : lanes;
    for (int32_t i = 0; i < some; ++i) {
      registers[i] = (float)(a[done + i] - in[0].zero_points[0]) * in[0].scales[0] +
                     (float)(b[done + i] - in[1].zero_points[0]) * in[1].scales[0];
    }
    for (int32_t i = 0; i < some; ++i) sum[done + i] = quantize(&op->outputs[0], registers[i]);
  }
  ++unit->additions;
  return 0;
}

int main(void) {
  struct vector_unit unit = {0, 0, 0};
  struct tvmgen_glyphs_workspace_pools pools = {.dtcm = dtcm, .sram = sram};
  struct tvmgen_glyphs_devices devices = {.vector = &unit};
  struct tvmgen_glyphs_inputs inputs = {.image = pixels};
  struct tvmgen_glyphs_outputs outputs = {.digit = score};

  if (board_read_file("image.bin", pixels, sizeof pixels) != 0) return 2;
  if (tvmgen_glyphs_run(&inputs, &outputs, &pools, &devices) != 0) return 1;

  uint32_t best = 0;
  for (uint32_t i = 1; i < sizeof score; ++i) {
    if (score[i] > score[best]) best = i;
  }
  board_print_number("digit", best);
  board_print_number("additions of the unit", unit.additions);
  return unit.is_on ? 3 : 0;
}
