/* The board's functions on a PC. */
#include <stdio.h>
#include <stdlib.h>

#include "board.h"

void board_exit(int code) { exit(code); }

void board_print(const char* text) { fputs(text, stdout); }

void board_print_number(const char* name, uint32_t value) {
  printf("%s %lu\n", name, (unsigned long)value);
}

int board_read_file(const char* name, void* to, size_t bytes) {
  FILE* file = fopen(name, "rb");
  if (file == NULL) return -1;
  const size_t moved = fread(to, 1, bytes, file);
  return fclose(file) == 0 && moved == bytes ? 0 : -1;
}

int board_write_file(const char* name, const void* from, size_t bytes) {
  FILE* file = fopen(name, "wb");
  if (file == NULL) return -1;
  const size_t moved = fwrite(from, 1, bytes, file);
  return fclose(file) == 0 && moved == bytes ? 0 : -1;
}
