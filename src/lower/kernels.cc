#include "lower/kernels.h"

#include <algorithm>
#include <iterator>

namespace usmp::lower {
namespace {

constexpr OperatorRow kTable[] = {
    {ir::OpKind::kFullyConnected, "int8", LowerFullyConnected},
};

}  // namespace

std::span<const OperatorRow> OperatorTable() { return kTable; }

const OperatorRow* FindOperator(ir::OpKind kind) {
  const auto* row = std::ranges::find(kTable, kind, &OperatorRow::kind);
  return row == std::end(kTable) ? nullptr : row;
}

}  // namespace usmp::lower
