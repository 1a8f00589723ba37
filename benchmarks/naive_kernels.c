#include "naive_kernels.h"

static int32_t min_s32(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t max_s32(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t clamp(int32_t x, int32_t low, int32_t high) {
  return min_s32(max_s32(x, low), high);
}

/* a * b / 2^31, rounded half away from zero as the reference does it: by the sign of the product.
 */
static int32_t high_multiply(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  const int64_t product = (int64_t)a * b;
  const int32_t nudge = product >= 0 ? (1 << 30) : (1 - (1 << 30));
  return (int32_t)((product + nudge) / ((int64_t)1 << 31));
}

static int32_t rounding_shift(int32_t x, int32_t exponent) {
  const int32_t mask = (int32_t)(((int64_t)1 << exponent) - 1);
  const int32_t remainder = x & mask;
  const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

static int32_t requantize(int32_t x, int32_t multiplier, int32_t shift) {
  const int32_t left = shift > 0 ? shift : 0;
  const int32_t right = shift > 0 ? 0 : -shift;
  return rounding_shift(high_multiply((int32_t)((uint32_t)x << left), multiplier), right);
}

static ptrdiff_t at(const struct naive_image* s, int32_t n, int32_t y, int32_t x, int32_t c) {
  return (((ptrdiff_t)n * s->h + y) * s->w + x) * s->c + c;
}

static int is_inside(const struct naive_image* s, int32_t y, int32_t x) {
  return y >= 0 && y < s->h && x >= 0 && x < s->w;
}

static int8_t scaled(const struct naive_scaling* s, int32_t sum, int32_t channel) {
  const int32_t y = requantize(sum, s->multipliers[channel], s->shifts[channel]);
  return (int8_t)clamp(y + s->out_zero_point, s->act_min, s->act_max);
}

void naive_conv(const struct naive_window* p, const struct naive_scaling* s,
                const struct naive_image* in_shape, const int8_t* in, const int8_t* weights,
                const int32_t* bias, const struct naive_image* out_shape, int8_t* out,
                int32_t group_in) {
  const struct naive_image weights_shape = {out_shape->c, p->kernel_h, p->kernel_w, group_in};
  const int32_t group_out = out_shape->c / (in_shape->c / group_in);
  for (int32_t n = 0; n < out_shape->n; ++n) {
    for (int32_t oy = 0; oy < out_shape->h; ++oy) {
      const int32_t y0 = oy * p->stride_h - p->pad_top;
      for (int32_t ox = 0; ox < out_shape->w; ++ox) {
        const int32_t x0 = ox * p->stride_w - p->pad_left;
        for (int32_t o = 0; o < out_shape->c; ++o) {
          const int32_t group = o / group_out;
          int32_t sum = 0;
          for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
            const int32_t y = y0 + p->dilation_h * ky;
            for (int32_t kx = 0; kx < p->kernel_w; ++kx) {
              const int32_t x = x0 + p->dilation_w * kx;
              if (!is_inside(in_shape, y, x)) continue;
              for (int32_t i = 0; i < group_in; ++i) {
                const int32_t value = in[at(in_shape, n, y, x, i + group * group_in)];
                sum += weights[at(&weights_shape, o, ky, kx, i)] * (value - s->in_zero_point);
              }
            }
          }
          if (bias != NULL) sum += bias[o];
          out[at(out_shape, n, oy, ox, o)] = scaled(s, sum, o);
        }
      }
    }
  }
}

void naive_depthwise(const struct naive_window* p, const struct naive_scaling* s,
                     const struct naive_image* in_shape, const int8_t* in, const int8_t* weights,
                     const int32_t* bias, const struct naive_image* out_shape, int8_t* out,
                     int32_t depth_multiplier) {
  const struct naive_image weights_shape = {1, p->kernel_h, p->kernel_w, out_shape->c};
  for (int32_t n = 0; n < out_shape->n; ++n) {
    for (int32_t oy = 0; oy < out_shape->h; ++oy) {
      const int32_t y0 = oy * p->stride_h - p->pad_top;
      for (int32_t ox = 0; ox < out_shape->w; ++ox) {
        const int32_t x0 = ox * p->stride_w - p->pad_left;
        for (int32_t i = 0; i < in_shape->c; ++i) {
          for (int32_t m = 0; m < depth_multiplier; ++m) {
            const int32_t o = i * depth_multiplier + m;
            int32_t sum = 0;
            for (int32_t ky = 0; ky < p->kernel_h; ++ky) {
              const int32_t y = y0 + p->dilation_h * ky;
              for (int32_t kx = 0; kx < p->kernel_w; ++kx) {
                const int32_t x = x0 + p->dilation_w * kx;
                if (!is_inside(in_shape, y, x)) continue;
                const int32_t value = in[at(in_shape, n, y, x, i)];
                sum += weights[at(&weights_shape, 0, ky, kx, o)] * (value - s->in_zero_point);
              }
            }
            if (bias != NULL) sum += bias[o];
            out[at(out_shape, n, oy, ox, o)] = scaled(s, sum, o);
          }
        }
      }
    }
  }
}

void naive_fully_connected(const struct naive_scaling* s, int32_t multiplier_step, int32_t batches,
                           int32_t depth, int32_t outputs, const int8_t* in, const int8_t* weights,
                           const int32_t* bias, int8_t* out) {
  for (int32_t n = 0; n < batches; ++n) {
    for (int32_t o = 0; o < outputs; ++o) {
      int32_t sum = 0;
      for (int32_t i = 0; i < depth; ++i) {
        const int32_t value = in[(ptrdiff_t)n * depth + i];
        sum += weights[(ptrdiff_t)o * depth + i] * (value - s->in_zero_point);
      }
      if (bias != NULL) sum += bias[o];
      out[(ptrdiff_t)n * outputs + o] = scaled(s, sum, o * multiplier_step);
    }
  }
}

void naive_add(const struct naive_add_params* p, int32_t count, const int8_t* a, const int8_t* b,
               int8_t* out) {
  for (int32_t i = 0; i < count; ++i) {
    const int32_t shifted_a = (a[i] - p->zero_point_a) * (1 << 20);
    const int32_t shifted_b = (b[i] - p->zero_point_b) * (1 << 20);
    const int32_t sum = requantize(shifted_a, p->multiplier_a, p->shift_a) +
                        requantize(shifted_b, p->multiplier_b, p->shift_b);
    const int32_t y = requantize(sum, p->multiplier_out, p->shift_out) + p->zero_point_out;
    out[i] = (int8_t)clamp(y, p->act_min, p->act_max);
  }
}

static int32_t rounded_mean(int32_t sum, int32_t count) {
  return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}

/* The mean and the maximum of one window of one channel. */
static void pool_window(const struct naive_window* p, const struct naive_image* in_shape,
                        const int8_t* in, int32_t n, int32_t y0, int32_t x0, int32_t c,
                        int is_average, int32_t* result) {
  int32_t sum = 0;
  int32_t count = 0;
  int32_t largest = INT8_MIN;
  for (int32_t ky = max_s32(0, -y0); ky < min_s32(p->kernel_h, in_shape->h - y0); ++ky) {
    for (int32_t kx = max_s32(0, -x0); kx < min_s32(p->kernel_w, in_shape->w - x0); ++kx) {
      const int32_t value = in[at(in_shape, n, y0 + ky, x0 + kx, c)];
      sum += value;
      ++count;
      largest = max_s32(largest, value);
    }
  }
  *result = is_average ? rounded_mean(sum, count) : largest;
}

static void pool(const struct naive_window* p, int32_t act_min, int32_t act_max,
                 const struct naive_image* in_shape, const int8_t* in,
                 const struct naive_image* out_shape, int8_t* out, int is_average) {
  for (int32_t n = 0; n < out_shape->n; ++n) {
    for (int32_t oy = 0; oy < out_shape->h; ++oy) {
      for (int32_t ox = 0; ox < out_shape->w; ++ox) {
        for (int32_t c = 0; c < out_shape->c; ++c) {
          int32_t y = 0;
          pool_window(p, in_shape, in, n, oy * p->stride_h - p->pad_top,
                      ox * p->stride_w - p->pad_left, c, is_average, &y);
          out[at(out_shape, n, oy, ox, c)] = (int8_t)clamp(y, act_min, act_max);
        }
      }
    }
  }
}

void naive_average_pool(const struct naive_window* p, int32_t act_min, int32_t act_max,
                        const struct naive_image* in_shape, const int8_t* in,
                        const struct naive_image* out_shape, int8_t* out) {
  pool(p, act_min, act_max, in_shape, in, out_shape, out, 1);
}

void naive_max_pool(const struct naive_window* p, int32_t act_min, int32_t act_max,
                    const struct naive_image* in_shape, const int8_t* in,
                    const struct naive_image* out_shape, int8_t* out) {
  pool(p, act_min, act_max, in_shape, in, out_shape, out, 0);
}

void naive_requantize(int32_t multiplier, int32_t shift, int32_t in_zero_point,
                      int32_t out_zero_point, int32_t count, const int8_t* in, int8_t* out) {
  for (int32_t i = 0; i < count; ++i) {
    const int32_t y = requantize(in[i] - in_zero_point, multiplier, shift) + out_zero_point;
    out[i] = (int8_t)clamp(y, INT8_MIN, INT8_MAX);
  }
}

/* Fixed point with 31 - n integer bits is written Qn below, as gemmlowp's FixedPoint<int32_t, n>.
 */

/* exp(x) for x in [-1/4, 0), Q0 in and out: a polynomial around -1/8. */
static int32_t exp_of_small(int32_t a) {
  const int32_t x = a + (1 << 28);
  const int32_t x2 = high_multiply(x, x);
  const int32_t x3 = high_multiply(x2, x);
  const int32_t x4 = high_multiply(x2, x2);
  int32_t t = rounding_shift(x4, 2) + x3;
  t = high_multiply(t, 715827883) + x2; /* 1/3 */
  t = rounding_shift(t, 1);
  return 1895147668 + high_multiply(1895147668, x + t); /* exp(-1/8) */
}

/* exp(a) for a <= 0, Q5 in, Q0 out. */
static int32_t exp_of_negative(int32_t a) {
  /* exp(-2^e) in Q0, for e = -2 ... 4 */
  static const int32_t kExp[] = {1672461947, 1302514674, 790015084, 290630308,
                                 39332535,   720401,     242};
  enum { kFractionBits = 26 };
  const int32_t quarter = 1 << (kFractionBits - 2);
  const int32_t small = (a & (quarter - 1)) - quarter;
  const int32_t remainder = small - a;
  int32_t result = exp_of_small((int32_t)((uint32_t)small << 5));
  for (int32_t e = -2; e <= 4; ++e) {
    if (remainder & (1 << (kFractionBits + e))) result = high_multiply(result, kExp[e + 2]);
  }
  return a == 0 ? INT32_MAX : result;
}

static int32_t saturating_shift_left(int32_t x, int32_t exponent) {
  const int64_t y = (int64_t)x * ((int64_t)1 << exponent);
  if (y > INT32_MAX) return INT32_MAX;
  return y < INT32_MIN ? INT32_MIN : (int32_t)y;
}

/* 1 / (1 + a) for a in [0, 1), Q0 in and out: three steps of Newton's method. */
static int32_t one_over_one_plus(int32_t a) {
  const int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) / 2);
  int32_t x = 1515870810 + high_multiply(half, -1010580540); /* 48/17, 32/17 in Q2 */
  for (int step = 0; step < 3; ++step) {
    const int32_t error = (1 << 29) - high_multiply(half, x);
    x += saturating_shift_left(high_multiply(x, error), 2);
  }
  return saturating_shift_left(x, 1);
}

