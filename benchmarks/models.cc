// Figures of compiled models: how long the compiler takes, what the code needs and how fast it is.
// `usmp_bench_models --help` says how to use it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "model_result.h"
#include "support/files.h"

namespace usmp::benchmarks {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<std::string> paths{};
  std::vector<std::string> only{};
  std::string peer{};
  std::string tsv{};
  ModelOptions model{};
  bool count_instructions = false;
};

bool IsWanted(const fs::path& path, const std::vector<std::string>& only) {
  const std::string name = path.stem().string();
  return only.empty() || std::ranges::any_of(only, [&](const std::string& part) {
           return name.find(part) != std::string::npos;
         });
}

std::vector<fs::path> ModelsOf(const Arguments& arguments) {
  std::vector<fs::path> models;
  for (const fs::path path : arguments.paths) {
    if (!fs::is_directory(path)) {
      models.push_back(path);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() == ".tflite") models.push_back(entry.path());
    }
  }
  std::erase_if(models, [&](const fs::path& path) { return !IsWanted(path, arguments.only); });
  std::sort(models.begin(), models.end());
  return models;
}

// Lines "model<TAB>microseconds", further columns ignored, '#' begins a comment.
std::map<std::string, double> ReadPeer(const std::string& path) {
  std::map<std::string, double> times;
  if (path.empty()) return times;
  std::istringstream lines(testing::ReadText(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name;
    double us = 0;
    if (line.starts_with("#") || !std::getline(fields, name, '\t')) continue;
    if (fields >> us) times[name] = us;
  }
  return times;
}

// The peer calls a model by its name or by the end of it: "vww" for "tiny_vww".
std::optional<double> TimeOf(const std::map<std::string, double>& peer, const std::string& model) {
  for (const auto& [name, us] : peer) {
    if (model == name || model.ends_with("_" + name)) return us;
  }
  return std::nullopt;
}

void PrintProblems(const std::vector<ModelResult>& results) {
  for (const ModelResult& result : results) {
    const std::string& text = result.problem.empty() ? result.note : result.problem;
    if (!text.empty()) std::printf("%s: %s\n", result.name.c_str(), text.c_str());
  }
}

int Run(Arguments arguments, const fs::path& program) {
  const auto peer = ReadPeer(arguments.peer);
  if (arguments.count_instructions) {
    arguments.model.profiled = (program.parent_path() / "usmp_bench_once").string();
  }
  std::vector<ModelResult> results;
  for (const fs::path& path : ModelsOf(arguments)) {
    std::fprintf(stderr, "%s\n", path.stem().c_str());
    results.push_back(MeasureModel(path, arguments.model));
    if (!results.back().peer_us) results.back().peer_us = TimeOf(peer, results.back().name);
  }
  const Table table = TableOf(results);
  std::printf("%s\n", ToText(table).c_str());
  PrintProblems(results);
  if (!arguments.tsv.empty()) testing::WriteFile(arguments.tsv, ToTsv(table));
  const bool all_agree = std::ranges::none_of(
      results, [](const ModelResult& r) { return !r.problem.empty() && r.naive.has_value(); });
  return all_agree ? 0 : 1;
}

}  // namespace

int Main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{
      "Compiles every model, builds its C for this machine and runs it in turns with naive loops.\n"
      "Bytes, except where a column says otherwise; times are processor time, medians."};
  app.add_option("models", arguments.paths, ".tflite files, and folders of them")->required();
  app.add_option("--only", arguments.only, "models whose names contain one of these");
  app.add_option("--peer", arguments.peer,
                 "lines model<TAB>microseconds: times of another engine, for a column");
  app.add_option("--peer-command", arguments.model.peer_command,
                 "prints such a line for the model that is its last argument; run before and after "
                 "the generated code")
      ->excludes("--peer");
  app.add_option("--tsv", arguments.tsv, "write the table here as well, as tab-separated values");
  app.add_option("--usmp", arguments.model.command, "the program whose peak memory is measured");
  app.add_option("--cc", arguments.model.build.compiler, "builds the generated C")
      ->capture_default_str();
  app.add_option("--cflags", arguments.model.build.flags, "its options")->capture_default_str();
  app.add_option("--rounds", arguments.model.rounds, "samples of each time")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--instructions", arguments.count_instructions,
               "count the instructions of one inference with Callgrind: exactly repeatable");
  CLI11_PARSE(app, argc, argv);
  return Run(std::move(arguments), fs::read_symlink("/proc/self/exe"));
}

}  // namespace usmp::benchmarks

int main(int argc, char** argv) { return usmp::benchmarks::Main(argc, argv); }
