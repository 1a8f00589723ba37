/* ---- packed_internal_caller_one_npu ---- */
/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_INTERNAL_CALLER_ONE_NPU_M0_NUM_ARGS 8

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 image: DLTensor, int8_t[1][4][4][3]
      1 unused: DLTensor, int8_t[1][7]
      2 mask: DLTensor, int8_t[1][4][4][3]
      3 t: DLTensor, int8_t[1][4][4][3]
      4 t_1: DLTensor, int8_t[1][4][4][3]
      5 t_2: DLTensor, int8_t[1][4][4][3]
      6 mask_1: DLTensor, int8_t[1][4][4][3]
      7 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_caller_two_npu ---- */
/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_INTERNAL_CALLER_TWO_NPU_M1_NUM_ARGS 3

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 sound: DLTensor, int8_t[1][6][5][2]
      1 t: DLTensor, int8_t[1][6][5][3]
      2 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_workspace_one_npu ---- */
struct tvmgen_m0_inputs {
  void* image;
  void* unused;
  void* mask;
};
struct tvmgen_m0_outputs {
  void* t;
  void* t_1;
  void* t_2;
  void* mask_1;
};

/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them. */
struct tvmgen_m0_inputs tvmgen_m0_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_outputs tvmgen_m0_map_outputs(void);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_INTERNAL_WORKSPACE_ONE_NPU_M0_NUM_ARGS 1

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_workspace_two_npu ---- */
struct tvmgen_m1_inputs {
  void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them. */
struct tvmgen_m1_inputs tvmgen_m1_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m1_outputs tvmgen_m1_map_outputs(void);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_INTERNAL_WORKSPACE_TWO_NPU_M1_NUM_ARGS 1

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_mixed_one_npu ---- */
struct tvmgen_m0_mapped_inputs {
  void* image;
};
struct tvmgen_m0_mapped_outputs {
  void* t;
};

/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but image. */
struct tvmgen_m0_mapped_inputs tvmgen_m0_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_mapped_outputs tvmgen_m0_map_outputs(void);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_INTERNAL_MIXED_ONE_NPU_M0_NUM_ARGS 6

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 unused: DLTensor, int8_t[1][7]
      1 mask: DLTensor, int8_t[1][4][4][3]
      2 t_1: DLTensor, int8_t[1][4][4][3]
      3 t_2: DLTensor, int8_t[1][4][4][3]
      4 mask_1: DLTensor, int8_t[1][4][4][3]
      5 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_mixed_two_npu ---- */
struct tvmgen_m1_inputs {
  void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but sound. */
struct tvmgen_m1_inputs tvmgen_m1_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m1_outputs tvmgen_m1_map_outputs(void);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_INTERNAL_MIXED_TWO_NPU_M1_NUM_ARGS 1

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_caller_one_npu ---- */
/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_EXTERNAL_CALLER_ONE_NPU_M0_NUM_ARGS 11

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 image: DLTensor, int8_t[1][4][4][3]
      1 unused: DLTensor, int8_t[1][7]
      2 mask: DLTensor, int8_t[1][4][4][3]
      3 t: DLTensor, int8_t[1][4][4][3]
      4 t_1: DLTensor, int8_t[1][4][4][3]
      5 t_2: DLTensor, int8_t[1][4][4][3]
      6 mask_1: DLTensor, int8_t[1][4][4][3]
      7 tcm: pointer
      8 sram: pointer
      9 flash: pointer
      10 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_caller_two_npu ---- */
/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_EXTERNAL_CALLER_TWO_NPU_M1_NUM_ARGS 6

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 sound: DLTensor, int8_t[1][6][5][2]
      1 t: DLTensor, int8_t[1][6][5][3]
      2 tcm: pointer
      3 sram: pointer
      4 flash: pointer
      5 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_workspace_one_npu ---- */
struct tvmgen_m0_inputs {
  void* image;
  void* unused;
  void* mask;
};
struct tvmgen_m0_outputs {
  void* t;
  void* t_1;
  void* t_2;
  void* mask_1;
};

/*! \brief The memory that the caller gives to tvmgen_m0_run. */
struct tvmgen_m0_workspace_pools {
  void* tcm;
  void* sram;
  const void* flash;
};

/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them. */
struct tvmgen_m0_inputs tvmgen_m0_map_inputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_outputs tvmgen_m0_map_outputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_EXTERNAL_WORKSPACE_ONE_NPU_M0_NUM_ARGS 4

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 tcm: pointer
      1 sram: pointer
      2 flash: pointer
      3 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_workspace_two_npu ---- */
struct tvmgen_m1_inputs {
  void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief The memory that the caller gives to tvmgen_m1_run. */
struct tvmgen_m1_workspace_pools {
  void* tcm;
  void* sram;
  const void* flash;
};

/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them. */
struct tvmgen_m1_inputs tvmgen_m1_map_inputs(struct tvmgen_m1_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m1_outputs tvmgen_m1_map_outputs(struct tvmgen_m1_workspace_pools* workspace_pools);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_EXTERNAL_WORKSPACE_TWO_NPU_M1_NUM_ARGS 4

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 tcm: pointer
      1 sram: pointer
      2 flash: pointer
      3 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_mixed_one_npu ---- */
struct tvmgen_m0_mapped_inputs {
  void* image;
};
struct tvmgen_m0_mapped_outputs {
  void* t;
};

/*! \brief The memory that the caller gives to tvmgen_m0_run. */
struct tvmgen_m0_workspace_pools {
  void* tcm;
  void* sram;
  const void* flash;
};

/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but image. */
struct tvmgen_m0_mapped_inputs tvmgen_m0_map_inputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_mapped_outputs tvmgen_m0_map_outputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_EXTERNAL_MIXED_ONE_NPU_M0_NUM_ARGS 9

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 unused: DLTensor, int8_t[1][7]
      1 mask: DLTensor, int8_t[1][4][4][3]
      2 t_1: DLTensor, int8_t[1][4][4][3]
      3 t_2: DLTensor, int8_t[1][4][4][3]
      4 mask_1: DLTensor, int8_t[1][4][4][3]
      5 tcm: pointer
      6 sram: pointer
      7 flash: pointer
      8 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_mixed_two_npu ---- */
struct tvmgen_m1_inputs {
  void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief The memory that the caller gives to tvmgen_m1_run. */
struct tvmgen_m1_workspace_pools {
  void* tcm;
  void* sram;
  const void* flash;
};

/*! \brief Functions of the application, called with the context: once around every run, and around
    every operator that the device computes. 0, or run returns -1. */
int32_t TVMDeviceNpuActivate(void* context);
int32_t TVMDeviceNpuOpen(void* context);
int32_t TVMDeviceNpuClose(void* context);
int32_t TVMDeviceNpuDeactivate(void* context);

/*! \brief Functions of the application that compute operators of the model. A tensor that is absent
    is NULL; so is scratch where none is planned, and device where the target is none. 0, or
    run returns -1. */
int32_t plain_conv(const struct usmp_operator* op, const void* const* inputs,
    void* const* outputs, void* scratch, void* device);

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but sound. */
struct tvmgen_m1_inputs tvmgen_m1_map_inputs(struct tvmgen_m1_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m1_outputs tvmgen_m1_map_outputs(struct tvmgen_m1_workspace_pools* workspace_pools);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_EXTERNAL_MIXED_TWO_NPU_M1_NUM_ARGS 4

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 tcm: pointer
      1 sram: pointer
      2 flash: pointer
      3 npu: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned;
    -1 where a function of the application fails.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

