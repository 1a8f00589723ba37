/* The planner from C: three buffers into one pool. The middle one is alive with both others, so
 * that 180 bytes are needed; the other two share theirs. */
#include <stdio.h>
#include <usmp/usmp.h>

struct buffer {
  const char *name;
  int64_t size;
  int32_t begin, end;
};

static int report(const char *what, char *error) {
  fprintf(stderr, "%s: %s", what, error != NULL ? error : "out of memory\n");
  usmp_free(error);
  return 1;
}

static usmp_status build(usmp_problem *problem) {
  static const struct buffer buffers[] = {{"a", 100, 0, 2}, {"b", 80, 1, 3}, {"c", 60, 2, 4}};
  usmp_status status = usmp_problem_add_pool(problem, "ram", 4096, 16);
  for (uint32_t i = 0; i < 3 && status == USMP_OK; ++i) {
    status = usmp_problem_add_buffer(problem, buffers[i].name, buffers[i].size, 4);
    if (status == USMP_OK) {
      status = usmp_problem_add_lifetime(problem, i, buffers[i].begin, buffers[i].end);
    }
  }
  return status;
}

static int plan_and_print(const usmp_problem *problem) {
  usmp_plan *plan = NULL;
  char *error = NULL;
  if (usmp_make_plan(problem, NULL, &plan, &error) != USMP_OK) return report("plan", error);
  for (uint32_t i = 0; i < 3; ++i) {
    printf("buffer %u at %lld\n", (unsigned)i, (long long)usmp_plan_offset(plan, i));
  }
  printf("%lld bytes, no plan needs less than %lld\n", (long long)usmp_plan_pool_size(plan, 0),
         (long long)usmp_plan_lower_bound(plan));
  int failed = 0;
  char *text = NULL;
  if (usmp_explain(problem, plan, &text, &error) == USMP_OK) {
    fputs(text, stdout);
    usmp_free(text);
  } else {
    failed = report("explain", error);
  }
  /* What another planner says is checked in the same way. Here it is wrong. */
  if (failed == 0 && usmp_plan_place(plan, 2, 0, 100) == USMP_OK &&
      usmp_verify(problem, plan, &error) == USMP_INVALID_INPUT) {
    printf("moved: %s", error);
    usmp_free(error);
  }
  usmp_plan_destroy(plan);
  return failed;
}

int main(void) {
  usmp_problem *problem = usmp_problem_create();
  if (problem == NULL || build(problem) != USMP_OK) return report("build", NULL);
  const int failed = plan_and_print(problem);
  usmp_problem_destroy(problem);
  return failed;
}
