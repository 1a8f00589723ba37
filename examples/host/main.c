/* Reads an image of a digit and says which one it is: the example model as an application uses it.

   read_digit IMAGE.bin, where IMAGE.bin is the model's input: 28 x 28 bytes, int8, -128 = paper,
   127 = ink. */
#include <stdint.h>
#include <stdio.h>

#include "tvmgen_glyphs.h"

enum { SIDE = 28, DIGITS = 10 };

_Static_assert(TVMGEN_GLYPHS_IMAGE_SIZE == SIDE * SIDE, "the model takes another image");
_Static_assert(TVMGEN_GLYPHS_DIGIT_SIZE == DIGITS, "the model knows other classes");

static int read_image(const char* path, int8_t* image) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    return 0;
  }
  const size_t got = fread(image, 1, SIDE * SIDE, file);
  const int at_end = fgetc(file) == EOF;
  fclose(file);
  if (got == SIDE * SIDE && at_end) return 1;
  fprintf(stderr, "%s: not %d bytes long\n", path, SIDE * SIDE);
  return 0;
}

/* Two characters a pixel look square. The two lightest of eleven shades are paper. */
static void draw(const int8_t* image) {
  static const char shades[] = "  .:-=+*#%@";
  for (int y = 0; y < SIDE; ++y) {
    for (int x = 0; x < SIDE; ++x) {
      const char shade = shades[(image[y * SIDE + x] + 128) * 11 / 256];
      putchar(shade);
      putchar(shade);
    }
    putchar('\n');
  }
}

int main(int argc, char** argv) {
  static int8_t image[TVMGEN_GLYPHS_IMAGE_SIZE];
  static int8_t score[TVMGEN_GLYPHS_DIGIT_SIZE];
  if (argc != 2) {
    fprintf(stderr, "usage: read_digit IMAGE.bin\n");
    return 2;
  }
  if (!read_image(argv[1], image)) return 1;
  draw(image);

  struct tvmgen_glyphs_inputs inputs = {.image = image};
  struct tvmgen_glyphs_outputs outputs = {.digit = score};
  const int32_t status = tvmgen_glyphs_run(&inputs, &outputs);
  if (status != 0) {
    fprintf(stderr, "tvmgen_glyphs_run failed with 0x%x\n", (unsigned)status);
    return 1;
  }

  int best = 0;
  for (int digit = 1; digit < DIGITS; ++digit) {
    if (score[digit] > score[best]) best = digit;
  }
  /* The softmax's output has scale 1/256 and zero point -128. */
  printf("this is a %d, %d %% sure\n", best, (score[best] + 128) * 100 / 256);
  return 0;
}
