#include "lower/kernels.h"

#include <algorithm>
#include <iterator>

namespace usmp::lower {
namespace {

constexpr OperatorRow kTable[] = {
    {ir::OpKind::kConv2d, "int8", LowerConv2d},
    {ir::OpKind::kDepthwiseConv2d, "int8", LowerDepthwiseConv2d},
    {ir::OpKind::kFullyConnected, "int8", LowerFullyConnected},
    {ir::OpKind::kAdd, "int8", LowerAdd},
    {ir::OpKind::kSub, "int8", LowerSub},
    {ir::OpKind::kMul, "int8", LowerMul},
    {ir::OpKind::kAveragePool2d, "int8", LowerAveragePool2d},
    {ir::OpKind::kMaxPool2d, "int8", LowerMaxPool2d},
    {ir::OpKind::kMean, "int8", LowerMean},
    {ir::OpKind::kPad, "int8", LowerPad},
    {ir::OpKind::kSoftmax, "int8", LowerSoftmax},
    {ir::OpKind::kLogistic, "int8", LowerLogistic},
    {ir::OpKind::kTanh, "int8", LowerTanh},
    {ir::OpKind::kRelu, "int8", LowerRelu},
    {ir::OpKind::kRelu6, "int8", LowerRelu6},
    {ir::OpKind::kReshape, "any", LowerReshape},
    {ir::OpKind::kConcatenation, "any", LowerConcatenation},
    {ir::OpKind::kQuantize, "float32 or int8, uint8 to int8, uint8", LowerQuantize},
    {ir::OpKind::kDequantize, "int8, uint8", LowerDequantize},
};

}  // namespace

std::span<const OperatorRow> OperatorTable() { return kTable; }

const OperatorRow* FindOperator(ir::OpKind kind) {
  const auto* row = std::ranges::find(kTable, kind, &OperatorRow::kind);
  return row == std::end(kTable) ? nullptr : row;
}

}  // namespace usmp::lower
