/* Tensor descriptors and packed arguments, in the layout of DLPack's DLTensor and of TVM's
   TVMValue, under names of their own: those headers can be included as well, and a pointer to a
   DLTensor can be given wherever one to a struct usmp_dl_tensor is wanted. C and C++. */
#ifndef USMP_DL_TENSOR_H_
#define USMP_DL_TENSOR_H_

#include <stdint.h>

enum { USMP_DL_INT = 0, USMP_DL_UINT = 1, USMP_DL_FLOAT = 2 };
enum { USMP_DL_CPU = 1 };

struct usmp_dl_data_type {
  uint8_t code; /* USMP_DL_INT, ... */
  uint8_t bits;
  uint16_t lanes;
};

struct usmp_dl_device {
  int32_t device_type; /* USMP_DL_CPU; with short enumerations DLPack writes its first byte only */
  int32_t device_id;
};

struct usmp_dl_tensor {
  void* data;
  struct usmp_dl_device device;
  int32_t ndim;
  struct usmp_dl_data_type dtype;
  int64_t* shape;
  int64_t* strides;     /* in elements; NULL: row-major without gaps */
  uint64_t byte_offset; /* from data to the first element */
};

/* One argument of a packed function. */
union usmp_value {
  int64_t v_int64;
  double v_float64;
  void* v_handle;
};
/* What an argument is. */
enum { USMP_ARG_POINTER = 3, USMP_ARG_NULL = 4, USMP_ARG_DL_TENSOR = 7, USMP_ARG_ND_ARRAY = 13 };

#endif /* USMP_DL_TENSOR_H_ */
