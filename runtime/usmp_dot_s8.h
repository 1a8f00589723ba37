/* Sums of products of int8 vectors with rows of int8 weights, by blocks: what the convolutions
   spend their time in. Two blocks, each a struct that the compiler keeps in registers and three
   functions (clear, add, get):

     pair: 2 vectors by USMP_DOT_S8_PAIR_ROWS rows; sum of row r and vector v is number 2 * r + v
     quad: 1 vector by 4 rows

   Fastest where n is a multiple of USMP_DOT_S8_STEP.

   One variant for Arm's vector extension (Cortex-M55, M85), one for its DSP extension (Cortex-M4,
   M7, M33), one for SSE2 and one for everything else. Nothing is read beyond the n elements; sums
   wrap modulo 2^32. */
#ifndef USMP_DOT_S8_H_
#define USMP_DOT_S8_H_

#include "usmp_runtime.h"

#if defined(__SSE2__)
#include <emmintrin.h>

enum { USMP_DOT_S8_PAIR_ROWS = 4, USMP_DOT_S8_STEP = 8 };

struct usmp_dot_s8_pair {
  __m128i sum[8]; /* of each four partial sums */
};
struct usmp_dot_s8_quad {
  __m128i sum[4];
};

/* Eight elements, or n < 8 of them and zeros, widened to 16 bits. */
USMP_INLINE __m128i usmp_dot_s8_widen(__m128i v) {
  return _mm_srai_epi16(_mm_unpacklo_epi8(v, v), 8);
}
USMP_INLINE __m128i usmp_dot_s8_load(const int8_t* p) {
  return usmp_dot_s8_widen(_mm_loadl_epi64((const __m128i*)(const void*)p));
}
USMP_INLINE __m128i usmp_dot_s8_load_part(const int8_t* p, int32_t n) {
  uint64_t bytes = 0;
  for (int32_t i = n - 1; i >= 0; --i) bytes = bytes << 8 | (uint8_t)p[i];
  return usmp_dot_s8_widen(_mm_loadl_epi64((const __m128i*)(const void*)&bytes));
}
USMP_INLINE void usmp_dot_s8_row_pair(__m128i* sum, __m128i x0, __m128i x1, __m128i w) {
  sum[0] = _mm_add_epi32(sum[0], _mm_madd_epi16(x0, w));
  sum[1] = _mm_add_epi32(sum[1], _mm_madd_epi16(x1, w));
}
USMP_INLINE void usmp_dot_s8_row(__m128i* sum, __m128i x, __m128i w) {
  *sum = _mm_add_epi32(*sum, _mm_madd_epi16(x, w));
}

/* The totals of four vectors of partial sums. */
USMP_INLINE void usmp_dot_s8_reduce(const __m128i* sum, int32_t* out) {
  const __m128i a =
      _mm_add_epi32(_mm_unpacklo_epi32(sum[0], sum[1]), _mm_unpackhi_epi32(sum[0], sum[1]));
  const __m128i b =
      _mm_add_epi32(_mm_unpacklo_epi32(sum[2], sum[3]), _mm_unpackhi_epi32(sum[2], sum[3]));
  const __m128i total = _mm_add_epi32(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b));
  _mm_storeu_si128((__m128i*)(void*)out, total);
}

