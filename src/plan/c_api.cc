#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "plan/describe.h"
#include "plan/lower_bound.h"
#include "usmp/plan.h"
#include "usmp/plan_io.h"
#include "usmp/usmp.h"

// The types of usmp.h, whose names are C's.
struct usmp_problem {
  usmp::PlanProblem problem{};  // the conflicts are made when it is used
  std::vector<std::pair<uint32_t, uint32_t>> pairs{};
  bool has_pairs = false;
};

struct usmp_plan {
  usmp::Plan plan{};
  std::vector<usmp::Bytes> buffer_sizes{};
  size_t pools = 0;
};

namespace usmp {
namespace {

constexpr char kSource[] = "problem";

// A copy that the caller frees; throws where there is no memory.
char* Copied(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

usmp_status Reported(const Error& error, char** out) {
  std::string text;
  for (const Diagnostic& diagnostic : error.diagnostics) {
    text += diagnostic.where + ": " + diagnostic.message + "\n";
  }
  if (out != nullptr) *out = Copied(text);
  switch (error.code) {
    case ErrorCode::kInvalidInput:
      return USMP_INVALID_INPUT;
    case ErrorCode::kUnsupported:
      return USMP_UNSUPPORTED;
    case ErrorCode::kDoesNotFit:
      return USMP_DOES_NOT_FIT;
  }
  return USMP_INVALID_INPUT;
}

// No exception leaves the library.
template <class Function>
usmp_status Guarded(char** error, Function function) {
  if (error != nullptr) *error = nullptr;
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return USMP_OUT_OF_MEMORY;
  }
}

template <class Function>
usmp_status Guarded(Function function) {
  return Guarded(nullptr, function);
}

// With its conflicts, and every buffer allowed everywhere that names no pool.
Result<PlanProblem> Completed(const usmp_problem& built) {
  PlanProblem problem = built.problem;
  std::vector<PoolId> all;
  for (size_t i = 0; i < problem.pools.size(); ++i) all.push_back(static_cast<PoolId>(i));
  for (BufferInfo& buffer : problem.buffers) {
    if (buffer.pool_candidates.empty()) buffer.pool_candidates = all;
  }
  if (!built.has_pairs) {
    problem.conflicts = Conflicts::FromLifetimes(problem.buffers);
    return problem;
  }
  std::vector<std::pair<BufferId, BufferId>> pairs;
  for (const auto& [a, b] : built.pairs) {
    if (a == b || std::max(a, b) >= problem.buffers.size()) {
      return Fail(ErrorCode::kInvalidInput, "conflicts",
                  "each needs two different buffers of the problem");
    }
    pairs.emplace_back(BufferId(a), BufferId(b));
  }
  problem.conflicts = Conflicts::FromPairs(problem.buffers.size(), pairs);
  return problem;
}

usmp_plan* Wrapped(const PlanProblem& problem, Plan plan) {
  auto out = std::make_unique<usmp_plan>();
  out->plan = std::move(plan);
  out->pools = problem.pools.size();
  for (const BufferInfo& buffer : problem.buffers) out->buffer_sizes.push_back(buffer.size_bytes);
  return out.release();
}

Bytes SizeOfPool(const usmp_plan& plan, uint32_t pool) {
  Bytes size = 0;
  for (size_t i = 0; i < plan.buffer_sizes.size(); ++i) {
    const auto [where, offset] = plan.plan.allocations[i];
    const Bytes bytes = plan.buffer_sizes[i];
    if (plan::Index(where) != pool || bytes == 0 || offset > INT64_MAX - bytes) continue;
    size = std::max(size, offset + bytes);
  }
  return size;
}

Plan WithSizes(const usmp_plan& plan) {
  Plan out = plan.plan;
  out.pool_sizes.clear();
  for (uint32_t i = 0; i < plan.pools; ++i) out.pool_sizes.push_back(SizeOfPool(plan, i));
  return out;
}

// Nothing where there is no such buffer.
BufferInfo* BufferOf(usmp_problem* problem, uint32_t buffer) {
  return buffer < problem->problem.buffers.size() ? &problem->problem.buffers[buffer] : nullptr;
}

}  // namespace
}  // namespace usmp

using usmp::Completed;
using usmp::Copied;
using usmp::Guarded;
using usmp::Reported;

