/* ---- c_internal_caller_one_npu ---- */
struct tvmgen_m0_inputs {
  const void* image;
  const void* unused;
  const void* mask;
};
struct tvmgen_m0_outputs {
  void* t;
  void* t_1;
  void* t_2;
  void* mask_1;
};

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m0_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed;
    they must not overlap outputs;
    -1 where a function of the application fails.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(struct tvmgen_m0_inputs* inputs,
    struct tvmgen_m0_outputs* outputs,
    struct tvmgen_m0_devices* devices);

/* ---- c_internal_caller_two_npu ---- */
struct tvmgen_m1_inputs {
  const void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m1_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed;
    they must not overlap outputs;
    -1 where a function of the application fails.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(struct tvmgen_m1_inputs* inputs,
    struct tvmgen_m1_outputs* outputs,
    struct tvmgen_m1_devices* devices);

/* ---- c_internal_workspace_one_npu ---- */
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

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m0_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    -1 where a function of the application fails.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(struct tvmgen_m0_devices* devices);

/* ---- c_internal_workspace_two_npu ---- */
struct tvmgen_m1_inputs {
  void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m1_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    -1 where a function of the application fails.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(struct tvmgen_m1_devices* devices);

/* ---- c_internal_mixed_one_npu ---- */
struct tvmgen_m0_inputs {
  const void* unused;
  const void* mask;
};
struct tvmgen_m0_mapped_inputs {
  void* image;
};
struct tvmgen_m0_outputs {
  void* t_1;
  void* t_2;
  void* mask_1;
};
struct tvmgen_m0_mapped_outputs {
  void* t;
};

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m0_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. The caller's inputs are
    not changed; they must not overlap outputs;
    -1 where a function of the application fails.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(struct tvmgen_m0_inputs* inputs,
    struct tvmgen_m0_outputs* outputs,
    struct tvmgen_m0_devices* devices);

/* ---- c_internal_mixed_two_npu ---- */
struct tvmgen_m1_inputs {
  void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m1_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    -1 where a function of the application fails.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(struct tvmgen_m1_devices* devices);

/* ---- c_external_caller_one_npu ---- */
struct tvmgen_m0_inputs {
  const void* image;
  const void* unused;
  const void* mask;
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

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m0_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed;
    they must not overlap outputs;
    -1 where a function of the application fails.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_inputs* inputs,
    struct tvmgen_m0_outputs* outputs,
    struct tvmgen_m0_workspace_pools* workspace_pools,
    struct tvmgen_m0_devices* devices);

/* ---- c_external_caller_two_npu ---- */
struct tvmgen_m1_inputs {
  const void* sound;
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

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m1_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed;
    they must not overlap outputs;
    -1 where a function of the application fails.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_inputs* inputs,
    struct tvmgen_m1_outputs* outputs,
    struct tvmgen_m1_workspace_pools* workspace_pools,
    struct tvmgen_m1_devices* devices);

/* ---- c_external_workspace_one_npu ---- */
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

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m0_devices {
  void* npu;
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

/*! \brief One inference. Returns 0; 0x503 where a pool is NULL; 0x803 where one is not aligned;
    -1 where a function of the application fails.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_workspace_pools* workspace_pools,
    struct tvmgen_m0_devices* devices);

/* ---- c_external_workspace_two_npu ---- */
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

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m1_devices {
  void* npu;
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

/*! \brief One inference. Returns 0; 0x503 where a pool is NULL; 0x803 where one is not aligned;
    -1 where a function of the application fails.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_workspace_pools* workspace_pools,
    struct tvmgen_m1_devices* devices);

/* ---- c_external_mixed_one_npu ---- */
struct tvmgen_m0_inputs {
  const void* unused;
  const void* mask;
};
struct tvmgen_m0_mapped_inputs {
  void* image;
};
struct tvmgen_m0_outputs {
  void* t_1;
  void* t_2;
  void* mask_1;
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

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m0_devices {
  void* npu;
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. The caller's inputs are
    not changed; they must not overlap outputs;
    -1 where a function of the application fails.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_inputs* inputs,
    struct tvmgen_m0_outputs* outputs,
    struct tvmgen_m0_workspace_pools* workspace_pools,
    struct tvmgen_m0_devices* devices);

/* ---- c_external_mixed_two_npu ---- */
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

/*! \brief The application's context for each device: passed on, and not looked at. */
struct tvmgen_m1_devices {
  void* npu;
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

/*! \brief One inference. Returns 0; 0x503 where a pool is NULL; 0x803 where one is not aligned;
    -1 where a function of the application fails.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_workspace_pools* workspace_pools,
    struct tvmgen_m1_devices* devices);

