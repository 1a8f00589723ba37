/* The packed interface: tensors go in as DLPack describes them, DLTensor, the way libraries hand
   tensors to each other. The generated descriptors know type and shape; the application adds where
   the data are.

     usmp compile glyphs.tflite --name glyphs --interface packed --dltensor static \
                  --workspace-pool sram -o glyphs_c

   Reads image.bin, 28 x 28 bytes. */
#include "board.h"
#include "tvmgen_glyphs.h"

static _Alignas(TVMGEN_GLYPHS_WORKSPACE_ALIGN) uint8_t sram[TVMGEN_GLYPHS_SRAM_WORKSPACE_POOL_SIZE];
static int8_t pixels[TVMGEN_GLYPHS_IMAGE_SIZE];
static int8_t score[TVMGEN_GLYPHS_DIGIT_SIZE];

int main(void) {
  struct usmp_dl_tensor image = tvmgen_glyphs_image_tensor;
  struct usmp_dl_tensor digit = tvmgen_glyphs_digit_tensor;
  image.data = pixels;
  digit.data = score;

  if (board_read_file("image.bin", pixels, sizeof pixels) != 0) return 2;
  union usmp_value arguments[TVMGEN_GLYPHS_NUM_ARGS] = {
      {.v_handle = &image}, {.v_handle = &digit}, {.v_handle = sram}};
  int types[TVMGEN_GLYPHS_NUM_ARGS] = {USMP_ARG_DL_TENSOR, USMP_ARG_DL_TENSOR, USMP_ARG_POINTER};
  if (tvmgen_glyphs_run(arguments, types, TVMGEN_GLYPHS_NUM_ARGS, NULL, NULL, NULL) != 0) return 1;

  uint32_t best = 0;
  for (uint32_t i = 1; i < digit.shape[1]; ++i) {
    if (score[i] > score[best]) best = i;
  }
  board_print_number("digit", best);
  return 0;
}
