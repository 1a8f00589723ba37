#ifndef USMP_LOWER_LOWER_H_
#define USMP_LOWER_LOWER_H_

#include <span>
#include <vector>

#include "ir/graph.h"
#include "lower/program.h"
#include "usmp/interface.h"
#include "usmp/result.h"

namespace usmp::lower {

// Graph to program: assigns tensors to buffers (a RESHAPE shares its input's buffer wherever that
// is legal), then calls the operator table's row for each operator. Every operator that cannot be
// lowered is listed in the error, with the reason.
// `offloads` is the list that the importer was given.
Result<Program> Lower(const ir::Graph& graph, std::span<const Offload> offloads = {});

// Why `op` cannot be lowered; empty if it can. Does the same checks as Lower.
std::vector<Diagnostic> WhyUnsupported(const ir::Graph& graph, const ir::Op& op);

}  // namespace usmp::lower

#endif  // USMP_LOWER_LOWER_H_
