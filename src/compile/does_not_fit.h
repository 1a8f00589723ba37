// What models lack that do not fit into their pools, and what would make them fit.
#ifndef USMP_COMPILE_DOES_NOT_FIT_H_
#define USMP_COMPILE_DOES_NOT_FIT_H_

#include <functional>
#include <optional>
#include <vector>

#include "usmp/compile.h"
#include "usmp/report.h"

namespace usmp::compile {

// What is asked for otherwise, of all models; absent: as before.
struct Change {
  std::vector<PoolInfo> pools{};
  std::optional<IoPlacement> io{};
  bool in_any_pool = false;  // inputs and outputs of the workspace need not be in the pools named
  std::optional<bool> overlap{};
  std::optional<StreamMode> stream{};
  std::optional<ModelSharing> sharing{};
};
// Plans the models once more. An error: they do not fit so either.
using TryChange = std::function<Result<Report>(const Change&)>;

struct Asked {
  const CompileOptions& options;  // of the first model, for what is common to all
  ModelSharing sharing{};
  size_t models = 1;
};

// `error` is kDoesNotFit. Adds by how much, what is alive at the peak, and which changes make the
// models fit: a larger pool, a further one, another alignment, inputs and outputs elsewhere,
// overlap, streaming, models that take turns. Each of them was tried, so that what is said to fit
// does; of a pool, one byte less was tried too, and does not.
Error ExplainDoesNotFit(Error error, const Asked& asked, const TryChange& try_change);

}  // namespace usmp::compile

#endif  // USMP_COMPILE_DOES_NOT_FIT_H_
