/* Start-up of a bare Cortex-M under QEMU: stack, FPU and vector unit, .data and .bss, then main().
   No C library is initialized: the generated code needs none. */
#include <stdint.h>

#include "board.h"

extern uint32_t image_stack_top, image_data_source, image_data_begin, image_data_end,
    image_bss_begin, image_bss_end;
int main(void);

/* Coprocessor access control: full access to CP10 and CP11, the floating point and vector unit. */
#define COPROCESSOR_ACCESS (*(volatile uint32_t*)0xE000ED88u)

static void start(void) {
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  COPROCESSOR_ACCESS |= 0xFu << 20;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
  const uint32_t* from = &image_data_source;
  for (uint32_t* to = &image_data_begin; to < &image_data_end; ++to) *to = *from++;
  for (uint32_t* to = &image_bss_begin; to < &image_bss_end; ++to) *to = 0;
  board_exit(main());
}

/* SysTick's handler. An application that uses the timer has its own. */
void board_tick(void);
__attribute__((weak)) void board_tick(void) {}

static void fault(void) {
  board_print("fault\n");
  board_exit(99);
}

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[16] = {
    (uintptr_t)&image_stack_top, (uintptr_t)start,
    [2] = (uintptr_t)fault,      [3] = (uintptr_t)fault,
    [4] = (uintptr_t)fault,      [5] = (uintptr_t)fault,
    [6] = (uintptr_t)fault,      [15] = (uintptr_t)board_tick,
};
