#include "compile/io_placement.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lower/row_transfer.h"
#include "support/names.h"

namespace usmp::compile {
namespace {

// The model's inputs, then its outputs.
struct Tensor {
  std::string numbered{};  // "input:0"
  emit::Interface* interface = nullptr;
  bool is_input = false;
  const IoTensor* wish = nullptr;
};

std::vector<Tensor> TensorsOf(Interfaces& interfaces) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < interfaces.inputs.size(); ++i) {
    tensors.push_back({"input:" + std::to_string(i), &interfaces.inputs[i], true});
  }
  for (size_t i = 0; i < interfaces.outputs.size(); ++i) {
    tensors.push_back({"output:" + std::to_string(i), &interfaces.outputs[i], false});
  }
  return tensors;
}

std::string KnownTensors(const std::vector<Tensor>& tensors) {
  std::string names;
  for (const Tensor& tensor : tensors) {
    names +=
        (names.empty() ? "" : ", ") + tensor.interface->identifier + " (" + tensor.numbered + ")";
  }
  return names;
}

std::optional<PoolId> FindWorkspace(std::span<const PoolInfo> pools, const std::string& name) {
  for (size_t i = 0; i < pools.size(); ++i) {
    const bool is_workspace = pools[i].kind == PoolKind::kWorkspace;
    if (is_workspace && pools[i].pool_name == name) return PoolId(i);
  }
  return {};
}

std::string KnownWorkspaces(std::span<const PoolInfo> pools) {
  std::string names;
  for (const PoolInfo& pool : pools) {
    if (pool.kind != PoolKind::kWorkspace) continue;
    names += (names.empty() ? "" : ", ") + pool.pool_name;
  }
  return names;
}

// What is wrong with a wish apart from its name; empty: nothing.
std::string Objection(const IoTensor& wish, const Tensor& tensor, std::span<const PoolInfo> pools) {
  if (tensor.wish != nullptr) return "it is placed twice; say it once";
  if (wish.placement != IoPlacement::kWorkspace && (wish.is_precious || !wish.pool.empty())) {
    return "a pool, or precious, is for tensors in the workspace; the caller's inputs are never "
           "changed";
  }
  if (wish.is_precious && !tensor.is_input) {
    return "an output cannot be precious: it is kept until the next run in any case";
  }
  if (!wish.pool.empty() && !FindWorkspace(pools, wish.pool)) {
    return "there is no workspace pool '" + wish.pool + "'; there is " + KnownWorkspaces(pools);
  }
  return {};
}

void AssignWishes(std::span<const IoTensor> wishes, std::span<const PoolInfo> pools,
                  std::vector<Tensor>& tensors, std::vector<Diagnostic>& problems) {
  for (const IoTensor& wish : wishes) {
    const std::string where = "placement of '" + wish.name + "'";
    const auto found = std::ranges::find_if(tensors, [&](const Tensor& tensor) {
      return tensor.interface->identifier == wish.name || tensor.numbered == wish.name;
    });
    if (found == tensors.end()) {
      problems.push_back({where, "the model has no input or output of that name; it has " +
                                     KnownTensors(tensors)});
      continue;
    }
    std::string objection = Objection(wish, *found, pools);
    if (!objection.empty()) problems.push_back({where, std::move(objection)});
    found->wish = &wish;
  }
}

// What is wrong with a tensor by rows; empty: nothing.
std::string ObjectionToRows(const Tensor& tensor, const std::vector<Tensor>& all, InterfaceApi api,
                            const lower::Program& program) {
  if (api == InterfaceApi::kPacked) {
    return "a packed argument is a tensor, never a function: choose another interface";
  }
  if (!lower::RowsOf(program, tensor.interface->buffer)) {
    return "no operator works on its rows, so the whole of it has to be there: place it with the "
           "caller or in the workspace";
  }
  for (const std::string_view suffix : {"_get_row", "_put_row", "_context", "_row"}) {
    const std::string taken = ToUpper(tensor.interface->identifier + std::string(suffix));
    for (const Tensor& other : all) {
      if (ToUpper(other.interface->identifier) != taken) continue;
      return "the model has a tensor '" + other.interface->identifier +
             "', and the interface by rows needs that name; rename the tensor in the model";
    }
  }
  return {};
}

}  // namespace

Result<std::vector<lower::WorkspaceIo>> PlaceIo(std::span<const PoolInfo> pools,
                                                const CompileOptions& options,
                                                lower::Program& program, Interfaces& interfaces) {
  std::vector<Tensor> tensors = TensorsOf(interfaces);
  std::vector<Diagnostic> problems;
  AssignWishes(options.io_tensors, pools, tensors, problems);
  std::vector<lower::WorkspaceIo> in_workspace;
  for (const Tensor& tensor : tensors) {
    const IoTensor wish = tensor.wish != nullptr ? *tensor.wish : IoTensor{.placement = options.io};
    emit::Interface& interface = *tensor.interface;
    if (wish.placement == IoPlacement::kRows) {
      std::string objection = ObjectionToRows(tensor, tensors, options.interface, program);
      if (!objection.empty()) {
        problems.push_back({"placement of '" + interface.identifier + "'", std::move(objection)});
        continue;
      }
      interface.rows = *lower::RowsOf(program, interface.buffer);
      lower::TransferRows(interface.buffer, program);
    } else if (wish.placement == IoPlacement::kWorkspace) {
      in_workspace.push_back({.buffer = interface.buffer,
                              .pool = FindWorkspace(pools, wish.pool),
                              .is_precious = wish.is_precious});
      interface.is_precious = wish.is_precious;
    }
  }
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  return in_workspace;
}

}  // namespace usmp::compile
