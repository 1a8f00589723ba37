#include "emit/emit.h"

#include <algorithm>
#include <set>

#include "emit/files.h"
#include "emit/runtime_files.h"

namespace usmp::emit {

std::vector<std::string_view> KernelsOf(const lower::Program& program) {
  std::set<std::string_view> kernels;
  for (const lower::Call& call : program.calls) {
    if (!call.group) kernels.insert(call.kernel);
    for (const lower::Call* member : lower::MembersOf(call)) kernels.insert(member->kernel);
  }
  return {kernels.begin(), kernels.end()};
}

bool HasGroups(const lower::Program& program) {
  return std::ranges::any_of(program.calls,
                             [](const lower::Call& call) { return call.group != nullptr; });
}

std::vector<File> Emit(const EmitInput& input) {
  std::vector<File> files;
  files.push_back({input.symbol + ".h", WriteHeader(input)});
  files.push_back({input.symbol + ".c", WriteSource(input)});
  std::string constants = WriteConstants(input);
  if (!constants.empty()) files.push_back({input.symbol + "_constants.h", std::move(constants)});
  files.push_back({"CMakeLists.txt", WriteCMakeLists(input)});
  for (const RuntimeFile& file :
       FilesOfKernels(KernelsOf(input.program), HasGroups(input.program))) {
    files.push_back({"usmp/" + std::string(file.path), std::string(file.content)});
  }
  return files;
}

}  // namespace usmp::emit
