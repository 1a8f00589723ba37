// Files, folders and commands, for tests that build and run things.
#ifndef USMP_TESTS_SUPPORT_FILES_H_
#define USMP_TESTS_SUPPORT_FILES_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usmp/compile.h"

namespace usmp::testing {

// A new folder, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_{};
};

// All three abort with a message on standard error if the file system refuses.
std::vector<uint8_t> ReadFile(const std::filesystem::path& path);
std::string ReadText(const std::filesystem::path& path);
void WriteFile(const std::filesystem::path& path, std::string_view content);
void WriteFile(const std::filesystem::path& path, std::span<const uint8_t> content);
void WriteFiles(const std::filesystem::path& folder, std::span<const GeneratedFile> files);

struct CommandResult {
  int exit_code = 0;     // 128 + signal where one ended it
  std::string output{};  // standard output and standard error
};
// Runs a shell command line.
CommandResult RunCommand(const std::string& command);
// 'it'\''s': one word of a shell command line.
std::string Quoted(const std::string& word);

}  // namespace usmp::testing

#endif  // USMP_TESTS_SUPPORT_FILES_H_
