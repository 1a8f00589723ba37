#include "emit/emit.h"

#include <set>

#include "emit/constant_pools.h"
#include "emit/files.h"
#include "emit/runtime_files.h"

namespace usmp::emit {

std::vector<std::string_view> KernelsOf(const lower::Program& program) {
  std::set<std::string_view> kernels;
  for (const lower::Call& call : program.calls) kernels.insert(call.kernel);
  return {kernels.begin(), kernels.end()};
}

std::vector<File> Emit(const EmitInput& input) {
  std::vector<File> files;
  files.push_back({input.symbol + ".h", WriteHeader(input)});
  files.push_back({input.symbol + ".c", WriteSource(input)});
  std::string constants = WriteConstants(input);
  if (!constants.empty()) files.push_back({input.symbol + "_constants.h", std::move(constants)});
  for (File& file : PoolImageFiles(input)) files.push_back(std::move(file));
  files.push_back({"CMakeLists.txt", WriteCMakeLists(input)});
  for (const RuntimeFile& file : FilesOfKernels(KernelsOf(input.program))) {
    files.push_back({"usmp/" + std::string(file.path), std::string(file.content)});
  }
  return files;
}

}  // namespace usmp::emit
