// The operator table: how each operator becomes kernel calls. One explicit table; `usmp ops` prints
// it.
#ifndef USMP_LOWER_KERNELS_H_
#define USMP_LOWER_KERNELS_H_

#include <span>
#include <string_view>

#include "ir/graph.h"
#include "lower/builder.h"
#include "usmp/result.h"

namespace usmp::lower {

struct OperatorRow {
  ir::OpKind kind{};
  std::string_view types{};  // "int8, float32"
  Result<void> (*lower)(OpBuilder&) =
      nullptr;  // checks types and attributes first, then adds calls
};

std::span<const OperatorRow> OperatorTable();      // in the order of ir/ops.def
const OperatorRow* FindOperator(ir::OpKind kind);  // nullptr: none

// The rows' functions, by file.
// conv.cc
Result<void> LowerConv2d(OpBuilder& builder);
Result<void> LowerDepthwiseConv2d(OpBuilder& builder);
// fully_connected.cc
Result<void> LowerFullyConnected(OpBuilder& builder);
// elementwise.cc
Result<void> LowerAdd(OpBuilder& builder);
Result<void> LowerSub(OpBuilder& builder);
Result<void> LowerMul(OpBuilder& builder);
// pool.cc
Result<void> LowerAveragePool2d(OpBuilder& builder);
Result<void> LowerMaxPool2d(OpBuilder& builder);
// reduce.cc
Result<void> LowerMean(OpBuilder& builder);
// activation.cc
Result<void> LowerSoftmax(OpBuilder& builder);
Result<void> LowerLogistic(OpBuilder& builder);
Result<void> LowerTanh(OpBuilder& builder);
Result<void> LowerRelu(OpBuilder& builder);
Result<void> LowerRelu6(OpBuilder& builder);
// data_movement.cc
Result<void> LowerPad(OpBuilder& builder);
Result<void> LowerReshape(
    OpBuilder& builder);  // a copy; Lower calls it only where a view is not legal
Result<void> LowerConcatenation(OpBuilder& builder);
// strided_copy.cc
Result<void> LowerStridedSlice(OpBuilder& builder);
Result<void> LowerTranspose(OpBuilder& builder);
// quantize.cc
Result<void> LowerQuantize(OpBuilder& builder);
Result<void> LowerDequantize(OpBuilder& builder);

}  // namespace usmp::lower

#endif  // USMP_LOWER_KERNELS_H_
