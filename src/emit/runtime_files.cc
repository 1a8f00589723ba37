#include "emit/runtime_files.h"

#include <algorithm>
#include <map>
#include <string>

#include "support/check.h"

namespace usmp::emit {
namespace {

const RuntimeFile& Find(std::string_view path) {
  const auto files = RuntimeFiles();
  const auto found = std::ranges::find(files, path, &RuntimeFile::path);
  USMP_CHECK(found != files.end());
  return *found;
}

// "kernels/a.h" that includes "../b.h" means "b.h"; that includes "c.h", "kernels/c.h".
std::string Resolve(std::string_view from, std::string_view include) {
  std::string folder(from.substr(0, from.rfind('/') + 1));
  while (include.starts_with("../")) {
    include.remove_prefix(3);
    folder.pop_back();
    folder.erase(folder.find_last_of('/') + 1);
  }
  return folder + std::string(include);
}

void Collect(const RuntimeFile& file, std::map<std::string_view, RuntimeFile>& found) {
  if (!found.emplace(file.path, file).second) return;
  constexpr std::string_view kInclude = "\n#include \"";
  for (size_t at = file.content.find(kInclude); at != std::string_view::npos;
       at = file.content.find(kInclude, at + 1)) {
    const size_t begin = at + kInclude.size();
    const size_t end = file.content.find('"', begin);
    Collect(Find(Resolve(file.path, file.content.substr(begin, end - begin))), found);
  }
}

}  // namespace

std::vector<RuntimeFile> FilesOfKernels(std::span<const std::string_view> kernels,
                                        std::span<const std::string_view> headers) {
  std::map<std::string_view, RuntimeFile> found;
  for (std::string_view header : headers) Collect(Find(header), found);
  for (std::string_view kernel : kernels) {
    Collect(Find("kernels/" + std::string(kernel) + ".h"), found);
  }
  std::vector<RuntimeFile> files;
  for (const auto& [path, file] : found) files.push_back(file);
  return files;
}

}  // namespace usmp::emit
