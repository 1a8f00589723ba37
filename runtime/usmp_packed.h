/* The checks of a packed function's arguments. */
#ifndef USMP_PACKED_H_
#define USMP_PACKED_H_

#include "usmp_dl_tensor.h"
#include "usmp_runtime.h"

/* What one argument must be. */
struct usmp_argument {
  const int64_t* shape;
  int32_t ndim; /* -1: a pointer to memory or to a device, not a tensor */
  struct usmp_dl_data_type dtype;
};

/* Copied, not converted: the caller's object has DLPack's type. */
USMP_INLINE struct usmp_dl_tensor usmp_dl_tensor_at(const void* handle) {
  struct usmp_dl_tensor tensor;
  memcpy(&tensor, handle, sizeof tensor);
  return tensor;
}

/* Row-major without gaps, as far as the strides of dimensions of 1 matter: they do not. */
USMP_INLINE int32_t usmp_is_compact(const struct usmp_dl_tensor* tensor) {
  int64_t stride = 1;
  if (tensor->strides == NULL) return 1;
  for (int32_t i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride) return 0;
    stride *= tensor->shape[i];
  }
  return 1;
}

USMP_KERNEL int32_t usmp_check_tensor(const struct usmp_argument* expected, const void* handle) {
  if (handle == NULL) return 0x803;
  const struct usmp_dl_tensor tensor = usmp_dl_tensor_at(handle);
  if (tensor.dtype.code != expected->dtype.code || tensor.dtype.bits != expected->dtype.bits ||
      tensor.dtype.lanes != expected->dtype.lanes) {
    return 0x801;
  }
  if ((tensor.device.device_type & 0xFF) != USMP_DL_CPU || tensor.ndim != expected->ndim) {
    return 0x803;
  }
  if (tensor.ndim > 0 && tensor.shape == NULL) return 0x803;
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] != expected->shape[i]) return 0x803;
  }
  return usmp_is_compact(&tensor) ? 0 : 0x803;
}

/* 0, or the code that `run` returns: 0x503, 0x800 (their number), 0x801 (a type), 0x803. */
USMP_KERNEL int32_t usmp_check_arguments(const struct usmp_argument* expected, int32_t count,
                                         const union usmp_value* values, const int* type_codes,
                                         int num_args) {
  if (num_args != count) return 0x800;
  if (count > 0 && (values == NULL || type_codes == NULL)) return 0x503;
  for (int32_t i = 0; i < count; ++i) {
    const int code = type_codes[i];
    if (expected[i].ndim < 0) {
      if (code != USMP_ARG_POINTER && code != USMP_ARG_NULL) return 0x801;
      continue;
    }
    if (code != USMP_ARG_DL_TENSOR && code != USMP_ARG_ND_ARRAY) return 0x801;
    const int32_t problem = usmp_check_tensor(&expected[i], values[i].v_handle);
    if (problem != 0) return problem;
  }
  return 0;
}

/* The first element of a tensor that has passed the checks. */
USMP_INLINE void* usmp_tensor_data(union usmp_value value) {
  const struct usmp_dl_tensor tensor = usmp_dl_tensor_at(value.v_handle);
  return tensor.data == NULL ? NULL : (uint8_t*)tensor.data + tensor.byte_offset;
}

#endif /* USMP_PACKED_H_ */
