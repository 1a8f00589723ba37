/* ---- packed_internal_caller_one ---- */
/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_INTERNAL_CALLER_ONE_M0_NUM_ARGS 7

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 image: DLTensor, int8_t[1][4][4][3]
      1 unused: DLTensor, int8_t[1][7]
      2 mask: DLTensor, int8_t[1][4][4][3]
      3 t: DLTensor, int8_t[1][4][4][3]
      4 t_1: DLTensor, int8_t[1][4][4][3]
      5 t_2: DLTensor, int8_t[1][4][4][3]
      6 mask_1: DLTensor, int8_t[1][4][4][3]
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_caller_two ---- */
/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_INTERNAL_CALLER_TWO_M1_NUM_ARGS 2

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 sound: DLTensor, int8_t[1][6][5][2]
      1 t: DLTensor, int8_t[1][6][5][3]
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_workspace_one ---- */
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

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them. */
struct tvmgen_m0_inputs tvmgen_m0_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_outputs tvmgen_m0_map_outputs(void);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_INTERNAL_WORKSPACE_ONE_M0_NUM_ARGS 0

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is; there are none.
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_workspace_two ---- */
struct tvmgen_m1_inputs {
  void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them. */
struct tvmgen_m1_inputs tvmgen_m1_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m1_outputs tvmgen_m1_map_outputs(void);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_INTERNAL_WORKSPACE_TWO_M1_NUM_ARGS 0

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is; there are none.
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_mixed_one ---- */
struct tvmgen_m0_mapped_inputs {
  void* image;
};
struct tvmgen_m0_mapped_outputs {
  void* t;
};

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but image. */
struct tvmgen_m0_mapped_inputs tvmgen_m0_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_mapped_outputs tvmgen_m0_map_outputs(void);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_INTERNAL_MIXED_ONE_M0_NUM_ARGS 5

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 unused: DLTensor, int8_t[1][7]
      1 mask: DLTensor, int8_t[1][4][4][3]
      2 t_1: DLTensor, int8_t[1][4][4][3]
      3 t_2: DLTensor, int8_t[1][4][4][3]
      4 mask_1: DLTensor, int8_t[1][4][4][3]
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_internal_mixed_two ---- */
struct tvmgen_m1_inputs {
  void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but sound. */
struct tvmgen_m1_inputs tvmgen_m1_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m1_outputs tvmgen_m1_map_outputs(void);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_INTERNAL_MIXED_TWO_M1_NUM_ARGS 0

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is; there are none.
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_caller_one ---- */
/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_EXTERNAL_CALLER_ONE_M0_NUM_ARGS 10

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
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_caller_two ---- */
/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_EXTERNAL_CALLER_TWO_M1_NUM_ARGS 5

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 sound: DLTensor, int8_t[1][6][5][2]
      1 t: DLTensor, int8_t[1][6][5][3]
      2 tcm: pointer
      3 sram: pointer
      4 flash: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_workspace_one ---- */
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

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them. */
struct tvmgen_m0_inputs tvmgen_m0_map_inputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_outputs tvmgen_m0_map_outputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_EXTERNAL_WORKSPACE_ONE_M0_NUM_ARGS 3

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 tcm: pointer
      1 sram: pointer
      2 flash: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_workspace_two ---- */
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

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them. */
struct tvmgen_m1_inputs tvmgen_m1_map_inputs(struct tvmgen_m1_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m1_outputs tvmgen_m1_map_outputs(struct tvmgen_m1_workspace_pools* workspace_pools);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_EXTERNAL_WORKSPACE_TWO_M1_NUM_ARGS 3

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 tcm: pointer
      1 sram: pointer
      2 flash: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_mixed_one ---- */
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

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but image. */
struct tvmgen_m0_mapped_inputs tvmgen_m0_map_inputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_mapped_outputs tvmgen_m0_map_outputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Arguments of tvmgen_m0_run. */
#define PACKED_EXTERNAL_MIXED_ONE_M0_NUM_ARGS 8

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
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m0_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

/* ---- packed_external_mixed_two ---- */
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

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but sound. */
struct tvmgen_m1_inputs tvmgen_m1_map_inputs(struct tvmgen_m1_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m1_outputs tvmgen_m1_map_outputs(struct tvmgen_m1_workspace_pools* workspace_pools);

/*! \brief Arguments of tvmgen_m1_run. */
#define PACKED_EXTERNAL_MIXED_TWO_M1_NUM_ARGS 3

/*! \brief One inference. `args` is an array of values (union usmp_value, or TVMValue), `type_codes`
    says what each is:
      0 tcm: pointer
      1 sram: pointer
      2 flash: pointer
    The other arguments are not looked at. Returns 0;
    0x800 where num_args is another number; 0x503 where an array or a pool is NULL;
    0x801 where a type code or the type of a tensor's elements is another;
    0x803 where a tensor is NULL, has another shape, gaps, or another device than the CPU, or a
    tensor or pool is not aligned.
    Inputs are not changed; they must not overlap outputs. */
int32_t tvmgen_m1_run(void* args, int* type_codes, int num_args, void* out_value,
    int* out_type_code, void* resource_handle);

