/* A board that keeps its weights in three places: most of them in flash that the linker script
   knows, some in an external memory that a driver fills at startup from a file made at build time,
   and those that matter most for speed in RAM, where the startup code copies them.

     usmp compile glyphs.tflite --name glyphs -o glyphs \
         --constant-pool flash --constant-pool external:align=32 \
         --constant-pool fast:internal=true,ram=true \
         --constant 'op 0 *=external' --constant '*FULLY_CONNECTED*=fast' --constant '*=flash'

   Reads image.bin, 28 x 28 bytes, and glyphs/tvmgen_glyphs_external.bin, the contents of that
   pool. */
#include "board.h"
#include "tvmgen_glyphs.h"

/* The linker script puts the sections where these memories are. */
__attribute__((section(".weights"))) static const _Alignas(TVMGEN_GLYPHS_FLASH_CONSTANT_POOL_ALIGN)
    uint8_t flash[] = {TVMGEN_GLYPHS_FLASH_CONSTANT_POOL_DATA};
__attribute__((section(".dtcm"))) static _Alignas(TVMGEN_GLYPHS_EXTERNAL_CONSTANT_POOL_ALIGN)
    uint8_t external[TVMGEN_GLYPHS_EXTERNAL_CONSTANT_POOL_SIZE];

int main(void) {
  static int8_t image[TVMGEN_GLYPHS_IMAGE_SIZE];
  static int8_t score[TVMGEN_GLYPHS_DIGIT_SIZE];
  if (board_read_file("image.bin", image, sizeof image) != 0) return 2;
  if (board_read_file("glyphs/tvmgen_glyphs_external.bin", external, sizeof external) != 0)
    return 3;

  struct tvmgen_glyphs_inputs inputs = {.image = image};
  struct tvmgen_glyphs_outputs outputs = {.digit = score};
  struct tvmgen_glyphs_workspace_pools pools = {.flash = flash, .external = external};
  if (tvmgen_glyphs_run(&inputs, &outputs, &pools) != 0) return 1;

  uint32_t best = 0;
  for (uint32_t digit = 1; digit < TVMGEN_GLYPHS_DIGIT_SIZE; ++digit) {
    if (score[digit] > score[best]) best = digit;
  }
  board_print_number("digit", best);
  board_print_number("bytes in flash", sizeof flash);
  board_print_number("bytes in external memory", sizeof external);
  return 0;
}
