/* ---- module_internal_caller_one ---- */
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

/*! \brief The model with what it works on. All zero to begin with. */
struct tvmgen_m0_module {
  struct tvmgen_m0_inputs inputs;
  struct tvmgen_m0_outputs outputs;
};

int32_t tvmgen_m0_get_num_inputs(void);
int32_t tvmgen_m0_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m0_get_input_index(const char* name);
int32_t tvmgen_m0_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m0_set_input(struct tvmgen_m0_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m0_set_output(struct tvmgen_m0_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m0_get_input(struct tvmgen_m0_module* module, int32_t index);
void* tvmgen_m0_get_output(struct tvmgen_m0_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(struct tvmgen_m0_module* module);

/* ---- module_internal_caller_two ---- */
struct tvmgen_m1_inputs {
  const void* sound;
};
struct tvmgen_m1_outputs {
  void* t;
};

/*! \brief The model with what it works on. All zero to begin with. */
struct tvmgen_m1_module {
  struct tvmgen_m1_inputs inputs;
  struct tvmgen_m1_outputs outputs;
};

int32_t tvmgen_m1_get_num_inputs(void);
int32_t tvmgen_m1_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m1_get_input_index(const char* name);
int32_t tvmgen_m1_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m1_set_input(struct tvmgen_m1_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m1_set_output(struct tvmgen_m1_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m1_get_input(struct tvmgen_m1_module* module, int32_t index);
void* tvmgen_m1_get_output(struct tvmgen_m1_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(struct tvmgen_m1_module* module);

/* ---- module_internal_workspace_one ---- */
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

/*! \brief The model with what it works on. All zero to begin with. */
struct tvmgen_m0_module {
  void* _unused;  /* everything is in the model's own memory */
};

int32_t tvmgen_m0_get_num_inputs(void);
int32_t tvmgen_m0_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m0_get_input_index(const char* name);
int32_t tvmgen_m0_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m0_set_input(struct tvmgen_m0_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m0_set_output(struct tvmgen_m0_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m0_get_input(struct tvmgen_m0_module* module, int32_t index);
void* tvmgen_m0_get_output(struct tvmgen_m0_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(struct tvmgen_m0_module* module);

/* ---- module_internal_workspace_two ---- */
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

/*! \brief The model with what it works on. All zero to begin with. */
struct tvmgen_m1_module {
  void* _unused;  /* everything is in the model's own memory */
};

int32_t tvmgen_m1_get_num_inputs(void);
int32_t tvmgen_m1_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m1_get_input_index(const char* name);
int32_t tvmgen_m1_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m1_set_input(struct tvmgen_m1_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m1_set_output(struct tvmgen_m1_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m1_get_input(struct tvmgen_m1_module* module, int32_t index);
void* tvmgen_m1_get_output(struct tvmgen_m1_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(struct tvmgen_m1_module* module);

/* ---- module_internal_mixed_one ---- */
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

/*! \brief The model with what it works on. All zero to begin with. */
struct tvmgen_m0_module {
  struct tvmgen_m0_inputs inputs;
  struct tvmgen_m0_outputs outputs;
};

int32_t tvmgen_m0_get_num_inputs(void);
int32_t tvmgen_m0_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m0_get_input_index(const char* name);
int32_t tvmgen_m0_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m0_set_input(struct tvmgen_m0_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m0_set_output(struct tvmgen_m0_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m0_get_input(struct tvmgen_m0_module* module, int32_t index);
void* tvmgen_m0_get_output(struct tvmgen_m0_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m0_run(struct tvmgen_m0_module* module);

/* ---- module_internal_mixed_two ---- */
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

/*! \brief The model with what it works on. All zero to begin with. */
struct tvmgen_m1_module {
  void* _unused;  /* everything is in the model's own memory */
};

int32_t tvmgen_m1_get_num_inputs(void);
int32_t tvmgen_m1_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m1_get_input_index(const char* name);
int32_t tvmgen_m1_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m1_set_input(struct tvmgen_m1_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m1_set_output(struct tvmgen_m1_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m1_get_input(struct tvmgen_m1_module* module, int32_t index);
void* tvmgen_m1_get_output(struct tvmgen_m1_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Not re-entrant: the working memory is shared. */
int32_t tvmgen_m1_run(struct tvmgen_m1_module* module);

/* ---- module_external_caller_one ---- */
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

/*! \brief The model with what it works on. All zero to begin with, but for workspace_pools, which you fill. */
struct tvmgen_m0_module {
  struct tvmgen_m0_inputs inputs;
  struct tvmgen_m0_outputs outputs;
  struct tvmgen_m0_workspace_pools workspace_pools;
};

int32_t tvmgen_m0_get_num_inputs(void);
int32_t tvmgen_m0_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m0_get_input_index(const char* name);
int32_t tvmgen_m0_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m0_set_input(struct tvmgen_m0_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m0_set_output(struct tvmgen_m0_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m0_get_input(struct tvmgen_m0_module* module, int32_t index);
void* tvmgen_m0_get_output(struct tvmgen_m0_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_module* module);

/* ---- module_external_caller_two ---- */
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

/*! \brief The model with what it works on. All zero to begin with, but for workspace_pools, which you fill. */
struct tvmgen_m1_module {
  struct tvmgen_m1_inputs inputs;
  struct tvmgen_m1_outputs outputs;
  struct tvmgen_m1_workspace_pools workspace_pools;
};

int32_t tvmgen_m1_get_num_inputs(void);
int32_t tvmgen_m1_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m1_get_input_index(const char* name);
int32_t tvmgen_m1_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m1_set_input(struct tvmgen_m1_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m1_set_output(struct tvmgen_m1_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m1_get_input(struct tvmgen_m1_module* module, int32_t index);
void* tvmgen_m1_get_output(struct tvmgen_m1_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_module* module);

/* ---- module_external_workspace_one ---- */
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

/*! \brief The model with what it works on. All zero to begin with, but for workspace_pools, which you fill. */
struct tvmgen_m0_module {
  struct tvmgen_m0_workspace_pools workspace_pools;
};

int32_t tvmgen_m0_get_num_inputs(void);
int32_t tvmgen_m0_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m0_get_input_index(const char* name);
int32_t tvmgen_m0_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m0_set_input(struct tvmgen_m0_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m0_set_output(struct tvmgen_m0_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m0_get_input(struct tvmgen_m0_module* module, int32_t index);
void* tvmgen_m0_get_output(struct tvmgen_m0_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_module* module);

/* ---- module_external_workspace_two ---- */
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

/*! \brief The model with what it works on. All zero to begin with, but for workspace_pools, which you fill. */
struct tvmgen_m1_module {
  struct tvmgen_m1_workspace_pools workspace_pools;
};

int32_t tvmgen_m1_get_num_inputs(void);
int32_t tvmgen_m1_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m1_get_input_index(const char* name);
int32_t tvmgen_m1_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m1_set_input(struct tvmgen_m1_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m1_set_output(struct tvmgen_m1_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m1_get_input(struct tvmgen_m1_module* module, int32_t index);
void* tvmgen_m1_get_output(struct tvmgen_m1_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_module* module);

/* ---- module_external_mixed_one ---- */
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

/*! \brief The model with what it works on. All zero to begin with, but for workspace_pools, which you fill. */
struct tvmgen_m0_module {
  struct tvmgen_m0_inputs inputs;
  struct tvmgen_m0_outputs outputs;
  struct tvmgen_m0_workspace_pools workspace_pools;
};

int32_t tvmgen_m0_get_num_inputs(void);
int32_t tvmgen_m0_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m0_get_input_index(const char* name);
int32_t tvmgen_m0_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m0_set_input(struct tvmgen_m0_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m0_set_output(struct tvmgen_m0_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m0_get_input(struct tvmgen_m0_module* module, int32_t index);
void* tvmgen_m0_get_output(struct tvmgen_m0_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m0_run(struct tvmgen_m0_module* module);

/* ---- module_external_mixed_two ---- */
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

/*! \brief The model with what it works on. All zero to begin with, but for workspace_pools, which you fill. */
struct tvmgen_m1_module {
  struct tvmgen_m1_workspace_pools workspace_pools;
};

int32_t tvmgen_m1_get_num_inputs(void);
int32_t tvmgen_m1_get_num_outputs(void);
/*! \brief By the name in the model, or by the identifier. -1: there is none. */
int32_t tvmgen_m1_get_input_index(const char* name);
int32_t tvmgen_m1_get_output_index(const char* name);
/*! \brief The input's bytes: the caller's are remembered, and must be there until the run has ended;
    others are copied into the workspace. Returns 0; 0x503 where the module or a pool is NULL,
    0x702 where there is no such input, 0x803 where `data` is NULL. */
int32_t tvmgen_m1_set_input(struct tvmgen_m1_module* module, int32_t index, const void* data);
/*! \brief Where an output that the caller owns is to go. The same codes; 0x803 also where it is in
    the workspace. */
int32_t tvmgen_m1_set_output(struct tvmgen_m1_module* module, int32_t index, void* data);
/*! \brief Where the bytes are: in the workspace, or where the last set put them; what `set` was given
    as const is not to be written. NULL: nowhere yet, or there is none. Outputs in the workspace
    are valid until the next run. */
void* tvmgen_m1_get_input(struct tvmgen_m1_module* module, int32_t index);
void* tvmgen_m1_get_output(struct tvmgen_m1_module* module, int32_t index);
/*! \brief One inference. Returns 0; 0x503 where the module or a pool is NULL;
    0x803 where a tensor was not set, or a tensor or pool is not aligned.
    Re-entrant for each set of pools. */
int32_t tvmgen_m1_run(struct tvmgen_m1_module* module);