USMP_INLINE void usmp_dot_s8_pair_start(struct usmp_dot_s8_pair* s, const int32_t* bias) {
  for (int i = 0; i < 8; ++i) s->sum[i] = _mm_cvtsi32_si128(bias[i / 2]);
}
USMP_INLINE void usmp_dot_s8_pair_add(struct usmp_dot_s8_pair* s, const int8_t* x0,
                                      const int8_t* x1, const int8_t* w, ptrdiff_t w_row,
                                      int32_t n) {
  for (; n >= 8; n -= 8, x0 += 8, x1 += 8, w += 8) {
    const __m128i a = usmp_dot_s8_load(x0);
    const __m128i b = usmp_dot_s8_load(x1);
    usmp_dot_s8_row_pair(&s->sum[0], a, b, usmp_dot_s8_load(w));
    usmp_dot_s8_row_pair(&s->sum[2], a, b, usmp_dot_s8_load(w + w_row));
    usmp_dot_s8_row_pair(&s->sum[4], a, b, usmp_dot_s8_load(w + 2 * w_row));
    usmp_dot_s8_row_pair(&s->sum[6], a, b, usmp_dot_s8_load(w + 3 * w_row));
  }
  if (n > 0) {
    const __m128i a = usmp_dot_s8_load_part(x0, n);
    const __m128i b = usmp_dot_s8_load_part(x1, n);
    usmp_dot_s8_row_pair(&s->sum[0], a, b, usmp_dot_s8_load_part(w, n));
    usmp_dot_s8_row_pair(&s->sum[2], a, b, usmp_dot_s8_load_part(w + w_row, n));
    usmp_dot_s8_row_pair(&s->sum[4], a, b, usmp_dot_s8_load_part(w + 2 * w_row, n));
    usmp_dot_s8_row_pair(&s->sum[6], a, b, usmp_dot_s8_load_part(w + 3 * w_row, n));
  }
}
USMP_INLINE void usmp_dot_s8_pair_get(const struct usmp_dot_s8_pair* s, int32_t* out) {
  usmp_dot_s8_reduce(s->sum, out);
  usmp_dot_s8_reduce(s->sum + 4, out + 4);
}

USMP_INLINE void usmp_dot_s8_quad_start(struct usmp_dot_s8_quad* s, const int32_t* bias) {
  for (int i = 0; i < 4; ++i) s->sum[i] = _mm_cvtsi32_si128(bias[i]);
}
USMP_INLINE void usmp_dot_s8_quad_add(struct usmp_dot_s8_quad* s, const int8_t* x, const int8_t* w,
                                      ptrdiff_t w_row, int32_t n) {
  for (; n >= 8; n -= 8, x += 8, w += 8) {
    const __m128i a = usmp_dot_s8_load(x);
    usmp_dot_s8_row(&s->sum[0], a, usmp_dot_s8_load(w));
    usmp_dot_s8_row(&s->sum[1], a, usmp_dot_s8_load(w + w_row));
    usmp_dot_s8_row(&s->sum[2], a, usmp_dot_s8_load(w + 2 * w_row));
    usmp_dot_s8_row(&s->sum[3], a, usmp_dot_s8_load(w + 3 * w_row));
  }
  if (n > 0) {
    const __m128i a = usmp_dot_s8_load_part(x, n);
    usmp_dot_s8_row(&s->sum[0], a, usmp_dot_s8_load_part(w, n));
    usmp_dot_s8_row(&s->sum[1], a, usmp_dot_s8_load_part(w + w_row, n));
    usmp_dot_s8_row(&s->sum[2], a, usmp_dot_s8_load_part(w + 2 * w_row, n));
    usmp_dot_s8_row(&s->sum[3], a, usmp_dot_s8_load_part(w + 3 * w_row, n));
  }
}
USMP_INLINE void usmp_dot_s8_quad_get(const struct usmp_dot_s8_quad* s, int32_t* out) {
  usmp_dot_s8_reduce(s->sum, out);
}

#else /* not SSE2 */

enum { USMP_DOT_S8_PAIR_ROWS = 2, USMP_DOT_S8_STEP = 4 };

struct usmp_dot_s8_pair {
  uint32_t a0, a1, b0, b1; /* rows a and b, vectors 0 and 1 */
};
struct usmp_dot_s8_quad {
  uint32_t a, b, c, d; /* rows */
};

USMP_INLINE void usmp_dot_s8_pair_start(struct usmp_dot_s8_pair* s, const int32_t* bias) {
  s->a0 = s->a1 = (uint32_t)bias[0];
  s->b0 = s->b1 = (uint32_t)bias[1];
}
USMP_INLINE void usmp_dot_s8_pair_get(const struct usmp_dot_s8_pair* s, int32_t* out) {
  out[0] = (int32_t)s->a0;
  out[1] = (int32_t)s->a1;
  out[2] = (int32_t)s->b0;
  out[3] = (int32_t)s->b1;
}
USMP_INLINE void usmp_dot_s8_quad_start(struct usmp_dot_s8_quad* s, const int32_t* bias) {
  s->a = (uint32_t)bias[0];
  s->b = (uint32_t)bias[1];
  s->c = (uint32_t)bias[2];
  s->d = (uint32_t)bias[3];
}
USMP_INLINE void usmp_dot_s8_quad_get(const struct usmp_dot_s8_quad* s, int32_t* out) {
  out[0] = (int32_t)s->a;
  out[1] = (int32_t)s->b;
  out[2] = (int32_t)s->c;
  out[3] = (int32_t)s->d;
}

