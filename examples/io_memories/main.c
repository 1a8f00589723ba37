/* Each tensor in the memory of those who touch it: a DMA writes the image to SRAM, which it alone
   can reach; everything else, the scores too, is in the fast memory of the core. The report's
   io_pools_cost_bytes says what the image's own place costs.

     usmp compile glyphs.tflite --name glyphs --io workspace --io-tensor image=workspace:sram \
       --workspace-pool dtcm --workspace-pool sram -o glyphs_c

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"

static _Alignas(TVMGEN_GLYPHS_WORKSPACE_ALIGN) uint8_t dtcm[TVMGEN_GLYPHS_DTCM_WORKSPACE_POOL_SIZE]
    __attribute__((section(".dtcm")));
static _Alignas(TVMGEN_GLYPHS_WORKSPACE_ALIGN) uint8_t sram[TVMGEN_GLYPHS_SRAM_WORKSPACE_POOL_SIZE]
    __attribute__((section(".sram")));

int main(void) {
  struct tvmgen_glyphs_workspace_pools pools = {.dtcm = dtcm, .sram = sram};
  uint8_t* image = tvmgen_glyphs_map_inputs(&pools).image;
  const int8_t* score = tvmgen_glyphs_map_outputs(&pools).digit;
  if (image < sram || image + TVMGEN_GLYPHS_IMAGE_SIZE > sram + sizeof sram) return 3;
  if ((const uint8_t*)score < dtcm || (const uint8_t*)score >= dtcm + sizeof dtcm) return 4;

  if (board_read_file("image.bin", image, TVMGEN_GLYPHS_IMAGE_SIZE) != 0) return 2;
  if (tvmgen_glyphs_run(&pools) != 0) return 1;
  uint32_t best = 0;
  for (uint32_t digit = 1; digit < TVMGEN_GLYPHS_DIGIT_SIZE; ++digit) {
    if (score[digit] > score[best]) best = digit;
  }
  board_print_number("digit", best);
  return 0;
}
