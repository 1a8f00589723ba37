/* The planner in plain C: buffers, pools and conflicts in; a verified plan with a lower bound out.
 *
 * Sizes and offsets are bytes, times are steps of a schedule, lifetimes are half-open. Buffers and
 * pools are numbered from 0 in the order in which they are added. Strings are UTF-8 and end in a
 * zero byte; what is passed in is copied.
 *
 * Nothing here prints, exits or opens files. A function that can fail because of its input returns
 * a usmp_status, and writes the reasons, one line each, to `*error`, which the caller frees with
 * usmp_free; `error` may be NULL, and `*error` is NULL after USMP_OK. Outputs are written only
 * then. Objects may be used by several threads as long as none of them changes one.
 */
#ifndef USMP_USMP_H_
#define USMP_USMP_H_

/* NOLINTBEGIN(modernize-*): C has no <cstddef> and no `using`. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define USMP_VERSION_MAJOR 0
#define USMP_VERSION_MINOR 1
#define USMP_VERSION_PATCH 0
#define USMP_VERSION_STRING "0.1.0"

/* Of the library that is linked. */
const char *usmp_version(void);

typedef enum usmp_status {
  USMP_OK = 0,
  USMP_INVALID_INPUT = 1, /* malformed, contradictory, or unknown */
  USMP_UNSUPPORTED = 2,   /* well formed, but the algorithm cannot do it */
  USMP_DOES_NOT_FIT = 3,  /* the pools are too small */
  USMP_OUT_OF_MEMORY = 4
} usmp_status;

typedef struct usmp_problem usmp_problem;
typedef struct usmp_plan usmp_plan;

/* Frees a string that a function here has written; NULL is allowed. */
void usmp_free(char *text);

/* --- Problems: built by calls, or read. Mistakes in the calls are reported when it is used. --- */

#define USMP_UNBOUNDED ((int64_t)-1)

usmp_problem *usmp_problem_create(void); /* NULL: out of memory */
void usmp_problem_destroy(usmp_problem *problem);

/* docs/planning.md describes the format. */
usmp_status usmp_problem_from_json(const char *text, size_t length, usmp_problem **problem,
                                   char **error);
usmp_status usmp_problem_to_json(const usmp_problem *problem, char **text, char **error);

/* `alignment` of the base address, and of the buffer's address: powers of two. A buffer may go into
 * every pool unless usmp_problem_allow_pool names some, in order of preference. */
usmp_status usmp_problem_add_pool(usmp_problem *problem, const char *name, int64_t size,
                                  int64_t alignment);
usmp_status usmp_problem_add_buffer(usmp_problem *problem, const char *name, int64_t size,
                                    int64_t alignment);
usmp_status usmp_problem_allow_pool(usmp_problem *problem, uint32_t buffer, uint32_t pool);
usmp_status usmp_problem_pin(usmp_problem *problem, uint32_t buffer, uint32_t pool, int64_t offset);
/* Ascending and disjoint, for each buffer. */
usmp_status usmp_problem_add_lifetime(usmp_problem *problem, uint32_t buffer, int32_t begin,
                                      int32_t end);
/* If there is one, such pairs alone say who may not share bytes, whatever the lifetimes. */
usmp_status usmp_problem_add_conflict(usmp_problem *problem, uint32_t a, uint32_t b);
/* `upper` may start `distance` bytes above `lower` although both are alive in one common step. */
usmp_status usmp_problem_add_overlap(usmp_problem *problem, uint32_t lower, uint32_t upper,
                                     int64_t distance);

/* --- Planning --- */

typedef struct usmp_options {
  const char *algorithm; /* NULL: "auto" */
  uint64_t seed;
  int64_t max_steps; /* 0: the default */
} usmp_options;

/* `options` may be NULL. */
usmp_status usmp_make_plan(const usmp_problem *problem, const usmp_options *options,
                           usmp_plan **plan, char **error);
/* No legal plan has pools smaller than that in sum. `why` may be NULL. */
usmp_status usmp_lower_bound(const usmp_problem *problem, int64_t *bytes, char **why, char **error);
/* What makes the plan as large as it is, and what would make it smaller: text for people. */
usmp_status usmp_explain(const usmp_problem *problem, const usmp_plan *plan, char **text,
                         char **error);

/* --- Plans: made, read, or put together from another planner's offsets. --- */

usmp_plan *usmp_plan_create(const usmp_problem *problem); /* every buffer at offset 0 of pool 0 */
void usmp_plan_destroy(usmp_plan *plan);
usmp_status usmp_plan_place(usmp_plan *plan, uint32_t buffer, uint32_t pool, int64_t offset);
usmp_status usmp_plan_from_json(const usmp_problem *problem, const char *text, size_t length,
                                usmp_plan **plan, char **error);
usmp_status usmp_plan_to_json(const usmp_problem *problem, const usmp_plan *plan, char **text,
                              char **error);
/* Lists every violation. */
usmp_status usmp_verify(const usmp_problem *problem, const usmp_plan *plan, char **error);

typedef enum usmp_proof {
  USMP_PROOF_NONE = 0,        /* a smaller plan may exist */
  USMP_PROOF_LOWER_BOUND = 1, /* the plan needs exactly the lower bound */
  USMP_PROOF_EXHAUSTED = 2    /* a search has shown that nothing smaller exists */
} usmp_proof;

/* -1 where there is no such buffer or pool. */
int64_t usmp_plan_pool(const usmp_plan *plan, uint32_t buffer);
int64_t usmp_plan_offset(const usmp_plan *plan, uint32_t buffer);
int64_t usmp_plan_pool_size(const usmp_plan *plan, uint32_t pool); /* the furthest byte used */
int64_t usmp_plan_lower_bound(const usmp_plan *plan);
usmp_proof usmp_plan_proof(const usmp_plan *plan);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*) */

#endif /* USMP_USMP_H_ */
