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

// The files of the kernels and other `headers` ("usmp_stream.h"), and those that they include;
// ascending by path, each once.
std::vector<RuntimeFile> FilesOfKernels(std::span<const std::string_view> kernels,
                                        std::span<const std::string_view> headers);

}  // namespace usmp::emit

#endif  // USMP_EMIT_RUNTIME_FILES_H_
