/* DEPTHWISE_CONV_2D, int8, with stride, dilation, padding and any depth multiplier.

   Reads and writes output pixel by output pixel, left to right and downwards, and within a pixel
   block by block of channels, or all the other way about with p->reverse. A block reads only its
   own channels of the window. The last block of a pixel may read and write some channels of the
   block before it again. Each output gets its value once, except that an activation narrower than
   int8 is applied in a second pass over what the call has just written.
   Distances: DepthwiseConv2dS8Distances (src/lower/conv_scan.cc). */
#ifndef USMP_KERNELS_DEPTHWISE_CONV2D_S8_H_
#define USMP_KERNELS_DEPTHWISE_CONV2D_S8_H_

#include "../usmp_runtime.h"

enum { USMP_DEPTHWISE_CONV2D_S8_MAX_ROWS = 8, USMP_DEPTHWISE_CONV2D_S8_MAX_TAPS = 16 };

struct usmp_depthwise_conv2d_s8_params {
  int32_t batches;
  int32_t in_h;
  int32_t in_w;
  int32_t in_pixel_stride; /* elements from a pixel to the next of its row */
  int32_t out_h;
  int32_t out_w;
  int32_t out_pixel_stride;
  int32_t channels; /* of the output: depth_multiplier for each input channel */
  int32_t depth_multiplier;
  int32_t kernel_h;
  int32_t kernel_w;
  int32_t stride_h;
  int32_t stride_w;
  int32_t dilation_h;
  int32_t dilation_w;
  int32_t pad_top;
  int32_t pad_left;
  int32_t out_zero_point;
  int32_t act_min;
  int32_t act_max;
  int32_t multiplier_step; /* 1: a multiplier for each output channel; 0: one for all */
  int32_t reverse;         /* scan direction: 0 forward, 1 from the last pixel to the first */
};

struct usmp_depthwise_conv2d_s8_constants {
  const int8_t* weights;      /* [kernel_h][kernel_w][channels] */
  const int32_t* bias;        /* by channel; -in_zero_point * sum(weights) folded in */
  const int32_t* multipliers; /* see multiplier_step */
  const int8_t* shifts;
  const int8_t* padding;    /* a pixel outside the image: its channels times in_zero_point */
  const int8_t** many_taps; /* space for kernel_h * kernel_w pointers if there are more than
                               MAX_TAPS, else NULL */
};

/* Where the taps of the window that starts at input column in_x begin: channel 0 of their pixels.
 */
USMP_INLINE void usmp_depthwise_conv2d_s8_find_taps(
    const struct usmp_depthwise_conv2d_s8_params* p,
    const struct usmp_depthwise_conv2d_s8_constants* c, const int8_t* const* rows, int32_t in_x,
    const int8_t** taps) {
  for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
    const int8_t* row = rows[ky];
    int32_t x = in_x;
    for (int32_t kx = 0; kx < p->kernel_w; ++kx, x += p->dilation_w) {
      const int inside = row != NULL && (uint32_t)x < (uint32_t)p->in_w;
      *taps++ = inside ? row + (ptrdiff_t)x * p->in_pixel_stride : c->padding;
    }
  }
}

#if defined(__SSE2__)
#include <emmintrin.h>

enum { USMP_DEPTHWISE_CONV2D_S8_BLOCK = 8 };

/* Eight elements of two taps, each tap's next to the other's: what the multiply-add of 16-bit pairs
 * takes. */
USMP_INLINE __m128i usmp_depthwise_conv2d_s8_pairs(const int8_t* a, const int8_t* b) {
  return _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i*)(const void*)a),
                           _mm_loadl_epi64((const __m128i*)(const void*)b));
}
USMP_INLINE void usmp_depthwise_conv2d_s8_add(__m128i* sum, __m128i x, __m128i w) {
  const __m128i x_low = _mm_srai_epi16(_mm_unpacklo_epi8(x, x), 8);
  const __m128i x_high = _mm_srai_epi16(_mm_unpackhi_epi8(x, x), 8);
  const __m128i w_low = _mm_srai_epi16(_mm_unpacklo_epi8(w, w), 8);
  const __m128i w_high = _mm_srai_epi16(_mm_unpackhi_epi8(w, w), 8);
  sum[0] = _mm_add_epi32(sum[0], _mm_madd_epi16(x_low, w_low));
  sum[1] = _mm_add_epi32(sum[1], _mm_madd_epi16(x_high, w_high));
}

