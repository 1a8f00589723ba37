/* Two models in one build, planned together: they run one after the other, so that they share one
   array, which the generated code owns. The small one says whether there is anything on the paper;
   the other one reads the digit. The application has the image once, and nothing else.

     usmp compile --config usmp.toml -o models_c

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"
#include "tvmgen_ink.h"

_Static_assert(TVMGEN_INK_IMAGE_SIZE == TVMGEN_GLYPHS_IMAGE_SIZE, "both see the same image");
static int8_t image[TVMGEN_GLYPHS_IMAGE_SIZE];

static int has_ink(void) {
  struct tvmgen_ink_inputs inputs = {.image = image};
  if (tvmgen_ink_run(&inputs) != 0) board_exit(1);
  const int8_t* classes = tvmgen_ink_map_outputs().ink; /* no, yes */
  return classes[1] > classes[0];
}

static uint32_t read_digit(void) {
  struct tvmgen_glyphs_inputs inputs = {.image = image};
  if (tvmgen_glyphs_run(&inputs) != 0) board_exit(1);
  /* Valid until one of the two runs again. */
  const int8_t* score = tvmgen_glyphs_map_outputs().digit;
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
  return 0;
}
