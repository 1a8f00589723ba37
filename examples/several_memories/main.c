/* A board with a little fast memory and more of a slower one. The pools are named in order of
   preference: what fits goes to the fast memory, never more than its bound, and the rest to the
   next.

     usmp compile glyphs.tflite --name glyphs --workspace-pool dtcm:size=2K \
                                              --workspace-pool sram:size=64K -o glyphs_c

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"

/* The linker script puts the sections where these memories are. */
#define IN(section_name) \
  __attribute__((section(section_name))) static _Alignas(TVMGEN_GLYPHS_WORKSPACE_ALIGN) uint8_t
IN(".dtcm") dtcm[TVMGEN_GLYPHS_DTCM_WORKSPACE_POOL_SIZE];
IN(".sram") sram[TVMGEN_GLYPHS_SRAM_WORKSPACE_POOL_SIZE];

_Static_assert(sizeof dtcm <= 2 * 1024 && sizeof sram <= 64 * 1024, "a bound is never exceeded");

int main(void) {
  static int8_t image[TVMGEN_GLYPHS_IMAGE_SIZE];
  static int8_t score[TVMGEN_GLYPHS_DIGIT_SIZE];
  if (board_read_file("image.bin", image, sizeof image) != 0) return 2;

  struct tvmgen_glyphs_inputs inputs = {.image = image};
  struct tvmgen_glyphs_outputs outputs = {.digit = score};
  struct tvmgen_glyphs_workspace_pools pools = {.dtcm = dtcm, .sram = sram};
  if (tvmgen_glyphs_run(&inputs, &outputs, &pools) != 0) return 1;

  uint32_t best = 0;
  for (uint32_t digit = 1; digit < TVMGEN_GLYPHS_DIGIT_SIZE; ++digit) {
    if (score[digit] > score[best]) best = digit;
  }
  board_print_number("digit", best);
  board_print_number("bytes in dtcm", sizeof dtcm);
  board_print_number("bytes in sram", sizeof sram);
  return 0;
}
