#ifndef USMP_COMPILE_SCHEDULE_H_
#define USMP_COMPILE_SCHEDULE_H_

#include <span>

#include "lower/extract_buffers.h"
#include "lower/program.h"
#include "usmp/compile.h"

namespace usmp::compile {

// A program in its final order, and where its buffers are.
struct Schedule {
  lower::Program program{};
  lower::Extracted extracted{};
  Plan plan{};
  bool order_is_proved_best = false;  // no order has a lower estimate; see lower/order.h
};

// Plans the program in the model's order and in the one that FindOrder prefers, and takes the one
// with less workspace; of equals the model's. The kernels' scan directions follow the plan.
Result<Schedule> MakeSchedule(lower::Program program, std::span<const PoolInfo> pools,
                              const CompileOptions& options, const Algorithm& algorithm);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_SCHEDULE_H_
