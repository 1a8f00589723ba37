/* What every kernel of usmp shares: the arithmetic of TensorFlow Lite's reference kernels (double
   rounding) and a few portable helpers. C11, freestanding apart from string.h and math.h. */
#ifndef USMP_RUNTIME_H_
#define USMP_RUNTIME_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A kernel is a static function in a header of its own: unused parts vanish, and the compiler may
   make a copy for constant parameters. Never inlined into `run`, so that stack and code size stay
   what the report says. */
#if defined(__GNUC__) || defined(__clang__)
#define USMP_KERNEL static __attribute__((noinline, unused))
#define USMP_INLINE static inline __attribute__((always_inline, unused))
#else
#define USMP_KERNEL static
#define USMP_INLINE static inline
#endif

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1) == 1
#define USMP_ARM_MVE 1 /* the integer vectors of Cortex-M55 and M85 */
#include <arm_mve.h>
#endif

/* Four bytes, wherever they are aligned. */
USMP_INLINE uint32_t usmp_load_word(const int8_t* p) {
  uint32_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

/* The DSP extension of Arm's microcontrollers (Cortex-M4, M7, M33), for compilers with GNU's
   assembler statements. Statements of one instruction each, volatile so that they stay in the order
   of the source, which is the order with the fewest live registers: the compiler's own scheduling
   of intrinsics spills several of them. */
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_FEATURE_UNALIGNED) && defined(__GNUC__) && \
    (__ARM_FEATURE_DSP == 1)
#define USMP_ARM_DSP 1

/* The next four bytes, wherever they are aligned. */
#define USMP_DSP_LOAD(word, pointer) \
  __asm__ volatile("ldr %0, [%1], #4" : "=r"(word), "+r"(pointer) : : "memory")

