#include "emit/signatures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/text.h"

namespace usmp::emit {
namespace {

RunArgument PoolsArgument(const EmitInput& input) {
  return {"struct " + input.symbol + "_workspace_pools", "workspace_pools"};
}

enum class Place : uint8_t { kCaller, kRows, kWorkspace };

Place PlaceOf(const EmitInput& input, const Interface& tensor) {
  if (tensor.rows > 0) return Place::kRows;
  return MappedPlace(input, tensor) ? Place::kWorkspace : Place::kCaller;
}

std::vector<Interface> Select(const EmitInput& input, Role role,
                              std::initializer_list<Place> places) {
  std::vector<Interface> selected;
  std::ranges::copy_if(TensorsOf(input, role), std::back_inserter(selected),
                       [&](const Interface& tensor) {
                         return std::ranges::find(places, PlaceOf(input, tensor)) != places.end();
                       });
  return selected;
}

// Of any role.
bool HasArgumentTensors(const EmitInput& input) {
  return std::ranges::any_of(kRoles,
                             [&](Role role) { return !ArgumentTensors(input, role).empty(); });
}

bool HasMappedTensors(const EmitInput& input) {
  return std::ranges::any_of(kRoles,
                             [&](Role role) { return !MappedTensors(input, role).empty(); });
}

}  // namespace

std::string_view Name(Role role) { return role == Role::kInputs ? "inputs" : "outputs"; }

const std::vector<Interface>& TensorsOf(const EmitInput& input, Role role) {
  return role == Role::kInputs ? input.inputs : input.outputs;
}

std::optional<PoolAllocation> MappedPlace(const EmitInput& input, const Interface& tensor) {
  if (tensor.rows > 0) return {};
  return input.allocations[static_cast<size_t>(tensor.buffer)];
}

std::vector<Interface> CallersTensors(const EmitInput& input, Role role) {
  return Select(input, role, {Place::kCaller});
}

std::vector<Interface> TensorsByRows(const EmitInput& input, Role role) {
  return Select(input, role, {Place::kRows});
}

std::vector<Interface> MappedTensors(const EmitInput& input, Role role) {
  return Select(input, role, {Place::kWorkspace});
}

std::vector<Interface> ArgumentTensors(const EmitInput& input, Role role) {
  return Select(input, role, {Place::kCaller, Place::kRows});
}

bool HasExternalPools(const EmitInput& input) {
  return std::ranges::any_of(input.pools, [](const PoolInfo& pool) { return !pool.is_internal; });
}

// A model without inputs has the struct and the functions that it would have if it had some.
bool RunTakes(const EmitInput& input, Role role) {
  if (TensorsOf(input, role).empty()) return !HasMappedTensors(input);
  return !ArgumentTensors(input, role).empty();
}

bool HasMap(const EmitInput& input, Role role) {
  if (TensorsOf(input, role).empty()) return HasMappedTensors(input) && !HasArgumentTensors(input);
  return !MappedTensors(input, role).empty();
}

std::string MappedType(const EmitInput& input, Role role) {
  return fmt::format("struct {}_{}{}", input.symbol, RunTakes(input, role) ? "mapped_" : "",
                     Name(role));
}

std::vector<RunArgument> RunArguments(const EmitInput& input) {
  std::vector<RunArgument> arguments;
  for (Role role : kRoles) {
    if (!RunTakes(input, role)) continue;
    const std::string name(Name(role));
    arguments.push_back({"struct " + input.symbol + "_" + name, name});
  }
  if (HasExternalPools(input)) arguments.push_back(PoolsArgument(input));
  if (!input.devices.empty())
    arguments.push_back({"struct " + input.symbol + "_devices", "devices"});
  return arguments;
}

std::vector<RunMember> RunMembers(const EmitInput& input) {
  std::vector<RunMember> members;
  for (Role role : kRoles) {
    if (!RunTakes(input, role)) continue;
    for (const Interface& tensor : CallersTensors(input, role)) {
      members.push_back({std::string(Name(role)), tensor.identifier, tensor});
    }
  }
  for (const PoolInfo& pool : input.pools) {
    if (!pool.is_internal) members.push_back({PoolsArgument(input).name, pool.pool_name, {}});
  }
  for (const std::string& device : input.devices) members.push_back({"devices", device, {}});
  return members;
}

std::string RunName(const EmitInput& input) {
  return input.symbol + (input.api == InterfaceApi::kC ? "_run" : "_run_structs");
}

std::string RunSignature(const EmitInput& input) {
  std::vector<std::string> parameters;
  for (const RunArgument& argument : RunArguments(input)) {
    parameters.push_back(argument.type + "* " + argument.name);
  }
  if (parameters.empty()) parameters.push_back("void");
  return fmt::format("{}int32_t {}({})", input.api == InterfaceApi::kC ? "" : "static ",
                     RunName(input), Join(parameters, ",\n    "));
}

bool HasMapWithPools(const EmitInput& input) {
  const bool maps_descriptors =
      input.dl_tensors == DlTensors::kWorkspace || input.dl_tensors == DlTensors::kContiguous;
  return HasExternalPools(input) &&
         (maps_descriptors || HasMap(input, Role::kInputs) || HasMap(input, Role::kOutputs));
}

std::string MapParameters(const EmitInput& input) {
  if (!HasExternalPools(input)) return "void";
  const RunArgument pools = PoolsArgument(input);
  return pools.type + "* " + pools.name;
}

std::string MapSignature(const EmitInput& input, Role role) {
  return fmt::format("{} {}_map_{}({})", MappedType(input, role), input.symbol, Name(role),
                     MapParameters(input));
}

}  // namespace usmp::emit
