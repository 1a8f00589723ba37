// The functions of the generated interface and their structs. What a role's struct holds depends on
// who owns the tensors:
//
//     all the caller's     struct m_inputs is an argument of run
//     all in the workspace struct m_inputs is what m_map_inputs returns
//     some of each         struct m_inputs is an argument of run and has the caller's tensors;
//                          struct m_mapped_inputs is what m_map_inputs returns and has the others
//
// Of a tensor by rows, the caller has a function, which is in the struct instead of the tensor.
#ifndef USMP_EMIT_SIGNATURES_H_
#define USMP_EMIT_SIGNATURES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/emit.h"

namespace usmp::emit {

enum class Role : uint8_t { kInputs, kOutputs };
inline constexpr Role kRoles[] = {Role::kInputs, Role::kOutputs};
std::string_view Name(Role role);  // "inputs"

const std::vector<Interface>& TensorsOf(const EmitInput& input, Role role);
// Of which the caller has the whole; the rows; or neither, but where they are in the workspace.
std::vector<Interface> CallersTensors(const EmitInput& input, Role role);
std::vector<Interface> TensorsByRows(const EmitInput& input, Role role);
std::vector<Interface> MappedTensors(const EmitInput& input, Role role);
// Where the whole is, of the last kind.
std::optional<PoolAllocation> MappedPlace(const EmitInput& input, const Interface& tensor);
// What run's argument has: the first two kinds, in the model's order.
std::vector<Interface> ArgumentTensors(const EmitInput& input, Role role);
bool HasExternalPools(const EmitInput& input);

bool RunTakes(const EmitInput& input, Role role);  // run has the role's struct as an argument
bool HasMap(const EmitInput& input, Role role);    // there is a map function
std::string MappedType(const EmitInput& input, Role role);  // "struct tvmgen_kws_inputs"

// The arguments of the C function that runs the model: pointers to structs.
struct RunArgument {
  std::string type{}, name{};  // "struct tvmgen_kws_inputs", "inputs"
};
std::vector<RunArgument> RunArguments(const EmitInput& input);

// What the structs have: the caller's tensors, pools, devices.
struct RunMember {
  std::string argument{}, name{};     // "inputs", "image"
  std::optional<Interface> tensor{};  // absent: a pointer to something else
};
std::vector<RunMember> RunMembers(const EmitInput& input);

// Under InterfaceApi::kC it is `run`; the other interfaces are layers over it.
std::string RunName(const EmitInput& input);       // "tvmgen_kws_run"
std::string RunSignature(const EmitInput& input);  // "int32_t tvmgen_kws_run(...)", no semicolon
std::string MapSignature(const EmitInput& input, Role role);
std::string MapParameters(const EmitInput& input);  // of all functions that map
bool HasMapWithPools(const EmitInput& input);       // does any of them take the struct of pools?

}  // namespace usmp::emit

#endif  // USMP_EMIT_SIGNATURES_H_
