#include "int8_operators/run_program.h"

#include "support/run_call.h"

namespace usmp::testing {
namespace {

void RunCalls(const lower::Program& program, const std::vector<void*>& addresses) {
  for (const lower::Call& call : program.calls) {
    std::vector<void*> pointers;
    for (const lower::Operand& operand : call.operands) {
      pointers.push_back(operand.buffer ? addresses[static_cast<size_t>(*operand.buffer)]
                                        : nullptr);
    }
    RunCall(call, pointers, Variant::kVector);
  }
}

std::vector<ByteVector> MakeBuffers(const lower::Program& program) {
  std::vector<ByteVector> buffers;
  for (const lower::Buffer& buffer : program.buffers) {
    buffers.push_back(buffer.kind == BufferKind::kConstant
                          ? buffer.data
                          : ByteVector(static_cast<size_t>(buffer.size_bytes()), 0xA5));
    buffers.back().shrink_to_fit();
  }
  return buffers;
}

}  // namespace

std::vector<ByteVector> RunProgram(const lower::Program& program,
                                   const std::vector<ByteVector>& inputs) {
  std::vector<ByteVector> buffers = MakeBuffers(program);
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    buffers[static_cast<size_t>(program.inputs[i])] = inputs[i];
  }
  std::vector<void*> addresses;
  for (ByteVector& buffer : buffers) addresses.push_back(buffer.data());
  RunCalls(program, addresses);
  std::vector<ByteVector> outputs;
  for (BufferId id : program.outputs) outputs.push_back(buffers[static_cast<size_t>(id)]);
  return outputs;
}

ByteVector RunInPlace(const lower::Program& program, const ByteVector& input) {
  std::vector<ByteVector> buffers = MakeBuffers(program);
  std::vector<void*> addresses;
  for (ByteVector& buffer : buffers) addresses.push_back(buffer.data());
  ByteVector shared = input;
  addresses[static_cast<size_t>(program.inputs[0])] = shared.data();
  addresses[static_cast<size_t>(program.outputs[0])] = shared.data();
  RunCalls(program, addresses);
  return shared;
}

void SetParam(lower::Program& program, const char* name, int64_t value) {
  for (lower::Call& call : program.calls) {
    for (lower::Param& param : call.params) {
      if (param.name == name) param.value = value;
    }
  }
}

}  // namespace usmp::testing