extern "C" {

const char* usmp_version(void) { return USMP_VERSION_STRING; }

void usmp_free(char* text) { std::free(text); }

usmp_problem* usmp_problem_create(void) { return new (std::nothrow) usmp_problem(); }

void usmp_problem_destroy(usmp_problem* problem) { delete problem; }

usmp_status usmp_problem_from_json(const char* text, size_t length, usmp_problem** problem,
                                   char** error) {
  return Guarded(error, [&] {
    auto read = usmp::ParseProblemJson({text, length}, usmp::kSource);
    if (!read) return Reported(read.error(), error);
    auto out = std::make_unique<usmp_problem>();
    out->has_pairs = !read->conflicts.is_implied_by_lifetimes();
    for (uint32_t i = 0; out->has_pairs && i < read->buffers.size(); ++i) {
      for (usmp::BufferId other : read->conflicts.ConflictsOf(usmp::BufferId(i))) {
        if (i < static_cast<uint32_t>(other))
          out->pairs.emplace_back(i, static_cast<uint32_t>(other));
      }
    }
    out->problem = *std::move(read);
    *problem = out.release();
    return USMP_OK;
  });
}

usmp_status usmp_problem_to_json(const usmp_problem* problem, char** text, char** error) {
  return Guarded(error, [&] {
    const auto completed = Completed(*problem);
    if (!completed) return Reported(completed.error(), error);
    if (const auto checked = usmp::CheckProblem(*completed); !checked) {
      return Reported(checked.error(), error);
    }
    *text = Copied(usmp::ProblemToJson(*completed));
    return USMP_OK;
  });
}

usmp_status usmp_problem_add_pool(usmp_problem* problem, const char* name, int64_t size,
                                  int64_t alignment) {
  return Guarded([&] {
    usmp::PoolInfo pool = {.pool_name = name, .alignment = alignment};
    if (size != USMP_UNBOUNDED) pool.size_hint_bytes = size;
    problem->problem.pools.push_back(std::move(pool));
    return USMP_OK;
  });
}

usmp_status usmp_problem_add_buffer(usmp_problem* problem, const char* name, int64_t size,
                                    int64_t alignment) {
  return Guarded([&] {
    problem->problem.buffers.push_back(
        {.name_hint = name, .size_bytes = size, .alignment = alignment});
    return USMP_OK;
  });
}

usmp_status usmp_problem_allow_pool(usmp_problem* problem, uint32_t buffer, uint32_t pool) {
  return Guarded([&] {
    usmp::BufferInfo* info = usmp::BufferOf(problem, buffer);
    if (info == nullptr) return USMP_INVALID_INPUT;
    info->pool_candidates.push_back(usmp::PoolId(pool));
    return USMP_OK;
  });
}

usmp_status usmp_problem_pin(usmp_problem* problem, uint32_t buffer, uint32_t pool,
                             int64_t offset) {
  usmp::BufferInfo* info = usmp::BufferOf(problem, buffer);
  if (info == nullptr) return USMP_INVALID_INPUT;
  info->pinned = usmp::PoolAllocation{usmp::PoolId(pool), offset};
  return USMP_OK;
}

usmp_status usmp_problem_add_lifetime(usmp_problem* problem, uint32_t buffer, int32_t begin,
                                      int32_t end) {
  return Guarded([&] {
    usmp::BufferInfo* info = usmp::BufferOf(problem, buffer);
    if (info == nullptr) return USMP_INVALID_INPUT;
    info->lifetimes.push_back({begin, end});
    return USMP_OK;
  });
}

usmp_status usmp_problem_add_conflict(usmp_problem* problem, uint32_t a, uint32_t b) {
  return Guarded([&] {
    problem->has_pairs = true;
    problem->pairs.emplace_back(a, b);
    return USMP_OK;
  });
}

usmp_status usmp_problem_add_overlap(usmp_problem* problem, uint32_t lower, uint32_t upper,
                                     int64_t distance) {
  return Guarded([&] {
    problem->problem.overlaps.push_back({usmp::BufferId(lower), usmp::BufferId(upper), distance});
    return USMP_OK;
  });
}

usmp_status usmp_make_plan(const usmp_problem* problem, const usmp_options* options,
                           usmp_plan** plan, char** error) {
  return Guarded(error, [&] {
    const auto completed = Completed(*problem);
    if (!completed) return Reported(completed.error(), error);
    usmp::PlanOptions plan_options;
    const char* name = "auto";
    if (options != nullptr) {
      plan_options.seed = options->seed;
      if (options->max_steps != 0) plan_options.max_steps = options->max_steps;
      if (options->algorithm != nullptr) name = options->algorithm;
    }
    const auto algorithm = usmp::FindAlgorithm(name);
    if (!algorithm) return Reported(algorithm.error(), error);
    auto made = usmp::MakePlan(*completed, *algorithm, plan_options);
    if (!made) return Reported(made.error(), error);
    *plan = usmp::Wrapped(*completed, *std::move(made));
    return USMP_OK;
  });
}

usmp_status usmp_lower_bound(const usmp_problem* problem, int64_t* bytes, char** why,
                             char** error) {
  return Guarded(error, [&] {
    const auto completed = Completed(*problem);
    if (!completed) return Reported(completed.error(), error);
    if (const auto checked = usmp::CheckProblem(*completed); !checked) {
      return Reported(checked.error(), error);
    }
    const usmp::plan::Bound bound = usmp::plan::FindLowerBound(*completed);
    if (why != nullptr) *why = Copied(bound.why);
    *bytes = bound.bytes;
    return USMP_OK;
  });
}

usmp_status usmp_explain(const usmp_problem* problem, const usmp_plan* plan, char** text,
                         char** error) {
  return Guarded(error, [&] {
    const auto completed = Completed(*problem);
    if (!completed) return Reported(completed.error(), error);
    const auto explained = usmp::ExplainPlan(*completed, usmp::WithSizes(*plan));
    if (!explained) return Reported(explained.error(), error);
    *text = Copied(*explained);
    return USMP_OK;
  });
}

usmp_plan* usmp_plan_create(const usmp_problem* problem) {
  usmp_plan* plan = nullptr;
  Guarded([&] {
    usmp::Plan empty;
    empty.allocations.resize(problem->problem.buffers.size());
    plan = usmp::Wrapped(problem->problem, std::move(empty));
    return USMP_OK;
  });
  return plan;
}

void usmp_plan_destroy(usmp_plan* plan) { delete plan; }

usmp_status usmp_plan_place(usmp_plan* plan, uint32_t buffer, uint32_t pool, int64_t offset) {
  if (buffer >= plan->buffer_sizes.size()) return USMP_INVALID_INPUT;
  plan->plan.allocations[buffer] = {usmp::PoolId(pool), offset};
  plan->plan.proof = usmp::Proof::kNone;
  plan->plan.lower_bound_bytes = 0;
  return USMP_OK;
}

usmp_status usmp_plan_from_json(const usmp_problem* problem, const char* text, size_t length,
                                usmp_plan** plan, char** error) {
  return Guarded(error, [&] {
    const auto completed = Completed(*problem);
    if (!completed) return Reported(completed.error(), error);
    auto read = usmp::ParsePlanJson({text, length}, "plan", *completed);
    if (!read) return Reported(read.error(), error);
    *plan = usmp::Wrapped(*completed, *std::move(read));
    return USMP_OK;
  });
}

usmp_status usmp_plan_to_json(const usmp_problem* problem, const usmp_plan* plan, char** text,
                              char** error) {
  return Guarded(error, [&] {
    const auto completed = Completed(*problem);
    if (!completed) return Reported(completed.error(), error);
    if (const auto verified = usmp::VerifyPlan(*completed, usmp::WithSizes(*plan)); !verified) {
      return Reported(verified.error(), error);
    }
    *text = Copied(usmp::PlanToJson(*completed, usmp::WithSizes(*plan)));
    return USMP_OK;
  });
}

usmp_status usmp_verify(const usmp_problem* problem, const usmp_plan* plan, char** error) {
  return Guarded(error, [&] {
    const auto completed = Completed(*problem);
    if (!completed) return Reported(completed.error(), error);
    const auto verified = usmp::VerifyPlan(*completed, usmp::WithSizes(*plan));
    return verified ? USMP_OK : Reported(verified.error(), error);
  });
}

int64_t usmp_plan_pool(const usmp_plan* plan, uint32_t buffer) {
  if (buffer >= plan->buffer_sizes.size()) return -1;
  return static_cast<int64_t>(plan->plan.allocations[buffer].pool);
}

int64_t usmp_plan_offset(const usmp_plan* plan, uint32_t buffer) {
  if (buffer >= plan->buffer_sizes.size()) return -1;
  return plan->plan.allocations[buffer].byte_offset;
}

int64_t usmp_plan_pool_size(const usmp_plan* plan, uint32_t pool) {
  return pool < plan->pools ? usmp::SizeOfPool(*plan, pool) : -1;
}

int64_t usmp_plan_lower_bound(const usmp_plan* plan) { return plan->plan.lower_bound_bytes; }

usmp_proof usmp_plan_proof(const usmp_plan* plan) {
  switch (plan->plan.proof) {
    case usmp::Proof::kMeetsLowerBound:
      return USMP_PROOF_LOWER_BOUND;
    case usmp::Proof::kExhausted:
      return USMP_PROOF_EXHAUSTED;
    case usmp::Proof::kNone:
      break;
  }
  return USMP_PROOF_NONE;
}

}  // extern "C"
