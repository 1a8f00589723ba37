/* What the emulated board offers: files and text of the host by semihosting, an instruction
   counter, and a painted stack. */
#ifndef USMP_TESTS_TARGET_BOARD_H_
#define USMP_TESTS_TARGET_BOARD_H_

#include <stddef.h>
#include <stdint.h>

void board_exit(int code);
void board_print(const char* text);
void board_print_number(const char* name, uint32_t value);
/* Whole files in QEMU's working folder; 0 if that many bytes were moved. */
int board_read_file(const char* name, void* to, size_t bytes);
int board_write_file(const char* name, const void* from, size_t bytes);

/* Instructions executed between the two calls. Exact under `-icount shift=6`, which makes an
   instruction 64 ns of the time that SysTick counts. */
void board_count_start(void);
uint32_t board_count_stop(void);
void board_tick(void); /* SysTick's handler */

/* Fills the stack below the caller's frame, and tells afterwards how deep it was used below it.
   Both must be called from the same function. No interrupt is enabled meanwhile: nobody else uses
   what is painted. */
enum { kBoardPaintedBytes = 4096, kBoardPaint = 0xC5 };
static inline __attribute__((always_inline)) volatile uint8_t* board_stack_pointer(void) {
  volatile uint8_t* pointer;
  __asm__ volatile("mov %0, sp" : "=r"(pointer));
  return pointer;
}
static inline __attribute__((always_inline)) void board_paint_stack(void) {
  volatile uint8_t* at = board_stack_pointer();
  for (int i = 0; i < kBoardPaintedBytes; ++i) *--at = kBoardPaint;
}
static inline __attribute__((always_inline)) uint32_t board_painted_stack_used(void) {
  volatile uint8_t* at = board_stack_pointer() - kBoardPaintedBytes;
  uint32_t untouched = 0;
  while (untouched < kBoardPaintedBytes && *at == kBoardPaint) ++at, ++untouched;
  return kBoardPaintedBytes - untouched;
}

#endif /* USMP_TESTS_TARGET_BOARD_H_ */
