#include "process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>

extern char** environ;

namespace usmp::tools {
namespace {

std::string ReadAll(int descriptor) {
  std::string text;
  std::array<char, 4096> chunk{};
  for (ssize_t n = 0; (n = read(descriptor, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<size_t>(n));
  }
  return text;
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) return std::string("was stopped by ") + strsignal(WTERMSIG(status));
  return "failed with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Result<std::string> RunProcess(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return Fail(ErrorCode::kInvalidInput, arguments[0],
                std::string("no pipe: ") + std::strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output = error == 0 ? ReadAll(ends[0]) : "";
  close(ends[0]);
  if (error != 0) {
    return Fail(ErrorCode::kInvalidInput, arguments[0],
                std::string("cannot be started: ") + std::strerror(error));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) return Fail(ErrorCode::kInvalidInput, arguments[0], HowItEnded(status));
  return output;
}

}  // namespace usmp::tools
