#include "emit/emit.h"

#include <algorithm>
#include <set>

#include "emit/constant_pools.h"
#include "emit/files.h"
#include "emit/offload.h"
#include "emit/runtime_files.h"

namespace usmp::emit {

std::vector<std::string_view> KernelsOf(const lower::Program& program) {
  std::set<std::string_view> kernels;
  for (const lower::Call& call : program.calls) {
    if (!call.group && !call.transfer && !call.offloaded) kernels.insert(call.kernel);
    for (const lower::Call* member : lower::MembersOf(call)) {
      if (!member->transfer) kernels.insert(member->kernel);
    }
  }
  return {kernels.begin(), kernels.end()};
}

bool CanFail(const lower::Program& program) {
  const auto transfers = [](const lower::Call* call) { return call->transfer.has_value(); };
  return std::ranges::any_of(program.calls, [&](const lower::Call& call) {
    return call.offloaded || transfers(&call) ||
           std::ranges::any_of(lower::MembersOf(call), transfers);
  });
}

bool HasGroups(const lower::Program& program) {
  return std::ranges::any_of(program.calls,
                             [](const lower::Call& call) { return call.group != nullptr; });
}

bool NeedsDlTensor(const EmitInput& input) {
  return input.api == InterfaceApi::kPacked || input.dl_tensors != DlTensors::kNone;
}

std::vector<std::string_view> HeadersOf(const EmitInput& input) {
  std::vector<std::string_view> headers;
  if (input.api == InterfaceApi::kPacked) headers.emplace_back("usmp_packed.h");
  if (HasGroups(input.program)) headers.emplace_back("usmp_stream.h");
  return headers;
}

std::string SharedPoolsSymbol(std::string_view prefix) { return std::string(prefix) + "_pools"; }

std::vector<File> Emit(const EmitBuild& build) {
  std::vector<std::string> shared_arrays(build.shared.empty() ? 0 : build.pools.size());
  for (const SharedPool& shared : build.shared) {
    shared_arrays[static_cast<size_t>(shared.pool)] = SharedArray(build, shared);
  }
  std::vector<File> files;
  std::set<std::string_view> kernels, headers;
  for (EmitInput input : build.models) {
    for (std::string_view header : HeadersOf(input)) headers.insert(header);
    if (NeedsDlTensor(input)) headers.insert("usmp_dl_tensor.h");
    if (HasOffloads(input)) headers.insert("usmp_offload.h");
    input.shared_arrays = shared_arrays;
    files.push_back({input.symbol + ".h", WriteHeader(input)});
    files.push_back({input.symbol + ".c", WriteSource(input)});
    std::string constants = WriteConstants(input);
    if (!constants.empty()) files.push_back({input.symbol + "_constants.h", std::move(constants)});
    for (File& file : PoolImageFiles(input)) files.push_back(std::move(file));
    for (std::string_view kernel : KernelsOf(input.program)) kernels.insert(kernel);
  }
  if (!build.shared.empty()) {
    files.push_back({"usmp_pools.h", WriteSharedPoolsHeader(build)});
    files.push_back({"usmp_pools.c", WriteSharedPools(build)});
  }
  files.push_back({"CMakeLists.txt", WriteCMakeLists(build)});
  for (const RuntimeFile& file : FilesOfKernels(std::vector(kernels.begin(), kernels.end()),
                                                std::vector(headers.begin(), headers.end()))) {
    files.push_back({"usmp/" + std::string(file.path), std::string(file.content)});
  }
  return files;
}

}  // namespace usmp::emit
