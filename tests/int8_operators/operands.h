// Tensors and bytes for the tests of the int8 operators.
#ifndef USMP_TESTS_INT8_OPERATORS_OPERANDS_H_
#define USMP_TESTS_INT8_OPERATORS_OPERANDS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "int8_operators/reference.h"
#include "int8_operators/run_program.h"
#include "ir/graph.h"

namespace usmp::testing {

using Random = std::mt19937;

ir::Tensor Quantized(std::vector<int32_t> shape, Affine affine, ir::DType type = ir::DType::kInt8);
ir::Tensor Float(std::vector<int32_t> shape);
// The same tensor as a constant.
ir::Tensor WithData(ir::Tensor tensor, ByteVector bytes);

int RandomInt(Random& random, int low, int high);  // both included
// A scale of 2^-9 to 2^1, a zero point that is an end of the range or 0 as often as not.
Affine RandomAffine(Random& random);
// Any bytes, with runs of extreme values in them.
ByteVector RandomBytes(Random& random, int64_t count);

// Lowers the graph (which must work) and runs it.
ByteVector LowerAndRun(const ir::Graph& graph, const std::vector<ByteVector>& inputs);
lower::Program LowerOrDie(const ir::Graph& graph);

// Why the graph cannot be lowered: the message of the only diagnostic; "" if it can.
std::string WhyNot(const ir::Graph& graph);

}  // namespace usmp::testing

#endif  // USMP_TESTS_INT8_OPERATORS_OPERANDS_H_
