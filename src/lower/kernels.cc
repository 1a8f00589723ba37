#include "lower/kernels.h"

#include <algorithm>
#include <iterator>

namespace usmp::lower {
namespace {

constexpr OperatorRow kTable[] = {
    {ir::OpKind::kConv2d, "int8", LowerConv2d},
    {ir::OpKind::kDepthwiseConv2d, "int8", LowerDepthwiseConv2d},
    {ir::OpKind::kFullyConnected, "int8", LowerFullyConnected},
};

}  // namespace

std::span<const OperatorRow> OperatorTable() { return kTable; }

const OperatorRow* FindOperator(ir::OpKind kind) {
  const auto* row = std::ranges::find(kTable, kind, &OperatorRow::kind);
  return row == std::end(kTable) ? nullptr : row;
}

}  // namespace usmp::lower
