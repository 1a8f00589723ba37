/* What the harness knows about a generated model; the tables are written by the test. */
#ifndef USMP_TESTS_HARNESS_H_
#define USMP_TESTS_HARNESS_H_

#include <stddef.h>
#include <stdint.h>

struct harness_tensor {
  size_t bytes;
  size_t alignment; /* of its elements: the buffers are aligned to exactly that */
};

struct harness_model {
  const char* name;
  /* is_first: false where the inputs are those of the last call, so that precious ones need not be
     written. */
  int32_t (*run)(void** inputs, void** outputs, int is_first);
  size_t input_count, output_count;
  const struct harness_tensor *inputs, *outputs;
  const uint8_t* workspace; /* NULL: not asked for */
  size_t workspace_bytes;
};

/* A tensor that is handed over row by row, in order: anything else ends the program. A row that is
   given is gone when the next one is asked for. */
struct harness_rows {
  uint8_t* bytes;
  size_t row_bytes;
  int32_t next;
  void* lent;
};
const void* harness_get_row(void* context, int32_t row);
int32_t harness_put_row(void* context, int32_t row, const void* data);
int32_t harness_end_rows(struct harness_rows* rows); /* returns how many there were */

extern const struct harness_model* const harness_models[];
extern const size_t harness_model_count;

#endif /* USMP_TESTS_HARNESS_H_ */