static int32_t leading_zeros(uint32_t x) {
  int32_t zeros = 0;
  for (uint32_t bit = 1U << 31; bit != 0 && (x & bit) == 0; bit >>= 1) ++zeros;
  return zeros;
}

static int8_t softmax_of(int32_t diff, int32_t multiplier, int32_t shift, int32_t reciprocal,
                         int32_t bits_over_unit) {
  const int32_t e = exp_of_negative(requantize(diff, multiplier, shift));
  const int32_t y = rounding_shift(high_multiply(reciprocal, e), bits_over_unit + 31 - 8);
  return (int8_t)clamp(y - 128, INT8_MIN, INT8_MAX);
}

void naive_softmax(int32_t multiplier, int32_t shift, int32_t diff_min, int32_t rows, int32_t depth,
                   const int8_t* in, int8_t* out) {
  for (int32_t row = 0; row < rows; ++row, in += depth, out += depth) {
    int32_t largest = INT8_MIN;
    for (int32_t i = 0; i < depth; ++i) largest = max_s32(largest, in[i]);
    int32_t sum = 0; /* Q12 */
    for (int32_t i = 0; i < depth; ++i) {
      if (in[i] - largest < diff_min) continue;
      const int32_t scaled_diff = requantize(in[i] - largest, multiplier, shift);
      sum += rounding_shift(exp_of_negative(scaled_diff), 12);
    }
    const int32_t headroom = leading_zeros((uint32_t)sum);
    const int32_t fraction = (int32_t)(((uint32_t)sum << headroom) - (1U << 31));
    const int32_t reciprocal = one_over_one_plus(fraction);
    for (int32_t i = 0; i < depth; ++i) {
      const int32_t diff = in[i] - largest;
      out[i] = diff < diff_min ? INT8_MIN
                               : softmax_of(diff, multiplier, shift, reciprocal, 12 - headroom);
    }
  }
}
