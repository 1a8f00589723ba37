/* An input in the workspace that nothing overwrites. The camera writes to where the model wants its
   image; after the run the image is still there, so that it can be kept with the result, and the
   model can be run again on it. The application owns the scores.

     usmp compile glyphs.tflite --name glyphs --io-tensor image=workspace:sram:precious \
       --workspace-pool sram -o glyphs_c

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"

static _Alignas(TVMGEN_GLYPHS_WORKSPACE_ALIGN) uint8_t sram[TVMGEN_GLYPHS_SRAM_WORKSPACE_POOL_SIZE];
static int8_t first[TVMGEN_GLYPHS_DIGIT_SIZE], second[TVMGEN_GLYPHS_DIGIT_SIZE];

static uint32_t checksum(const uint8_t* bytes, uint32_t count) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum = sum * 31u + bytes[i];
  return sum;
}

int main(void) {
  struct tvmgen_glyphs_workspace_pools pools = {.sram = sram};
  struct tvmgen_glyphs_inputs camera = tvmgen_glyphs_map_inputs(&pools);
  if (board_read_file("image.bin", camera.image, TVMGEN_GLYPHS_IMAGE_SIZE) != 0) return 2;
  const uint32_t before = checksum(camera.image, TVMGEN_GLYPHS_IMAGE_SIZE);

  struct tvmgen_glyphs_outputs outputs = {.digit = first};
  if (tvmgen_glyphs_run(&outputs, &pools) != 0) return 1;
  outputs.digit = second;
  if (tvmgen_glyphs_run(&outputs, &pools) != 0) return 1;

  if (checksum(camera.image, TVMGEN_GLYPHS_IMAGE_SIZE) != before) return 3;
  uint32_t best = 0;
  for (uint32_t digit = 0; digit < TVMGEN_GLYPHS_DIGIT_SIZE; ++digit) {
    if (first[digit] != second[digit]) return 4;
    if (first[digit] > first[best]) best = digit;
  }
  board_print_number("digit", best);
  return 0;
}
