/* What a function of the application is told of the operator that it computes. C and C++. */
#ifndef USMP_OFFLOAD_H_
#define USMP_OFFLOAD_H_

#include <stdint.h>

#include "usmp_dl_tensor.h"

/* A tensor; an optional operand that is absent has a dtype of 0 bits. */
struct usmp_operand {
  const int32_t* shape; /* NULL: a scalar */
  int32_t ndim;
  struct usmp_dl_data_type dtype;
  const float* scales; /* real = scale * (stored - zero point); one, or one for each channel */
  const int32_t* zero_points;
  int32_t num_scales; /* 0: not quantized */
  int32_t channel_dimension;
};

/* The window of a convolution or pooling; padding in elements. */
struct usmp_window {
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w;
  int32_t pad_top, pad_bottom, pad_left, pad_right;
};

enum usmp_activation {
  USMP_ACTIVATION_NONE,
  USMP_ACTIVATION_RELU,
  USMP_ACTIVATION_RELU_N1_TO_1,
  USMP_ACTIVATION_RELU6
};

struct usmp_operator {
  const char* name; /* "CONV_2D", "CUSTOM:MyOp" */
  int32_t index;    /* in the model */
  int32_t num_inputs;
  const struct usmp_operand* inputs; /* as in the model, constants among them */
  int32_t num_outputs;
  const struct usmp_operand* outputs;
  const struct usmp_window* window; /* of convolutions and pooling; else NULL */
  enum usmp_activation activation;  /* that is fused into the operator */
  const uint8_t* options;           /* of a custom operator, as in the model; NULL: none */
  int32_t options_bytes;
  int32_t scratch_bytes;
};

#endif /* USMP_OFFLOAD_H_ */
