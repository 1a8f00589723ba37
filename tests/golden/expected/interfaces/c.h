/* ---- c_internal_caller_one ---- */
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed;
    they must not overlap outputs.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(struct tvmgen_m0_inputs* inputs,
    struct tvmgen_m0_outputs* outputs);

/* ---- c_internal_caller_two ---- */
struct tvmgen_m1_inputs {
  const void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed;
    they must not overlap outputs.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(struct tvmgen_m1_inputs* inputs,
    struct tvmgen_m1_outputs* outputs);

/* ---- c_internal_workspace_one ---- */
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

/*! \brief One inference. Returns 0.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(void);

/* ---- c_internal_workspace_two ---- */
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

/*! \brief One inference. Returns 0.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(void);

/* ---- c_internal_mixed_one ---- */
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

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but image. */
struct tvmgen_m0_mapped_inputs tvmgen_m0_map_inputs(void);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_mapped_outputs tvmgen_m0_map_outputs(void);

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. The caller's inputs are
    not changed; they must not overlap outputs.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(struct tvmgen_m0_inputs* inputs,
    struct tvmgen_m0_outputs* outputs);

/* ---- c_internal_mixed_two ---- */
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

/*! \brief One inference. Returns 0.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(void);

/* ---- c_external_caller_one ---- */
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed;
    they must not overlap outputs.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_inputs* inputs,
    struct tvmgen_m0_outputs* outputs,
    struct tvmgen_m0_workspace_pools* workspace_pools);

/* ---- c_external_caller_two ---- */
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

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. Inputs are not changed;
    they must not overlap outputs.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_inputs* inputs,
    struct tvmgen_m1_outputs* outputs,
    struct tvmgen_m1_workspace_pools* workspace_pools);

/* ---- c_external_workspace_one ---- */
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

/*! \brief One inference. Returns 0; 0x503 where a pool is NULL; 0x803 where one is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_workspace_pools* workspace_pools);

/* ---- c_external_workspace_two ---- */
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

/*! \brief One inference. Returns 0; 0x503 where a pool is NULL; 0x803 where one is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_workspace_pools* workspace_pools);

/* ---- c_external_mixed_one ---- */
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

/*! \brief Where inputs are in the workspace. They are to be written before every run, which
    overwrites them, all but image. */
struct tvmgen_m0_mapped_inputs tvmgen_m0_map_inputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief Where outputs are in the workspace. They are valid until the next run. */
struct tvmgen_m0_mapped_outputs tvmgen_m0_map_outputs(struct tvmgen_m0_workspace_pools* workspace_pools);

/*! \brief One inference. Returns 0;
    0x503 where a pointer is NULL that must not be: a struct or a pool;
    0x803 where a tensor is NULL, or a tensor or pool is not aligned. The caller's inputs are
    not changed; they must not overlap outputs.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_inputs* inputs,
    struct tvmgen_m0_outputs* outputs,
    struct tvmgen_m0_workspace_pools* workspace_pools);

/* ---- c_external_mixed_two ---- */
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

/*! \brief One inference. Returns 0; 0x503 where a pool is NULL; 0x803 where one is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_workspace_pools* workspace_pools);

