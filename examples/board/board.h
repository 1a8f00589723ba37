/* What the example applications need of a board: text, and files for want of sensors.
   cortex_m.c has it by semihosting, for QEMU and debuggers; host.c for a PC. */
#ifndef BOARD_H_
#define BOARD_H_

#include <stddef.h>
#include <stdint.h>

void board_exit(int code);
void board_print(const char* text);
void board_print_number(const char* name, uint32_t value); /* "name value" and a new line */
/* Whole files in the working folder (QEMU's, or the program's); 0 if that many bytes were moved. */
int board_read_file(const char* name, void* to, size_t bytes);
int board_write_file(const char* name, const void* from, size_t bytes);

#endif /* BOARD_H_ */