/* Bytes 0 and 2, or 1 and 3, as two signed halfwords. */
USMP_INLINE uint32_t usmp_dsp_even(uint32_t bytes) {
  uint32_t halves;
  __asm__ volatile("sxtb16 %0, %1" : "=r"(halves) : "r"(bytes));
  return halves;
}
USMP_INLINE uint32_t usmp_dsp_odd(uint32_t bytes) {
  uint32_t halves;
  __asm__ volatile("sxtb16 %0, %1, ror #8" : "=r"(halves) : "r"(bytes));
  return halves;
}
/* sum + the product of the lower, of the upper halfwords, + both. */
USMP_INLINE uint32_t usmp_dsp_dot_low(uint32_t sum, uint32_t a, uint32_t b) {
  __asm__ volatile("smlabb %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
  return sum;
}
USMP_INLINE uint32_t usmp_dsp_dot_high(uint32_t sum, uint32_t a, uint32_t b) {
  __asm__ volatile("smlatt %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
  return sum;
}
USMP_INLINE uint32_t usmp_dsp_dot(uint32_t sum, uint32_t a, uint32_t b) {
  __asm__ volatile("smlad %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
  return sum;
}
#endif

USMP_INLINE int32_t usmp_min_s32(int32_t a, int32_t b) { return a < b ? a : b; }
USMP_INLINE int32_t usmp_max_s32(int32_t a, int32_t b) { return a > b ? a : b; }
USMP_INLINE int32_t usmp_clamp_s32(int32_t x, int32_t low, int32_t high) {
  return usmp_min_s32(usmp_max_s32(x, low), high);
}

/* a * b / 2^31, rounded to nearest, ties to +infinity; a == b == INT32_MIN saturates. */
USMP_INLINE int32_t usmp_doubling_high_multiply(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  return (int32_t)(((int64_t)a * b + ((int64_t)1 << 30)) >> 31);
}

/* x / 2^exponent, rounded half away from zero; exponent in [0, 31]. */
USMP_INLINE int32_t usmp_rounding_shift_right(int32_t x, int32_t exponent) {
  const int32_t mask = (int32_t)(((int64_t)1 << exponent) - 1);
  const int32_t remainder = x & mask;
  const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

/* x * multiplier * 2^(shift - 31), both roundings of the reference. x << shift must not overflow.
 */
USMP_INLINE int32_t usmp_requantize(int32_t x, int32_t multiplier, int32_t shift) {
  const int32_t left = shift > 0 ? shift : 0;
  const int32_t right = shift > 0 ? 0 : -shift;
  const int32_t scaled = (int32_t)((uint32_t)x << left);
  return usmp_rounding_shift_right(usmp_doubling_high_multiply(scaled, multiplier), right);
}

/* a + b modulo 2^32 */
USMP_INLINE int32_t usmp_add_s32(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

struct usmp_requantization {
  int32_t multiplier;
  int32_t shift; /* in [-20, 30]; or in [-31, -21] with 64 added */
  int32_t zero_point;
};

/* What usmp_requantize_s8 does outside shifts in [-20, -1]; on its own because it is rare. */
USMP_KERNEL int8_t usmp_requantize_rare_s8(int32_t x, struct usmp_requantization r) {
  const int32_t shift = r.shift > 31 ? r.shift - 64 : r.shift;
  const int32_t y = usmp_requantize(x, r.multiplier, shift);
  return (int8_t)(usmp_clamp_s32(y, -128 - r.zero_point, 127 - r.zero_point) + r.zero_point);
}

/* usmp_requantize(x, multiplier, shift) + zero_point, saturated to int8. */
USMP_INLINE int8_t usmp_requantize_s8(int32_t x, struct usmp_requantization r) {
  const int32_t halvings = ~r.shift; /* -shift - 1 */
  if (halvings < 0) return usmp_requantize_rare_s8(x, r);
  /* Half away from zero by 2^(n + 1): subtract 1 from negative numbers, shift by n, add 1, shift
     by 1. The zero point joins before the last shift. */
  const int32_t offset = 2 * r.zero_point + 1;
#if defined(USMP_ARM_DSP)
  /* smmulr is (a * b + 2^31) >> 32: twice x gives the rounding of the reference. Twice x saturates
     only where the result does, since no shift here is below -20. */
  int32_t y;
  __asm__("qadd %0, %1, %1\n\tsmmulr %0, %0, %2" : "=&r"(y) : "r"(x), "r"(r.multiplier));
  y = ((y + (y >> 31)) >> halvings) + offset;
  __asm__("ssat %0, #8, %1, asr #1" : "=r"(y) : "r"(y));
  return (int8_t)y;
#else
  const int64_t high = ((int64_t)x * r.multiplier + ((int64_t)1 << 30)) >> 31;
  const int64_t y = ((high + (high >> 63)) >> halvings) + offset;
  return (int8_t)usmp_clamp_s32((int32_t)(y >> 1), -128, 127);
#endif
}

#if defined(USMP_ARM_MVE)
/* usmp_requantize_s8 of four accumulators, still as words. vqrdmulh rounds as the reference; vrshl
   rounds half up, so that negative numbers that are to be shifted lose 1 first. */
USMP_INLINE int32x4_t usmp_mve_requantize(int32x4_t x, int32x4_t multiplier, int32x4_t shift,
                                          int32_t zero_point) {
  const int32x4_t zero = vdupq_n_s32(0);
  shift = vshrq_n_s32(vshlq_n_s32(shift, 26), 26); /* without the 64 of small scales */
  const int32x4_t right = vminq_s32(shift, zero);  /* negative */
  int32x4_t y = vqrdmulhq_s32(vshlq_s32(x, vmaxq_s32(shift, zero)), multiplier);
  y = vrshlq_s32(vaddq_s32(y, vshrq_n_s32(vandq_s32(y, right), 31)), right);
  y = vqaddq_n_s32(y, zero_point);
  return vmaxq_s32(vminq_s32(y, vdupq_n_s32(127)), vdupq_n_s32(-128));
}
#endif

/* usmp_requantize_s8 of n accumulators, a multiple of 4; `step` is 1, or 0 for one multiplier for
 * all. */
USMP_INLINE void usmp_requantize_run_s8(const int32_t* x, int32_t n, const int32_t* multipliers,
                                        const int8_t* shifts, ptrdiff_t step, int32_t zero_point,
                                        int8_t* out) {
#if defined(USMP_ARM_MVE)
  for (int32_t i = 0; i < n; i += 4, multipliers += 4 * step, shifts += 4 * step) {
    const int32x4_t m = step != 0 ? vldrwq_s32(multipliers) : vdupq_n_s32(*multipliers);
    const int32x4_t s = step != 0 ? vldrbq_s32(shifts) : vdupq_n_s32(*shifts);
    vstrbq_s32(out + i, usmp_mve_requantize(vldrwq_s32(x + i), m, s, zero_point));
  }
#else
  for (int32_t i = 0; i < n; ++i, multipliers += step, shifts += step) {
    const struct usmp_requantization r = {*multipliers, *shifts, zero_point};
    out[i] = usmp_requantize_s8(x[i], r);
  }
#endif
}

/* Clamps `pixels` pixels of `channels` elements, unless [min, max] is all of int8. */
USMP_KERNEL void usmp_clamp_pixels_s8(int8_t* out, int32_t pixels, int32_t pixel_stride,
                                      int32_t channels, int32_t min, int32_t max) {
  if (min <= -128 && max >= 127) return;
  for (; pixels > 0; --pixels, out += pixel_stride) {
    for (int32_t i = 0; i < channels; ++i) out[i] = (int8_t)usmp_clamp_s32(out[i], min, max);
  }
}

/* The rows of a window that starts at input row `in_y`: NULL where a row is outside the image. */
USMP_INLINE void usmp_window_rows(const int8_t* image, ptrdiff_t row_bytes, int32_t in_h,
                                  int32_t in_y, int32_t dilation, int32_t kernel_h,
                                  const int8_t** rows) {
  for (int32_t ky = 0; ky < kernel_h; ++ky, in_y += dilation) {
    rows[ky] = in_y >= 0 && in_y < in_h ? image + in_y * row_bytes : NULL;
  }
}

/* What a spatial kernel computes in one call of its _part function: output pixels [x_begin, x_end)
   of output row y. Row r of the input is at r modulo in_rows: a ring, or with in_rows == in_h the
   whole image. */
struct usmp_part {
  int16_t y;
  int16_t x_begin;
  int16_t x_end;
  int16_t in_rows;
};

/* usmp_window_rows where row r is at r modulo ring_rows. */
USMP_INLINE void usmp_ring_rows(const int8_t* ring, ptrdiff_t row_bytes, int32_t ring_rows,
                                int32_t in_h, int32_t in_y, int32_t dilation, int32_t kernel_h,
                                const int8_t** rows) {
  for (int32_t ky = 0; ky < kernel_h; ++ky, in_y += dilation) {
    rows[ky] = in_y >= 0 && in_y < in_h ? ring + in_y % ring_rows * row_bytes : NULL;
  }
}

#endif /* USMP_RUNTIME_H_ */
