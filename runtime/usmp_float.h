/* What the float kernels share: four floats at a time, and the rows and taps of a window.

   usmp_f32x4 is a vector where the processor has one (SSE, Helium) and four scalars elsewhere.
   Every lane is computed on its own and in the order written, so results do not depend on which of
   the three it is, except that Arm's fused multiply-add rounds once instead of twice. */
#ifndef USMP_FLOAT_H_
#define USMP_FLOAT_H_

#include "usmp_runtime.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#elif defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
#include <arm_mve.h>
#endif

/* As std::max(a, b) and std::min(a, b): the first operand where they are equal or either is NaN. */
USMP_INLINE float usmp_max_f32(float a, float b) { return a < b ? b : a; }
USMP_INLINE float usmp_min_f32(float a, float b) { return b < a ? b : a; }
USMP_INLINE float usmp_clamp_f32(float x, float low, float high) {
  return usmp_min_f32(usmp_max_f32(x, low), high);
}

/* The pointers to the rows that one output row needs, of which the first is row `first` of the
   image `in`; NULL: outside the image. */
USMP_KERNEL void usmp_window_rows_f32(const float** rows, const float* in, ptrdiff_t row_stride,
                                      int32_t in_h, int32_t first, int32_t kernel_h,
                                      int32_t dilation_h) {
  for (int32_t ky = 0; ky < kernel_h; ++ky, first += dilation_h) {
    rows[ky] = first >= 0 && first < in_h ? in + first * row_stride : NULL;
  }
}

/* The same where row r is at r modulo ring_rows. */
USMP_INLINE void usmp_ring_rows_f32(const float** rows, const float* ring, ptrdiff_t row_stride,
                                    int32_t ring_rows, int32_t in_h, int32_t first,
                                    int32_t kernel_h, int32_t dilation_h) {
  for (int32_t ky = 0; ky < kernel_h; ++ky, first += dilation_h) {
    rows[ky] = first >= 0 && first < in_h ? ring + first % ring_rows * row_stride : NULL;
  }
}

/* Which taps [begin, end) of a window lie inside the image, if the first is in column `first`. */
USMP_INLINE int32_t usmp_taps_begin(int32_t first, int32_t kernel_w, int32_t dilation_w) {
  return first >= 0 ? 0 : usmp_min_s32((dilation_w - 1 - first) / dilation_w, kernel_w);
}
USMP_INLINE int32_t usmp_taps_end(int32_t first, int32_t begin, int32_t kernel_w,
                                  int32_t dilation_w, int32_t in_w) {
  if (first >= in_w) return begin;
  if (first + (kernel_w - 1) * dilation_w < in_w) return kernel_w; /* mostly: no division */
  return usmp_clamp_s32((in_w - first + dilation_w - 1) / dilation_w, begin, kernel_w);
}

/* sum + a * b; fused only where that is one instruction of an Arm core. */
USMP_INLINE float usmp_multiply_add_f32(float sum, float a, float b) {
#if defined(__ARM_FEATURE_FMA)
  return __builtin_fmaf(a, b, sum);
#else
  return sum + a * b;
#endif
}

#if defined(__SSE__)

typedef __m128 usmp_f32x4;

USMP_INLINE usmp_f32x4 usmp_load_f32x4(const float* from) { return _mm_loadu_ps(from); }
USMP_INLINE void usmp_store_f32x4(float* to, usmp_f32x4 x) { _mm_storeu_ps(to, x); }
USMP_INLINE usmp_f32x4 usmp_splat_f32x4(float x) { return _mm_set1_ps(x); }
USMP_INLINE usmp_f32x4 usmp_make_f32x4(float a, float b, float c, float d) {
  return _mm_set_ps(d, c, b, a);
}
USMP_INLINE usmp_f32x4 usmp_add_f32x4(usmp_f32x4 a, usmp_f32x4 b) { return _mm_add_ps(a, b); }
USMP_INLINE usmp_f32x4 usmp_multiply_f32x4(usmp_f32x4 a, usmp_f32x4 b) { return _mm_mul_ps(a, b); }
USMP_INLINE usmp_f32x4 usmp_multiply_add_f32x4(usmp_f32x4 sum, usmp_f32x4 a, usmp_f32x4 b) {
  return _mm_add_ps(sum, _mm_mul_ps(a, b));
}
USMP_INLINE usmp_f32x4 usmp_scaled_add_f32x4(usmp_f32x4 sum, float a, usmp_f32x4 b) {
  return usmp_multiply_add_f32x4(sum, _mm_set1_ps(a), b);
}
/* _mm_max_ps and _mm_min_ps give their second operand where std::max and std::min give the first.
 */
USMP_INLINE usmp_f32x4 usmp_max_f32x4(usmp_f32x4 a, usmp_f32x4 b) { return _mm_max_ps(b, a); }
USMP_INLINE usmp_f32x4 usmp_min_f32x4(usmp_f32x4 a, usmp_f32x4 b) { return _mm_min_ps(b, a); }

#elif defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)

typedef float32x4_t usmp_f32x4;

