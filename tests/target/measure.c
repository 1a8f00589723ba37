#include "measure.h"

#ifndef BOARD_CLOCK_HZ
#error "BOARD_CLOCK_HZ is the frequency of the processor clock that QEMU gives the machine"
#endif

struct systick {
  volatile uint32_t control, reload, current;
};
#define SYSTICK ((struct systick*)0xE000E010u)
enum { kMost = 0xFFFFFF, kRunFromProcessorClockWithInterrupt = 7 };

static volatile uint32_t wraps;

void board_tick(void); /* of startup.c */
void board_tick(void) { wraps = wraps + 1; }

void measure_start(void) {
  SYSTICK->control = 0;
  wraps = 0;
  SYSTICK->reload = kMost;
  SYSTICK->current = 0;
  SYSTICK->control = kRunFromProcessorClockWithInterrupt;
}

uint32_t measure_stop(void) {
  const uint32_t current = SYSTICK->current;
  SYSTICK->control = 0;
  const uint64_t ticks = ((uint64_t)wraps << 24) + (kMost - current);
  const uint64_t nanoseconds = ticks * (1000000000u / (BOARD_CLOCK_HZ / 1000u)) / 1000u;
  return (uint32_t)(nanoseconds / 64);
}
