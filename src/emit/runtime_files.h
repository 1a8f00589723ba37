// The C files of runtime/, embedded at build time by cmake/embed_files.cmake.
#ifndef USMP_EMIT_RUNTIME_FILES_H_
#define USMP_EMIT_RUNTIME_FILES_H_

#include <span>
#include <string_view>
#include <vector>

namespace usmp::emit {

struct RuntimeFile {
  std::string_view path{};  // below runtime/: "kernels/conv2d_s8.h"
  std::string_view content{};
};

std::span<const RuntimeFile> RuntimeFiles();  // ascending by path

// The files that the kernels need, and groups of calls if there are any, those that they include
// among them; ascending by path, each once.
std::vector<RuntimeFile> FilesOfKernels(std::span<const std::string_view> kernels, bool has_groups);

}  // namespace usmp::emit

#endif  // USMP_EMIT_RUNTIME_FILES_H_