USMP_INLINE usmp_f32x4 usmp_load_f32x4(const float* from) { return vldrwq_f32(from); }
USMP_INLINE void usmp_store_f32x4(float* to, usmp_f32x4 x) { vstrwq_f32(to, x); }
USMP_INLINE usmp_f32x4 usmp_splat_f32x4(float x) { return vdupq_n_f32(x); }
USMP_INLINE usmp_f32x4 usmp_make_f32x4(float a, float b, float c, float d) {
  const usmp_f32x4 x = {a, b, c, d};
  return x;
}
USMP_INLINE usmp_f32x4 usmp_add_f32x4(usmp_f32x4 a, usmp_f32x4 b) { return vaddq_f32(a, b); }
USMP_INLINE usmp_f32x4 usmp_multiply_f32x4(usmp_f32x4 a, usmp_f32x4 b) { return vmulq_f32(a, b); }
USMP_INLINE usmp_f32x4 usmp_multiply_add_f32x4(usmp_f32x4 sum, usmp_f32x4 a, usmp_f32x4 b) {
  return vfmaq_f32(sum, a, b);
}
USMP_INLINE usmp_f32x4 usmp_scaled_add_f32x4(usmp_f32x4 sum, float a, usmp_f32x4 b) {
  return vfmaq_n_f32(sum, b, a);
}
/* "Greater" is false where an operand is NaN; Helium's "less" is true there. */
USMP_INLINE usmp_f32x4 usmp_max_f32x4(usmp_f32x4 a, usmp_f32x4 b) {
  return vpselq_f32(b, a, vcmpgtq_f32(b, a));
}
USMP_INLINE usmp_f32x4 usmp_min_f32x4(usmp_f32x4 a, usmp_f32x4 b) {
  return vpselq_f32(b, a, vcmpgtq_f32(a, b));
}

#else

typedef struct {
  float a, b, c, d;
} usmp_f32x4;

USMP_INLINE usmp_f32x4 usmp_load_f32x4(const float* from) {
  const usmp_f32x4 x = {from[0], from[1], from[2], from[3]};
  return x;
}
USMP_INLINE void usmp_store_f32x4(float* to, usmp_f32x4 x) {
  to[0] = x.a;
  to[1] = x.b;
  to[2] = x.c;
  to[3] = x.d;
}
USMP_INLINE usmp_f32x4 usmp_splat_f32x4(float x) {
  const usmp_f32x4 all = {x, x, x, x};
  return all;
}
USMP_INLINE usmp_f32x4 usmp_make_f32x4(float a, float b, float c, float d) {
  const usmp_f32x4 x = {a, b, c, d};
  return x;
}
USMP_INLINE usmp_f32x4 usmp_add_f32x4(usmp_f32x4 x, usmp_f32x4 y) {
  const usmp_f32x4 sum = {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};
  return sum;
}
USMP_INLINE usmp_f32x4 usmp_multiply_f32x4(usmp_f32x4 x, usmp_f32x4 y) {
  const usmp_f32x4 product = {x.a * y.a, x.b * y.b, x.c * y.c, x.d * y.d};
  return product;
}
USMP_INLINE usmp_f32x4 usmp_multiply_add_f32x4(usmp_f32x4 sum, usmp_f32x4 x, usmp_f32x4 y) {
  const usmp_f32x4 result = {
      usmp_multiply_add_f32(sum.a, x.a, y.a), usmp_multiply_add_f32(sum.b, x.b, y.b),
      usmp_multiply_add_f32(sum.c, x.c, y.c), usmp_multiply_add_f32(sum.d, x.d, y.d)};
  return result;
}
USMP_INLINE usmp_f32x4 usmp_scaled_add_f32x4(usmp_f32x4 sum, float x, usmp_f32x4 y) {
  return usmp_multiply_add_f32x4(sum, usmp_splat_f32x4(x), y);
}
USMP_INLINE usmp_f32x4 usmp_max_f32x4(usmp_f32x4 x, usmp_f32x4 y) {
  const usmp_f32x4 larger = {usmp_max_f32(x.a, y.a), usmp_max_f32(x.b, y.b), usmp_max_f32(x.c, y.c),
                             usmp_max_f32(x.d, y.d)};
  return larger;
}
USMP_INLINE usmp_f32x4 usmp_min_f32x4(usmp_f32x4 x, usmp_f32x4 y) {
  const usmp_f32x4 smaller = {usmp_min_f32(x.a, y.a), usmp_min_f32(x.b, y.b),
                              usmp_min_f32(x.c, y.c), usmp_min_f32(x.d, y.d)};
  return smaller;
}

#endif

/* Clamps four floats in memory: a function of its own where it is dozens of instructions. */
#if !defined(__SSE__) && !(defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2))
USMP_KERNEL void usmp_clamp_four_f32(float* x, float low, float high) {
  for (int32_t i = 0; i < 4; ++i) x[i] = usmp_clamp_f32(x[i], low, high);
}
#endif

USMP_INLINE void usmp_store_clamped_f32x4(float* to, usmp_f32x4 x, float low, float high) {
#if defined(__SSE__) || (defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2))
  x = usmp_max_f32x4(x, usmp_splat_f32x4(low));
  usmp_store_f32x4(to, usmp_min_f32x4(x, usmp_splat_f32x4(high)));
#else
  usmp_store_f32x4(to, x);
  usmp_clamp_four_f32(to, low, high);
#endif
}

#endif /* USMP_FLOAT_H_ */