USMP_INLINE void usmp_depthwise_conv2d_s8_sums(const int8_t* const* taps, int32_t n,
                                               ptrdiff_t channel, const int8_t* w, ptrdiff_t w_tap,
                                               const int32_t* bias, int32_t* out) {
  __m128i sum[2] = {_mm_loadu_si128((const __m128i*)(const void*)bias),
                    _mm_loadu_si128((const __m128i*)(const void*)(bias + 4))};
  for (; n >= 2; n -= 2, taps += 2, w += 2 * w_tap) {
    usmp_depthwise_conv2d_s8_add(
        sum, usmp_depthwise_conv2d_s8_pairs(taps[0] + channel, taps[1] + channel),
        usmp_depthwise_conv2d_s8_pairs(w, w + w_tap));
  }
  if (n > 0) {
    const __m128i x = _mm_loadl_epi64((const __m128i*)(const void*)(taps[0] + channel));
    const __m128i last = _mm_loadl_epi64((const __m128i*)(const void*)w);
    usmp_depthwise_conv2d_s8_add(sum, _mm_unpacklo_epi8(x, _mm_setzero_si128()),
                                 _mm_unpacklo_epi8(last, _mm_setzero_si128()));
  }
  _mm_storeu_si128((__m128i*)(void*)out, sum[0]);
  _mm_storeu_si128((__m128i*)(void*)(out + 4), sum[1]);
}

#elif defined(USMP_ARM_MVE)

enum { USMP_DEPTHWISE_CONV2D_S8_BLOCK = 8 };

USMP_INLINE void usmp_depthwise_conv2d_s8_sums(const int8_t* const* taps, int32_t n,
                                               ptrdiff_t channel, const int8_t* w, ptrdiff_t w_tap,
                                               const int32_t* bias, int32_t* out) {
  int32x4x2_t sum = vld2q_s32(bias); /* even and odd channels */
  for (const int8_t* const* end = taps + n; taps != end; ++taps, w += w_tap) {
    const int16x8_t x = vldrbq_s16(*taps + channel), y = vldrbq_s16(w);
    sum.val[0] = vaddq_s32(sum.val[0], vmullbq_int_s16(x, y));
    sum.val[1] = vaddq_s32(sum.val[1], vmulltq_int_s16(x, y));
  }
  vst2q_s32(out, sum);
}

#elif defined(USMP_ARM_DSP)

enum { USMP_DEPTHWISE_CONV2D_S8_BLOCK = 4 };

USMP_INLINE void usmp_depthwise_conv2d_s8_sums(const int8_t* const* taps, int32_t n,
                                               ptrdiff_t channel, const int8_t* w, ptrdiff_t w_tap,
                                               const int32_t* bias, int32_t* out) {
  uint32_t a = (uint32_t)bias[0], b = (uint32_t)bias[1], c = (uint32_t)bias[2],
           d = (uint32_t)bias[3];
  for (const int8_t* const* end = taps + n; taps != end; ++taps, w += w_tap) {
    uint32_t x = usmp_load_word(*taps + channel), y = usmp_load_word(w);
    const uint32_t x_even = usmp_dsp_even(x), y_even = usmp_dsp_even(y);
    a = usmp_dsp_dot_low(a, x_even, y_even);
    c = usmp_dsp_dot_high(c, x_even, y_even);
    x = usmp_dsp_odd(x);
    y = usmp_dsp_odd(y);
    b = usmp_dsp_dot_low(b, x, y);
    d = usmp_dsp_dot_high(d, x, y);
  }
  out[0] = (int32_t)a;
  out[1] = (int32_t)b;
  out[2] = (int32_t)c;
  out[3] = (int32_t)d;
}

#else

enum { USMP_DEPTHWISE_CONV2D_S8_BLOCK = 4 };

