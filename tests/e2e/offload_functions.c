/* What an application gives to generated code: an int8 convolution in plain loops, written from the
   rules of the reference kernels and from nothing but what it is told of the operator; and the
   hooks of a device `npu`, which see to it that they are called in order. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "usmp/usmp_offload.h"

int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs, void* const* outputs,
                   void* scratch, void* device);

static void require(int condition, const char* what) {
  if (condition) return;
  printf("offload: %s\n", what);
  exit(1);
}

/* real = fraction * 2^shift / 2^31 */
static int32_t multiplier_of(double real, int* shift) {
  const double fraction = frexp(real, shift);
  int64_t q = (int64_t)round(fraction * 2147483648.0);
  if (q == (int64_t)1 << 31) {
    q /= 2;
    ++*shift;
  }
  return (int32_t)q;
}

/* Both roundings of the reference: doubling high multiply, then a rounding right shift. */
static int32_t requantize(int32_t x, int32_t multiplier, int shift) {
  const int left = shift > 0 ? shift : 0, right = shift > 0 ? 0 : -shift;
  const int64_t product = (int64_t)x * ((int64_t)1 << left) * multiplier;
  const int64_t nudge = product >= 0 ? 1 << 30 : 1 - (1 << 30);
  const int64_t high = (product + nudge) / ((int64_t)1 << 31);
  const int64_t mask = ((int64_t)1 << right) - 1, rest = high & mask;
  const int64_t threshold = (mask >> 1) + (high < 0 ? 1 : 0);
  return (int32_t)((high >> right) + (rest > threshold ? 1 : 0));
}

static int8_t finish(const struct usmp_operator* op, int32_t sum, int32_t channel) {
  const struct usmp_operand* out = &op->outputs[0];
  const struct usmp_operand* weights = &op->inputs[1];
  const float weight_scale = weights->scales[weights->num_scales > 1 ? channel : 0];
  int shift = 0;
  const int32_t multiplier = multiplier_of(
      (double)op->inputs[0].scales[0] * (double)weight_scale / (double)out->scales[0], &shift);
  int32_t y = requantize(sum, multiplier, shift) + out->zero_points[0];
  const int32_t low = op->activation == USMP_ACTIVATION_RELU ? out->zero_points[0] : -128;
  if (y < low) y = low;
  return (int8_t)(y < -128 ? -128 : y > 127 ? 127 : y);
}

int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs, void* const* outputs,
                   void* scratch, void* device) {
  require(strcmp(op->name, "CONV_2D") == 0, "not the operator");
  require(op->num_inputs == 3 && op->num_outputs == 1 && op->window != NULL, "not a convolution");
  require(op->inputs[0].dtype.code == USMP_DL_INT && op->inputs[0].dtype.bits == 8, "not int8");
  require(op->activation == USMP_ACTIVATION_NONE || op->activation == USMP_ACTIVATION_RELU,
          "another activation");
  require((scratch != NULL) == (op->scratch_bytes > 0), "no scratch");
  if (scratch != NULL) memset(scratch, 0x5A, (size_t)op->scratch_bytes);
  if (device != NULL) require(*(int*)device == 2, "the device is not open");
  const int8_t* in = inputs[0];
  const int8_t* weights = inputs[1];
  const int32_t* bias = inputs[2];
  int8_t* out = outputs[0];
  const int32_t* is = op->inputs[0].shape;
  const int32_t* os = op->outputs[0].shape;
  const struct usmp_window w = *op->window;
  for (int32_t y = 0; y < os[1]; ++y) {
    for (int32_t x = 0; x < os[2]; ++x) {
      for (int32_t c = 0; c < os[3]; ++c) {
        int32_t sum = bias == NULL ? 0 : bias[c];
        for (int32_t ky = 0; ky < w.kernel_h; ++ky) {
          for (int32_t kx = 0; kx < w.kernel_w; ++kx) {
            const int32_t iy = y * w.stride_h + ky * w.dilation_h - w.pad_top;
            const int32_t ix = x * w.stride_w + kx * w.dilation_w - w.pad_left;
            if (iy < 0 || iy >= is[1] || ix < 0 || ix >= is[2]) continue;
            for (int32_t i = 0; i < is[3]; ++i) {
              sum += (in[(iy * is[2] + ix) * is[3] + i] - op->inputs[0].zero_points[0]) *
                     weights[((c * w.kernel_h + ky) * w.kernel_w + kx) * is[3] + i];
            }
          }
        }
        *out++ = finish(op, sum, c);
      }
    }
  }
  return 0;
}

/* The context is a state: 0 off, 1 active, 2 open. */
static int32_t move(void* context, int from, int to) {
  int* state = context;
  require(*state == from, "a hook out of order");
  *state = to;
  return 0;
}
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);
int32_t TVMDeviceNpuActivate(void* context) { return move(context, 0, 1); }
int32_t TVMDeviceNpuOpen(void* context) { return move(context, 1, 2); }
int32_t TVMDeviceNpuClose(void* context) { return move(context, 2, 1); }
int32_t TVMDeviceNpuDeactivate(void* context) { return move(context, 1, 0); }
