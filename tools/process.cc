#include "process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

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

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

std::vector<char*> ArgumentsOf(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  return argv;
}

// The child's process group is its own, so that what it starts can be stopped with it. 0 or errno.
int SpawnWithFiles(const std::vector<std::string>& arguments,
                   const std::array<TemporaryFile, 3>& files, pid_t* child) {
  std::vector<char*> argv = ArgumentsOf(arguments);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) {
    posix_spawn_file_actions_adddup2(&actions, fileno(files[static_cast<size_t>(i)].get()), i);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawnp(child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Whether it ended by itself in time; if not, it is stopped.
bool WaitFor(pid_t child, int seconds, int* status) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(seconds);
  while (waitpid(child, status, WNOHANG) == 0) {
    if (Clock::now() >= deadline) {
      kill(-child, SIGKILL);
      waitpid(child, status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) return std::string("was stopped by ") + strsignal(WTERMSIG(status));
  return "failed with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Result<std::string> RunProcess(const std::vector<std::string>& arguments) {
  std::vector<char*> argv = ArgumentsOf(arguments);
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

Result<Finished> RunWithInput(const std::vector<std::string>& arguments, const std::string& input,
                              int seconds) {
  std::array<TemporaryFile, 3> files;
  for (TemporaryFile& file : files) file.reset(std::tmpfile());
  std::FILE* in = files[0].get();
  if (!files[0] || !files[1] || !files[2] ||
      std::fwrite(input.data(), 1, input.size(), in) != input.size() || std::fflush(in) != 0) {
    return Fail(
        ErrorCode::kInvalidInput, arguments[0],
        std::string("no temporary file for what it reads and writes: ") + std::strerror(errno));
  }
  std::rewind(in);
  pid_t child = 0;
  if (const int error = SpawnWithFiles(arguments, files, &child); error != 0) {
    return Fail(ErrorCode::kInvalidInput, arguments[0],
                std::string("cannot be started: ") + std::strerror(error));
  }
  int status = 0;
  Finished finished;
  finished.timed_out = !WaitFor(child, seconds, &status);
  if (status != 0) finished.failure = HowItEnded(status);
  std::rewind(files[1].get());
  std::rewind(files[2].get());
  finished.output = ReadAll(fileno(files[1].get()));
  finished.complaint = ReadAll(fileno(files[2].get()));
  return finished;
}

}  // namespace usmp::tools
