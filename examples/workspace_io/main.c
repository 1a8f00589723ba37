/* Inputs and outputs inside the workspace: their bytes are used for other tensors while they are
   not needed, so the application needs one array and nothing else. The camera writes straight to
   where the model wants its image.

     usmp compile glyphs.tflite --name glyphs --io workspace --workspace-pool sram -o glyphs_c

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"

static _Alignas(TVMGEN_GLYPHS_WORKSPACE_ALIGN) uint8_t sram[TVMGEN_GLYPHS_SRAM_WORKSPACE_POOL_SIZE];

int main(void) {
  struct tvmgen_glyphs_workspace_pools pools = {.sram = sram};
  struct tvmgen_glyphs_inputs inputs = tvmgen_glyphs_map_inputs(&pools);
  struct tvmgen_glyphs_outputs outputs = tvmgen_glyphs_map_outputs(&pools);

  /* Before every run: a run overwrites its inputs. */
  if (board_read_file("image.bin", inputs.image, TVMGEN_GLYPHS_IMAGE_SIZE) != 0) return 2;
  if (tvmgen_glyphs_run(&pools) != 0) return 1;

  /* Valid until the next run. */
  const int8_t* score = outputs.digit;
  uint32_t best = 0;
  for (uint32_t digit = 1; digit < TVMGEN_GLYPHS_DIGIT_SIZE; ++digit) {
    if (score[digit] > score[best]) best = digit;
  }
  board_print_number("digit", best);
  board_print_number("bytes in all", sizeof sram);
  return 0;
}
