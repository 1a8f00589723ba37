/* Runs generated models. Standard input: requests, each a model's index (uint32, native order)
   followed by the bytes of its inputs. Standard output: for each request the return code (int32),
   the outputs' bytes and the workspace's where the model exposes it. Every buffer is an allocation
   of its own that ends where the tensor ends, so that a sanitizer sees the first byte too many. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostTensors = 64 };

static void fail(const struct harness_model* model, const char* what) {
  fprintf(stderr, "harness: model %s: %s\n", model->name, what);
  exit(3);
}

/* The tensor starts one element into the allocation: aligned as promised, and no better. */
static uint8_t* allocate(const struct harness_tensor* tensor) {
  uint8_t* bytes = malloc(tensor->bytes + tensor->alignment);
  if (bytes == NULL) exit(4);
  return bytes + tensor->alignment;
}

static void release(uint8_t* bytes, const struct harness_tensor* tensor) {
  free(bytes - tensor->alignment);
}

static void read_exactly(void* to, size_t bytes) {
  if (fread(to, 1, bytes, stdin) != bytes) exit(5);
}

static void check_row(const struct harness_rows* rows, int32_t row) {
  if (row == rows->next) return;
  fprintf(stderr, "harness: row %d where row %d is due\n", (int)row, (int)rows->next);
  exit(3);
}

const void* harness_get_row(void* context, int32_t row) {
  struct harness_rows* const rows = context;
  check_row(rows, row);
  free(rows->lent);
  rows->lent = malloc(rows->row_bytes);
  if (rows->lent == NULL) exit(4);
  memcpy(rows->lent, rows->bytes + (size_t)row * rows->row_bytes, rows->row_bytes);
  ++rows->next;
  return rows->lent;
}

int32_t harness_put_row(void* context, int32_t row, const void* data) {
  struct harness_rows* const rows = context;
  check_row(rows, row);
  memcpy(rows->bytes + (size_t)row * rows->row_bytes, data, rows->row_bytes);
  ++rows->next;
  return 0;
}

int32_t harness_end_rows(struct harness_rows* rows) {
  free(rows->lent);
  rows->lent = NULL;
  return rows->next;
}

static void run_request(const struct harness_model* model) {
  void* in[kMostTensors];
  void* copies[kMostTensors];
  void* out[kMostTensors];
  void* again[kMostTensors];
  if (model->input_count > kMostTensors || model->output_count > kMostTensors) exit(6);
  for (size_t i = 0; i < model->input_count; ++i) {
    in[i] = allocate(&model->inputs[i]);
    copies[i] = allocate(&model->inputs[i]);
    read_exactly(in[i], model->inputs[i].bytes);
    memcpy(copies[i], in[i], model->inputs[i].bytes);
  }
  for (size_t i = 0; i < model->output_count; ++i) {
    out[i] = allocate(&model->outputs[i]);
    again[i] = allocate(&model->outputs[i]);
    memset(out[i], 0xA5, model->outputs[i].bytes);
    memset(again[i], 0x5A, model->outputs[i].bytes);
  }
  const int32_t code = model->run(in, out, 1);
  if (model->run(in, again, 0) != code) fail(model, "the second run returns another code");
  fwrite(&code, sizeof code, 1, stdout);
  for (size_t i = 0; i < model->output_count; ++i) {
    const size_t bytes = model->outputs[i].bytes;
    if (memcmp(out[i], again[i], bytes) != 0) fail(model, "the second run gives other outputs");
    fwrite(out[i], 1, bytes, stdout);
    release(out[i], &model->outputs[i]);
    release(again[i], &model->outputs[i]);
  }
  for (size_t i = 0; i < model->input_count; ++i) {
    if (memcmp(in[i], copies[i], model->inputs[i].bytes) != 0) fail(model, "an input was changed");
    release(in[i], &model->inputs[i]);
    release(copies[i], &model->inputs[i]);
  }
  if (model->workspace != NULL) fwrite(model->workspace, 1, model->workspace_bytes, stdout);
  fflush(stdout);
}

int main(void) {
  uint32_t index = 0;
  while (fread(&index, sizeof index, 1, stdin) == 1) {
    if (index >= harness_model_count) return 7;
    run_request(harness_models[index]);
  }
  return 0;
}