USMP_INLINE void usmp_depthwise_conv2d_s8_sums(const int8_t* const* taps, int32_t n,
                                               ptrdiff_t channel, const int8_t* w, ptrdiff_t w_tap,
                                               const int32_t* bias, int32_t* out) {
  uint32_t a = (uint32_t)bias[0], b = (uint32_t)bias[1], c = (uint32_t)bias[2],
           d = (uint32_t)bias[3];
  for (const int8_t* const* end = taps + n; taps != end; ++taps, w += w_tap) {
    const int8_t* x = *taps + channel;
    a += (uint32_t)(x[0] * w[0]);
    b += (uint32_t)(x[1] * w[1]);
    c += (uint32_t)(x[2] * w[2]);
    d += (uint32_t)(x[3] * w[3]);
  }
  out[0] = (int32_t)a;
  out[1] = (int32_t)b;
  out[2] = (int32_t)c;
  out[3] = (int32_t)d;
}
#endif

/* Output channels [begin, end) of one pixel, a whole block of them at least, of as many input
   channels. The last block overlaps the one before where the number of channels is not a multiple
   of its own. */
USMP_KERNEL void usmp_depthwise_conv2d_s8_pixel(const struct usmp_depthwise_conv2d_s8_params* p,
                                                const struct usmp_depthwise_conv2d_s8_constants* c,
                                                const int8_t* const* taps, int32_t begin,
                                                int32_t end, int8_t* out) {
  const int32_t count = p->kernel_h * p->kernel_w;
  const ptrdiff_t m_step = p->multiplier_step;
  for (int32_t left = end - begin; left > 0; left -= USMP_DEPTHWISE_CONV2D_S8_BLOCK) {
    const int32_t o = p->reverse ? begin + usmp_max_s32(left - USMP_DEPTHWISE_CONV2D_S8_BLOCK, 0)
                                 : end - usmp_max_s32(left, USMP_DEPTHWISE_CONV2D_S8_BLOCK);
    int32_t sums[USMP_DEPTHWISE_CONV2D_S8_BLOCK];
    usmp_depthwise_conv2d_s8_sums(taps, count, o, c->weights + o, p->channels, c->bias + o, sums);
    usmp_requantize_run_s8(sums, USMP_DEPTHWISE_CONV2D_S8_BLOCK, c->multipliers + o * m_step,
                           c->shifts + o * m_step, m_step, p->out_zero_point, out + o);
  }
}

/* The same one by one, for any number of output channels and of them for each input channel. */
USMP_KERNEL void usmp_depthwise_conv2d_s8_channels(
    const struct usmp_depthwise_conv2d_s8_params* p,
    const struct usmp_depthwise_conv2d_s8_constants* c, const int8_t* const* taps, int32_t begin,
    int32_t end, int8_t* out) {
  const int32_t count = p->kernel_h * p->kernel_w;
  for (int32_t left = end - begin; left > 0; --left) {
    const int32_t o = p->reverse ? begin + left - 1 : end - left;
    const int32_t channel = o / p->depth_multiplier;
    const int8_t* w = c->weights + o;
    uint32_t sum = (uint32_t)c->bias[o];
    for (int32_t t = 0; t < count; ++t, w += p->channels) sum += (uint32_t)(taps[t][channel] * *w);
    const int32_t m = o * p->multiplier_step;
    const struct usmp_requantization r = {c->multipliers[m], c->shifts[m], p->out_zero_point};
    out[o] = usmp_requantize_s8((int32_t)sum, r);
  }
}

/* Output channels [channel_begin, channel_end) of output pixels [x_begin, x_end) of one row. `rows`
   has kernel_h pointers to the input rows' pixel 0, NULL where a row is outside the image; `out` is
   output pixel x_begin. */
