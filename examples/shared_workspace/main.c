/* Two models that run one after the other share one array, which the application owns: a small one
   that says whether there is anything on the paper wakes the one that reads the digit.

     usmp compile ink.tflite    --name ink    --workspace-pool sram -o ink_c
     usmp compile glyphs.tflite --name glyphs --workspace-pool sram -o glyphs_c

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"
#include "tvmgen_ink.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

/* `run` leaves nothing in it that is needed later: whoever runs next may have it, and so may other
   code of the application between the runs. */
static _Alignas(LARGER(TVMGEN_INK_WORKSPACE_ALIGN, TVMGEN_GLYPHS_WORKSPACE_ALIGN)) uint8_t
    sram[LARGER(TVMGEN_INK_SRAM_WORKSPACE_POOL_SIZE, TVMGEN_GLYPHS_SRAM_WORKSPACE_POOL_SIZE)];

_Static_assert(TVMGEN_INK_IMAGE_SIZE == TVMGEN_GLYPHS_IMAGE_SIZE, "both see the same image");
static int8_t image[TVMGEN_GLYPHS_IMAGE_SIZE];

static int has_ink(void) {
  static int8_t classes[TVMGEN_INK_INK_SIZE]; /* no, yes */
  struct tvmgen_ink_inputs inputs = {.image = image};
  struct tvmgen_ink_outputs outputs = {.ink = classes};
  struct tvmgen_ink_workspace_pools pools = {.sram = sram};
  if (tvmgen_ink_run(&inputs, &outputs, &pools) != 0) board_exit(1);
  return classes[1] > classes[0];
}

static uint32_t read_digit(void) {
  static int8_t score[TVMGEN_GLYPHS_DIGIT_SIZE];
  struct tvmgen_glyphs_inputs inputs = {.image = image};
  struct tvmgen_glyphs_outputs outputs = {.digit = score};
  struct tvmgen_glyphs_workspace_pools pools = {.sram = sram};
  if (tvmgen_glyphs_run(&inputs, &outputs, &pools) != 0) board_exit(1);
  uint32_t best = 0;
  for (uint32_t digit = 1; digit < TVMGEN_GLYPHS_DIGIT_SIZE; ++digit) {
    if (score[digit] > score[best]) best = digit;
  }
  return best;
}

int main(void) {
  if (board_read_file("image.bin", image, sizeof image) != 0) return 2;
  if (has_ink()) {
    board_print_number("digit", read_digit());
  } else {
    board_print("blank paper\n");
  }
  board_print_number("bytes for both models", sizeof sram);
  return 0;
}
