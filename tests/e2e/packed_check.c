/* The packed interface, from the side of a caller that has DLPack's own header: one float input x
   and one output y of 2 x 3 elements, y = relu(x + x), in a model called `m`, with its descriptors
   as constants; with EXTERNAL_POOL one whose pool `sram` is ours. Exit code 0 if everything holds;
   otherwise the line is printed. */
#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "tvmgen_m.h"

#define SAME_MEMBER(member)                                                                     \
  _Static_assert(offsetof(DLTensor, member) == offsetof(struct usmp_dl_tensor, member) &&       \
                     sizeof((DLTensor*)0)->member == sizeof((struct usmp_dl_tensor*)0)->member, \
                 #member)
SAME_MEMBER(data);
SAME_MEMBER(device);
SAME_MEMBER(ndim);
SAME_MEMBER(dtype);
SAME_MEMBER(shape);
SAME_MEMBER(strides);
SAME_MEMBER(byte_offset);
_Static_assert(sizeof(DLTensor) == sizeof(struct usmp_dl_tensor), "size");
_Static_assert(_Alignof(DLTensor) == _Alignof(struct usmp_dl_tensor), "alignment");
_Static_assert(offsetof(DLDevice, device_id) == offsetof(struct usmp_dl_device, device_id), "id");
_Static_assert(offsetof(DLDataType, bits) == offsetof(struct usmp_dl_data_type, bits), "bits");
_Static_assert(offsetof(DLDataType, lanes) == offsetof(struct usmp_dl_data_type, lanes), "lanes");
_Static_assert((int)kDLInt == USMP_DL_INT && (int)kDLUInt == USMP_DL_UINT &&
                   (int)kDLFloat == USMP_DL_FLOAT && (int)kDLCPU == USMP_DL_CPU,
               "codes");

/* As callers of TVM's packed functions declare it. */
typedef union {
  int64_t v_int64;
  double v_float64;
  void* v_handle;
  const char* v_str;
  DLDataType v_type;
  DLDevice v_device;
} TVMValue;
_Static_assert(sizeof(TVMValue) == sizeof(union usmp_value), "value");
typedef int32_t packed_function(void* args, int* type_codes, int num_args, void* out_value,
                                int* out_type_code, void* resource_handle);
static packed_function* const run = tvmgen_m_run;

static float x[8] = {7.0F, -3.0F, -1.0F, 0.0F, 0.5F, 1.0F, 100.0F, 7.0F};
static float y[8];
static int64_t shape[] = TVMGEN_M_X_SHAPE;
static int64_t other_shape[] = {3, 2};
static int64_t strides[] = {3, 1}, gaps[] = {4, 1};
static TVMValue values[3];
static int codes[3] = {7, 7, 3};

static int32_t call(const DLTensor* in, const DLTensor* out) {
  DLTensor in_copy = *in, out_copy = *out;
  values[0].v_handle = &in_copy;
  values[1].v_handle = &out_copy;
  return run(values, codes, TVMGEN_M_NUM_ARGS, NULL, NULL, NULL);
}

/* x begins at its second element, by byte_offset. */
static DLTensor of_x(void) {
  const DLTensor t = {x, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 4};
  return t;
}
static DLTensor of_y(void) {
  const DLTensor t = {y, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};
  return t;
}

#define EXPECT_CODE(code, change)      \
  do {                                 \
    DLTensor in = of_x();              \
    const DLTensor out = of_y();       \
    in.change;                         \
    EXPECT(call(&in, &out) == (code)); \
  } while (0)

static int check_errors(void) {
  const DLTensor in = of_x(), out = of_y();
  EXPECT_CODE(0x801, dtype.code = kDLInt);
  EXPECT_CODE(0x801, dtype.bits = 16);
  EXPECT_CODE(0x801, dtype.lanes = 2);
  EXPECT_CODE(0x803, ndim = 1);
  EXPECT_CODE(0x803, shape = other_shape);
  EXPECT_CODE(0x803, shape = NULL);
  EXPECT_CODE(0x803, strides = gaps);
  EXPECT_CODE(0x803, data = NULL);
  EXPECT_CODE(0x803, byte_offset = 1);
  EXPECT_CODE(0x803, device.device_type = kDLCUDA);
  EXPECT(run(values, codes, TVMGEN_M_NUM_ARGS - 1, NULL, NULL, NULL) == 0x800);
  EXPECT(run(NULL, codes, TVMGEN_M_NUM_ARGS, NULL, NULL, NULL) == 0x503);
  EXPECT(run(values, NULL, TVMGEN_M_NUM_ARGS, NULL, NULL, NULL) == 0x503);
  codes[1] = 0;
  EXPECT(call(&in, &out) == 0x801);
  codes[1] = 7;
  values[0].v_handle = NULL;
  EXPECT(run(values, codes, TVMGEN_M_NUM_ARGS, NULL, NULL, NULL) == 0x803);
#ifdef EXTERNAL_POOL
  void* const pool = values[2].v_handle;
  values[2].v_handle = NULL;
  EXPECT(call(&in, &out) == 0x503);
  values[2].v_handle = (uint8_t*)pool + 1;
  EXPECT(call(&in, &out) == 0x803);
  values[2].v_handle = pool;
  codes[2] = 7;
  EXPECT(call(&in, &out) == 0x801);
  codes[2] = 3;
#endif
  for (int i = 0; i < 8; ++i) EXPECT(y[i] == -1.0F);
  return 0;
}

static int check_results(void) {
  const float expected[8] = {0.0F, 0.0F, 0.0F, 1.0F, 2.0F, 200.0F, -1.0F, -1.0F};
  for (int i = 0; i < 8; ++i) EXPECT(y[i] == expected[i]);
  return 0;
}

/* The generated descriptors, given data, are arguments. */
static int check_descriptors(void) {
  DLTensor in, out;
  memcpy(&in, &tvmgen_m_x_tensor, sizeof in);
  memcpy(&out, &tvmgen_m_y_tensor, sizeof out);
  EXPECT(in.data == NULL && in.byte_offset == 0 && out.data == NULL && out.byte_offset == 0);
  in.data = x + 1;
  out.data = y;
  for (int i = 0; i < 8; ++i) y[i] = -1.0F;
  EXPECT(call(&in, &out) == 0);
  return check_results();
}

int main(void) {
#ifdef EXTERNAL_POOL
  static _Alignas(TVMGEN_M_WORKSPACE_ALIGN) uint8_t memory[TVMGEN_M_SRAM_WORKSPACE_POOL_SIZE];
  values[2].v_handle = memory;
  EXPECT(TVMGEN_M_NUM_ARGS == 3);
#else
  EXPECT(TVMGEN_M_NUM_ARGS == 2);
#endif
  for (int i = 0; i < 8; ++i) y[i] = -1.0F;
  if (check_errors() != 0) return 1;
  const DLTensor in = of_x(), out = of_y();
  EXPECT(call(&in, &out) == 0);
  if (check_results() != 0) return 1;
  return check_descriptors();
}