USMP_KERNEL void usmp_depthwise_conv2d_s8_row(const struct usmp_depthwise_conv2d_s8_params* p,
                                              const struct usmp_depthwise_conv2d_s8_constants* c,
                                              const int8_t* const* rows, int32_t x_begin,
                                              int32_t x_end, int32_t channel_begin,
                                              int32_t channel_end, int8_t* out) {
  const int8_t* few_taps[USMP_DEPTHWISE_CONV2D_S8_MAX_TAPS];
  const int8_t** taps = c->many_taps != NULL ? c->many_taps : few_taps;
  const int blocks =
      p->depth_multiplier == 1 && channel_end - channel_begin >= USMP_DEPTHWISE_CONV2D_S8_BLOCK;
  for (int32_t left = x_end - x_begin; left > 0; --left) {
    const int32_t x = p->reverse ? x_begin + left - 1 : x_end - left;
    int8_t* pixel = out + (ptrdiff_t)(x - x_begin) * p->out_pixel_stride;
    usmp_depthwise_conv2d_s8_find_taps(p, c, rows, x * p->stride_w - p->pad_left, taps);
    if (blocks) {
      usmp_depthwise_conv2d_s8_pixel(p, c, taps, channel_begin, channel_end, pixel);
    } else {
      usmp_depthwise_conv2d_s8_channels(p, c, taps, channel_begin, channel_end, pixel);
    }
  }
  usmp_clamp_pixels_s8(out + channel_begin, x_end - x_begin, p->out_pixel_stride,
                       channel_end - channel_begin, p->act_min, p->act_max);
}

/* `pointers`: space for kernel_h + kernel_h * kernel_w pointers where the window has more than
   MAX_ROWS rows or MAX_TAPS taps, else NULL. */
USMP_KERNEL void usmp_depthwise_conv2d_s8(const struct usmp_depthwise_conv2d_s8_params* p,
                                          const int8_t* in, const int8_t* weights,
                                          const int32_t* bias, const int32_t* multipliers,
                                          const int8_t* shifts, const int8_t* padding,
                                          void* pointers, int8_t* out) {
  const int8_t* few_rows[USMP_DEPTHWISE_CONV2D_S8_MAX_ROWS];
  const int8_t** rows = pointers != NULL ? (const int8_t**)pointers : few_rows;
  const struct usmp_depthwise_conv2d_s8_constants c = {
      weights, bias, multipliers, shifts, padding, pointers != NULL ? rows + p->kernel_h : NULL};
  const ptrdiff_t in_row = (ptrdiff_t)p->in_w * p->in_pixel_stride;
  const ptrdiff_t out_row = (ptrdiff_t)p->out_w * p->out_pixel_stride;
  const int32_t out_rows = p->batches * p->out_h;
  for (int32_t i = 0; i < out_rows; ++i) {
    const int32_t row = p->reverse ? out_rows - 1 - i : i;
    const int32_t batch = row / p->out_h;
    const int32_t in_y = (row - batch * p->out_h) * p->stride_h - p->pad_top;
    usmp_window_rows(in + batch * p->in_h * in_row, in_row, p->in_h, in_y, p->dilation_h,
                     p->kernel_h, rows);
    usmp_depthwise_conv2d_s8_row(p, &c, rows, 0, p->out_w, 0, p->channels, out + row * out_row);
  }
}

/* A part of a row; `out` is its first pixel. */
USMP_KERNEL void usmp_depthwise_conv2d_s8_part(const struct usmp_depthwise_conv2d_s8_params* p,
                                               const struct usmp_part* part, const int8_t* in,
                                               const int8_t* weights, const int32_t* bias,
                                               const int32_t* multipliers, const int8_t* shifts,
                                               const int8_t* padding, void* pointers, int8_t* out) {
  const int8_t* few_rows[USMP_DEPTHWISE_CONV2D_S8_MAX_ROWS];
  const int8_t** rows = pointers != NULL ? (const int8_t**)pointers : few_rows;
  const struct usmp_depthwise_conv2d_s8_constants c = {
      weights, bias, multipliers, shifts, padding, pointers != NULL ? rows + p->kernel_h : NULL};
  usmp_ring_rows(in, (ptrdiff_t)p->in_w * p->in_pixel_stride, part->in_rows, p->in_h,
                 part->y * p->stride_h - p->pad_top, p->dilation_h, p->kernel_h, rows);
  usmp_depthwise_conv2d_s8_row(p, &c, rows, part->x_begin, part->x_end, 0, p->channels, out);
}

#endif /* USMP_KERNELS_DEPTHWISE_CONV2D_S8_H_ */
