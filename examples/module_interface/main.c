/* The module interface: an object that is asked for its tensors by name or index, so that code
   around it need not be written for this one model. Here the image is in the workspace, where
   set_input copies it, and the scores are the application's.

     usmp compile glyphs.tflite --name glyphs --interface module --io-tensor image=workspace \
                  --workspace-pool sram -o glyphs_c

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"

static _Alignas(TVMGEN_GLYPHS_WORKSPACE_ALIGN) uint8_t sram[TVMGEN_GLYPHS_SRAM_WORKSPACE_POOL_SIZE];
static int8_t pixels[TVMGEN_GLYPHS_IMAGE_SIZE];
static int8_t score[TVMGEN_GLYPHS_DIGIT_SIZE];

int main(void) {
  struct tvmgen_glyphs_module glyphs = {.workspace_pools = {.sram = sram}};
  const int32_t image = tvmgen_glyphs_get_input_index("image");

  if (board_read_file("image.bin", pixels, sizeof pixels) != 0) return 2;
  if (tvmgen_glyphs_set_input(&glyphs, image, pixels) != 0) return 3;
  if (tvmgen_glyphs_set_output(&glyphs, 0, score) != 0) return 3;
  if (tvmgen_glyphs_run(&glyphs) != 0) return 1;

  const int8_t* digit = tvmgen_glyphs_get_output(&glyphs, 0);
  uint32_t best = 0;
  for (uint32_t i = 1; i < TVMGEN_GLYPHS_DIGIT_SIZE; ++i) {
    if (digit[i] > digit[best]) best = i;
  }
  board_print_number("digit", best);
  return 0;
}
