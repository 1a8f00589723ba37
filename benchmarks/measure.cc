#include "measure.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>

extern char** environ;

namespace usmp::benchmarks {
namespace {

double TimeCalls(const std::function<void()>& function, int calls) {
  const double start = ThreadMicroseconds();
  for (int i = 0; i < calls; ++i) function();
  return (ThreadMicroseconds() - start) / calls;
}

}  // namespace

double ThreadMicroseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

Timing TimingOf(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const size_t middle = samples.size() / 2;
  const double median =
      samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  return {median, samples.front()};
}

std::vector<Timing> Interleaved(std::span<const std::function<void()>> functions, int rounds,
                                double sample_us) {
  std::vector<int> calls;
  for (const auto& function : functions) {
    function();
    const double once = TimeCalls(function, 1);
    calls.push_back(std::max(1, static_cast<int>(sample_us / std::max(once, 0.1))));
  }
  std::vector<std::vector<double>> samples(functions.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < functions.size(); ++i) {
      samples[i].push_back(TimeCalls(functions[i], calls[i]));
    }
  }
  std::vector<Timing> timings;
  for (auto& s : samples) timings.push_back(TimingOf(std::move(s)));
  return timings;
}

double GeometricMean(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

std::optional<int64_t> PeakKilobytes(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return std::nullopt;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0) return std::nullopt;
  return usage.ru_maxrss;
}

}  // namespace usmp::benchmarks
