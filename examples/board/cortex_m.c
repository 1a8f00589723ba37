#include "board.h"

enum { /* operations of Arm semihosting */
       kOpen = 0x01,
       kClose = 0x02,
       kWriteText = 0x04,
       kWrite = 0x05,
       kRead = 0x06,
       kExitExtended = 0x20,
};

static uintptr_t semihost(uintptr_t operation, const void* argument) {
  register uintptr_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void board_exit(int code) {
  const uintptr_t application_exit[2] = {0x20026u, (uintptr_t)code};
  semihost(kExitExtended, application_exit);
  for (;;) {
  }
}

void board_print(const char* text) { semihost(kWriteText, text); }

void board_print_number(const char* name, uint32_t value) {
  char digits[12];
  char* at = digits + sizeof digits;
  *--at = '\0';
  *--at = '\n';
  do {
    *--at = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  board_print(name);
  board_print(" ");
  board_print(at);
}

static size_t length(const char* text) {
  size_t n = 0;
  while (text[n] != '\0') ++n;
  return n;
}

/* `operation` on a whole file; modes are those of fopen, numbered: 1 "rb", 5 "wb". */
static int transfer(const char* name, uintptr_t mode, uintptr_t operation, const void* memory,
                    size_t bytes) {
  const uintptr_t open[3] = {(uintptr_t)name, mode, length(name)};
  const uintptr_t file = semihost(kOpen, open);
  if (file == (uintptr_t)-1) return -1;
  const uintptr_t move[3] = {file, (uintptr_t)memory, bytes};
  const uintptr_t not_moved = semihost(operation, move);
  semihost(kClose, &file);
  return not_moved == 0 ? 0 : -1;
}

int board_read_file(const char* name, void* to, size_t bytes) {
  return transfer(name, 1, kRead, to, bytes);
}
int board_write_file(const char* name, const void* from, size_t bytes) {
  return transfer(name, 5, kWrite, from, bytes);
}
