// The calls of the inner function: parameter structs, arguments, comments.
#ifndef USMP_EMIT_CALLS_H_
#define USMP_EMIT_CALLS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "emit/emit.h"

namespace usmp::emit {

const PoolInfo& PoolOf(const EmitInput& input, const PoolAllocation& allocation);

// A caller's tensor is a parameter of the inner function: its name.
std::string ParameterName(std::string_view identifier);

// Where a pool begins, inside the inner function, to which the caller's pools are parameters. Of a
// constant pool it is the struct itself, or a pointer to it if the caller fills it.
std::string PoolBase(const EmitInput& input, const PoolInfo& pool);

// Byte `begin` of a buffer, inside the inner function: "(tvmgen_kws_global_workspace + 512)". Of
// the caller's tensors only byte 0.
std::string Address(const EmitInput& input, BufferId id, Bytes begin = 0);

// The same outside of it: "(uint8_t*)workspace_pools->sram + 512" in a function that has the
// struct of pools at hand.
std::string MappedAddress(const EmitInput& input, const PoolAllocation& at,
                          std::string_view pools = "workspace_pools->");

// The argument for an operand.
std::string OperandText(const EmitInput& input, const lower::Operand& operand);

// The same for elements of a type that begin `offset` bytes after the buffer: " + x * 8".
std::string OperandText(const EmitInput& input, const lower::Operand& operand,
                        std::string_view offset, lower::ElementType element);

// Appends the definition of a call's parameter struct.
void WriteParamStruct(const lower::Call& call, std::string_view name, std::string& text);

// Appends the parameter structs of a call.
void WriteParams(const EmitInput& input, size_t index, std::string& text);

// Appends a call as statements of the inner function, with a comment of what it reads and writes.
void WriteCall(const EmitInput& input, size_t index, std::string& text);

}  // namespace usmp::emit

#endif  // USMP_EMIT_CALLS_H_
