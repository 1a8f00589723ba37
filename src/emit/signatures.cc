#include "emit/signatures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emit/text.h"

namespace usmp::emit {
namespace {

std::string PoolsParameter(const EmitInput& input) {
  return "struct " + input.symbol + "_workspace_pools* workspace_pools";
}

enum class Place : uint8_t { kCaller, kRows, kWorkspace };

Place PlaceOf(const EmitInput& input, const Interface& tensor) {
  if (tensor.rows > 0) return Place::kRows;
  const bool is_planned = input.allocations[static_cast<size_t>(tensor.buffer)].has_value();
  return is_planned ? Place::kWorkspace : Place::kCaller;
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

std::string RunSignature(const EmitInput& input) {
  std::vector<std::string> parameters;
  for (Role role : kRoles) {
    if (!RunTakes(input, role)) continue;
    parameters.push_back(fmt::format("struct {0}_{1}* {1}", input.symbol, Name(role)));
  }
  if (HasExternalPools(input)) parameters.push_back(PoolsParameter(input));
  if (parameters.empty()) parameters.push_back("void");
  return "int32_t " + input.symbol + "_run(" + Join(parameters, ",\n    ") + ")";
}

std::string MapSignature(const EmitInput& input, Role role) {
  return fmt::format("{} {}_map_{}({})", MappedType(input, role), input.symbol, Name(role),
                     HasExternalPools(input) ? PoolsParameter(input) : "void");
}

}  // namespace usmp::emit