#if defined(USMP_ARM_MVE)

USMP_INLINE void usmp_dot_s8_pair_add(struct usmp_dot_s8_pair* s, const int8_t* x0,
                                      const int8_t* x1, const int8_t* w, ptrdiff_t w_row,
                                      int32_t n) {
  const int8_t* v = w + w_row;
  int32_t a0 = (int32_t)s->a0, a1 = (int32_t)s->a1, b0 = (int32_t)s->b0, b1 = (int32_t)s->b1;
  for (; n >= 16; n -= 16, x0 += 16, x1 += 16, w += 16, v += 16) {
    const int8x16_t p = vldrbq_s8(x0), q = vldrbq_s8(x1), a = vldrbq_s8(w), b = vldrbq_s8(v);
    a0 = vmladavaq_s8(a0, p, a);
    a1 = vmladavaq_s8(a1, q, a);
    b0 = vmladavaq_s8(b0, p, b);
    b1 = vmladavaq_s8(b1, q, b);
  }
  if (n > 0) { /* lanes that are not loaded are 0 */
    const mve_pred16_t some = vctp8q((uint32_t)n);
    const int8x16_t p = vldrbq_z_s8(x0, some), q = vldrbq_z_s8(x1, some);
    const int8x16_t a = vldrbq_z_s8(w, some), b = vldrbq_z_s8(v, some);
    a0 = vmladavaq_s8(a0, p, a);
    a1 = vmladavaq_s8(a1, q, a);
    b0 = vmladavaq_s8(b0, p, b);
    b1 = vmladavaq_s8(b1, q, b);
  }
  s->a0 = (uint32_t)a0, s->a1 = (uint32_t)a1, s->b0 = (uint32_t)b0, s->b1 = (uint32_t)b1;
}

USMP_INLINE void usmp_dot_s8_quad_add(struct usmp_dot_s8_quad* s, const int8_t* x, const int8_t* w,
                                      ptrdiff_t w_row, int32_t n) {
  int32_t a = (int32_t)s->a, b = (int32_t)s->b, c = (int32_t)s->c, d = (int32_t)s->d;
  for (; n >= 16; n -= 16, x += 16, w += 16) {
    const int8x16_t p = vldrbq_s8(x);
    a = vmladavaq_s8(a, p, vldrbq_s8(w));
    b = vmladavaq_s8(b, p, vldrbq_s8(w + w_row));
    c = vmladavaq_s8(c, p, vldrbq_s8(w + 2 * w_row));
    d = vmladavaq_s8(d, p, vldrbq_s8(w + 3 * w_row));
  }
  if (n > 0) {
    const mve_pred16_t some = vctp8q((uint32_t)n);
    const int8x16_t p = vldrbq_z_s8(x, some);
    a = vmladavaq_s8(a, p, vldrbq_z_s8(w, some));
    b = vmladavaq_s8(b, p, vldrbq_z_s8(w + w_row, some));
    c = vmladavaq_s8(c, p, vldrbq_z_s8(w + 2 * w_row, some));
    d = vmladavaq_s8(d, p, vldrbq_z_s8(w + 3 * w_row, some));
  }
  s->a = (uint32_t)a, s->b = (uint32_t)b, s->c = (uint32_t)c, s->d = (uint32_t)d;
}

#else /* neither SSE2 nor MVE */

