#include "lower/kernels.h"

#include <algorithm>
#include <iterator>

namespace usmp::lower {
namespace {

constexpr OperatorRow kTable[] = {
    {ir::OpKind::kConv2d, "int8, float32", LowerConv2d},
    {ir::OpKind::kDepthwiseConv2d, "int8, float32", LowerDepthwiseConv2d},
    {ir::OpKind::kFullyConnected, "int8, float32", LowerFullyConnected},
    {ir::OpKind::kAdd, "int8, float32", LowerAdd},
    {ir::OpKind::kSub, "int8, float32", LowerSub},
    {ir::OpKind::kMul, "int8, float32", LowerMul},
    {ir::OpKind::kAveragePool2d, "int8, float32", LowerAveragePool2d},
    {ir::OpKind::kMaxPool2d, "int8, float32", LowerMaxPool2d},
    {ir::OpKind::kMean, "int8, float32", LowerMean},
    {ir::OpKind::kPad, "int8, float32", LowerPad},
    {ir::OpKind::kSoftmax, "int8, float32", LowerSoftmax},
    {ir::OpKind::kLogistic, "int8, float32", LowerLogistic},
    {ir::OpKind::kTanh, "int8, float32", LowerTanh},
    {ir::OpKind::kRelu, "int8, float32", LowerRelu},
    {ir::OpKind::kRelu6, "int8, float32", LowerRelu6},
    {ir::OpKind::kReshape, "any", LowerReshape},
    {ir::OpKind::kConcatenation, "any", LowerConcatenation},
    {ir::OpKind::kStridedSlice, "any", LowerStridedSlice},
    {ir::OpKind::kTranspose, "any", LowerTranspose},
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
