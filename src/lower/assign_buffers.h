#ifndef USMP_LOWER_ASSIGN_BUFFERS_H_
#define USMP_LOWER_ASSIGN_BUFFERS_H_

#include <optional>
#include <vector>

#include "ir/graph.h"
#include "lower/program.h"

namespace usmp::lower {

// An output that cannot be the buffer its tensor lives in: the tensor is a graph input, a constant,
// or an output that is listed twice.
struct OutputCopy {
  ir::TensorId from{};
  std::optional<BufferId> from_buffer{};  // absent: a constant
  BufferId to_buffer{};
};

struct BufferAssignment {
  std::vector<std::optional<BufferId>> buffers{};  // by TensorId; absent for constants
  std::vector<OutputCopy> copies{};                // to be made after the last operator
};

// Adds a buffer to `program` for every tensor that is not a constant, and fills program.inputs and
// outputs. The result of a RESHAPE shares its input's buffer unless that would make two of the
// caller's tensors one:
//
//     x -> RESHAPE -> y            one buffer, whatever x and y are, but
//     input -> RESHAPE -> output   two: the caller gives both
//     output1 -> RESHAPE -> output2   two
BufferAssignment AssignBuffers(const ir::Graph& graph, Program& program);

// By TensorId: is it an input, an output or an operand? Passes leave tensors behind, of any type,
// that nothing reads or writes any more.
std::vector<bool> UsedTensors(const ir::Graph& graph);

}  // namespace usmp::lower

#endif  // USMP_LOWER_ASSIGN_BUFFERS_H_