#if defined(USMP_ARM_DSP)
/* Four elements more; fourteen registers are live in a pair. */
#define USMP_DOT_S8_PAIR_STEP()                                \
  do {                                                         \
    uint32_t p, q, w, p_even, q_even, w_even;                  \
    USMP_DSP_LOAD(p, x0);                                      \
    USMP_DSP_LOAD(q, x1);                                      \
    USMP_DSP_LOAD(w, row_a);                                   \
    p_even = usmp_dsp_even(p), p = usmp_dsp_odd(p);            \
    q_even = usmp_dsp_even(q), q = usmp_dsp_odd(q);            \
    w_even = usmp_dsp_even(w), w = usmp_dsp_odd(w);            \
    a0 = usmp_dsp_dot(usmp_dsp_dot(a0, p_even, w_even), p, w); \
    a1 = usmp_dsp_dot(usmp_dsp_dot(a1, q_even, w_even), q, w); \
    USMP_DSP_LOAD(w, row_b);                                   \
    w_even = usmp_dsp_even(w), w = usmp_dsp_odd(w);            \
    b0 = usmp_dsp_dot(usmp_dsp_dot(b0, p_even, w_even), p, w); \
    b1 = usmp_dsp_dot(usmp_dsp_dot(b1, q_even, w_even), q, w); \
  } while (0)
#define USMP_DOT_S8_QUAD_ROW(sum, row)                               \
  do {                                                               \
    USMP_DSP_LOAD(w, row);                                           \
    w_even = usmp_dsp_even(w), w = usmp_dsp_odd(w);                  \
    sum = usmp_dsp_dot(usmp_dsp_dot(sum, x_even, w_even), x_odd, w); \
  } while (0)
#define USMP_DOT_S8_QUAD_STEP()        \
  do {                                 \
    uint32_t x_odd, x_even, w, w_even; \
    USMP_DSP_LOAD(x_odd, x);           \
    x_even = usmp_dsp_even(x_odd);     \
    x_odd = usmp_dsp_odd(x_odd);       \
    USMP_DOT_S8_QUAD_ROW(a, row_a);    \
    USMP_DOT_S8_QUAD_ROW(b, row_b);    \
    USMP_DOT_S8_QUAD_ROW(c, row_c);    \
    USMP_DOT_S8_QUAD_ROW(d, row_d);    \
  } while (0)
#endif

USMP_INLINE void usmp_dot_s8_pair_add(struct usmp_dot_s8_pair* s, const int8_t* x0,
                                      const int8_t* x1, const int8_t* row_a, ptrdiff_t w_row,
                                      int32_t n) {
  const int8_t* row_b = row_a + w_row;
  uint32_t a0 = s->a0, a1 = s->a1, b0 = s->b0, b1 = s->b1;
#if defined(USMP_ARM_DSP)
  for (const int8_t* end = x0 + (n & ~7); x0 != end;) {
    USMP_DOT_S8_PAIR_STEP();
    USMP_DOT_S8_PAIR_STEP();
  }
  if ((n & 4) != 0) USMP_DOT_S8_PAIR_STEP();
  n &= 3;
#endif
  for (int32_t i = 0; i < n; ++i) {
    a0 += (uint32_t)(x0[i] * row_a[i]);
    a1 += (uint32_t)(x1[i] * row_a[i]);
    b0 += (uint32_t)(x0[i] * row_b[i]);
    b1 += (uint32_t)(x1[i] * row_b[i]);
  }
  s->a0 = a0, s->a1 = a1, s->b0 = b0, s->b1 = b1;
}

USMP_INLINE void usmp_dot_s8_quad_add(struct usmp_dot_s8_quad* s, const int8_t* x,
                                      const int8_t* row_a, ptrdiff_t w_row, int32_t n) {
  const int8_t* row_b = row_a + w_row;
  const int8_t* row_c = row_b + w_row;
  const int8_t* row_d = row_c + w_row;
  uint32_t a = s->a, b = s->b, c = s->c, d = s->d;
#if defined(USMP_ARM_DSP)
  for (const int8_t* end = x + (n & ~7); x != end;) {
    USMP_DOT_S8_QUAD_STEP();
    USMP_DOT_S8_QUAD_STEP();
  }
  if ((n & 4) != 0) USMP_DOT_S8_QUAD_STEP();
  n &= 3;
#endif
  for (int32_t i = 0; i < n; ++i) {
    a += (uint32_t)(x[i] * row_a[i]);
    b += (uint32_t)(x[i] * row_b[i]);
    c += (uint32_t)(x[i] * row_c[i]);
    d += (uint32_t)(x[i] * row_d[i]);
  }
  s->a = a, s->b = b, s->c = c, s->d = d;
}

#endif /* MVE or not */
#endif /* SSE2 or not */

#endif /* USMP_DOT_S8_H_ */
