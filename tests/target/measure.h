/* What the tests measure on the emulated board: instructions and stack. */
#ifndef USMP_TESTS_TARGET_MEASURE_H_
#define USMP_TESTS_TARGET_MEASURE_H_

#include <stdint.h>

/* Instructions executed between the two calls. Exact under `-icount shift=6`, which makes an
   instruction 64 ns of the time that SysTick counts. */
void measure_start(void);
uint32_t measure_stop(void);

/* Fills the stack below the caller's frame, and tells afterwards how deep it was used below it.
   Both must be called from the same function. No interrupt is enabled meanwhile: nobody else uses
   what is painted. */
enum { kMeasurePaintedBytes = 4096, kMeasurePaint = 0xC5 };
static inline __attribute__((always_inline)) volatile uint8_t* measure_stack_pointer(void) {
  volatile uint8_t* pointer;
  __asm__ volatile("mov %0, sp" : "=r"(pointer));
  return pointer;
}
static inline __attribute__((always_inline)) void measure_paint_stack(void) {
  volatile uint8_t* at = measure_stack_pointer();
  for (int i = 0; i < kMeasurePaintedBytes; ++i) *--at = kMeasurePaint;
}
static inline __attribute__((always_inline)) uint32_t measure_painted_stack(void) {
  volatile uint8_t* at = measure_stack_pointer() - kMeasurePaintedBytes;
  uint32_t untouched = 0;
  while (untouched < kMeasurePaintedBytes && *at == kMeasurePaint) ++at, ++untouched;
  return kMeasurePaintedBytes - untouched;
}

#endif /* USMP_TESTS_TARGET_MEASURE_H_ */
