#include "support/files.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace usmp::testing {
namespace {

[[noreturn]] void Abort(const std::string& what) {
  std::fprintf(stderr, "tests: %s\n", what.c_str());
  std::abort();
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "usmp_test_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) Abort("cannot make a temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<uint8_t> ReadFile(const std::filesystem::path& path) {
  const std::string text = ReadText(path);
  return {text.begin(), text.end()};
}

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Abort("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file) Abort("cannot write " + path.string());
}

void WriteFile(const std::filesystem::path& path, std::span<const uint8_t> content) {
  WriteFile(path, std::string(content.begin(), content.end()));
}

void WriteFiles(const std::filesystem::path& folder, std::span<const GeneratedFile> files) {
  for (const GeneratedFile& file : files) WriteFile(folder / file.path, file.content);
}

CommandResult RunCommand(const std::string& command) {
  FILE* pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) Abort("cannot run " + command);
  CommandResult result;
  char buffer[4096];
  for (size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    result.output.append(buffer, n);
  }
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace usmp::testing
