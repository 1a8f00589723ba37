// The order of execution: part of the plan where a graph has branches.
#ifndef USMP_LOWER_ORDER_H_
#define USMP_LOWER_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lower/extract_buffers.h"
#include "lower/program.h"

namespace usmp::lower {

struct OrderOptions {
  std::vector<WorkspaceIo> io{};  // the caller owns the other inputs and outputs: they do not count
  bool overlap = true;            // outputs may share bytes with dying inputs
  int64_t max_states = 20'000;    // sets of executed calls looked at; beyond, the best few are kept
};

struct Order {
  std::vector<size_t> calls{};  // indices into Program::calls, in the order of execution
  // Most bytes alive during a call. A lower bound of any plan of whole tensors in this order.
  Bytes peak_bytes = 0;
  bool is_exact = false;  // no order has a lower peak_bytes
};

// The order with the least peak; that of the program itself where no other is better. A call comes
// after the writers of what it reads, and calls that write the same buffer keep their order.
//
// Exact dynamic programming over the sets of calls that can have been executed: two orders of the
// same set leave the same buffers alive, so that only the better one goes on. In a chain there is
// one such set of each size; independent branches multiply them.
Order FindOrder(const Program& program, const OrderOptions& options);

// Is there no order but the program's own?
bool HasOneOrder(const Program& program);

// The calls in that order.
Program Reordered(const Program& program, const std::vector<size_t>& calls);

}  // namespace usmp::lower

#endif  // USMP_LOWER_ORDER_H_
