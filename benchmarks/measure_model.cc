#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "import/importer.h"
#include "model_result.h"
#include "naive_model.h"
#include "support/files.h"
#include "usmp/compile.h"

namespace usmp::benchmarks {
namespace {

constexpr int kCompilations = 5;

std::string Describe(const Error& error) {
  const Diagnostic& first = error.diagnostics.front();
  std::string text = first.where + ": " + first.message;
  if (error.diagnostics.size() > 1) {
    text += fmt::format(" (and {} more)", error.diagnostics.size() - 1);
  }
  return text;
}

// Bytes that look like noise; small numbers where they are floats.
void Fill(std::vector<uint8_t>& bytes, const std::string& dtype, uint32_t seed) {
  uint32_t state = seed;
  const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
  if (dtype != "float32") {
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(next() >> 24);
    return;
  }
  for (size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
    const float value = static_cast<float>(next() >> 8) * 0x1p-23F - 1.0F;
    std::memcpy(bytes.data() + i, &value, sizeof value);
  }
}

std::vector<Bytes> SizesOf(const std::vector<ReportTensor>& tensors) {
  std::vector<Bytes> sizes;
  for (const ReportTensor& tensor : tensors) sizes.push_back(tensor.bytes);
  return sizes;
}

// What Callgrind counts between entry and return of the functions that match the pattern.
std::optional<int64_t> CountInstructions(const std::string& program, const std::string& pattern,
                                         const std::string& arguments) {
  const auto run = testing::RunCommand(
      fmt::format("valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no "
                  "--toggle-collect={} {} {}",
                  testing::Quoted(pattern), testing::Quoted(program), arguments));
  constexpr std::string_view kLabel = "Collected : ";
  const size_t begin = run.output.find(kLabel);
  if (run.exit_code != 0 || begin == std::string::npos) return std::nullopt;
  int64_t count = 0;
  const char* first = run.output.data() + begin + kLabel.size();
  std::from_chars(first, run.output.data() + run.output.size(), count);
  return count;
}

void CountAll(const std::filesystem::path& path, const std::filesystem::path& library,
              const ModelOptions& options, ModelResult& result) {
  const std::string model = testing::Quoted(path.string());
  result.generated_instructions =
      CountInstructions(options.profiled, "usmp_benchmark_run",
                        fmt::format("generated {} {}", model, testing::Quoted(library.string())));
  if (!result.naive) return;
  result.naive_instructions =
      CountInstructions(options.profiled, "usmp::benchmarks::NaiveModel::Run*", "naive " + model);
}

bool OutputsAgree(const GeneratedModel& generated, const NaiveModel& naive) {
  for (size_t i = 0; i < naive.output_count(); ++i) {
    if (!std::ranges::equal(generated.Output(i), naive.Output(i))) return false;
  }
  return true;
}

// The generated code alone, or in turns with the naive kernels where they can run the model.
void TimeInferences(const ir::Graph& graph, const ModelOptions& options, GeneratedModel& generated,
                    ModelResult& result) {
  auto naive = NaiveModel::Make(graph, &result.note);
  const auto& inputs = result.report.models[0].inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Fill(generated.Input(i), inputs[i].dtype, static_cast<uint32_t>(i) + 1);
    if (naive) std::ranges::copy(generated.Input(i), naive->Input(i).begin());
  }
  if (!result.note.empty()) result.note = "no naive kernel for " + result.note;
  std::vector<std::function<void()>> runs = {[&generated] { generated.Run(); }};
  if (naive) runs.push_back([&naive] { naive->Run(); });
  const auto timings = Interleaved(runs, options.rounds, options.sample_us);
  result.generated = timings[0];
  if (!naive) return;
  result.naive = timings[1];
  if (!OutputsAgree(generated, *naive)) result.problem = "the outputs differ from the naive ones";
}

std::optional<double> PeerMicroseconds(const std::string& command,
                                       const std::filesystem::path& model) {
  const auto run = testing::RunCommand(command + " " + testing::Quoted(model.string()));
  const size_t tab = run.output.find('\t');
  double us = 0;
  if (run.exit_code != 0 || tab == std::string::npos) return std::nullopt;
  const char* end = run.output.data() + run.output.size();
  if (std::from_chars(run.output.data() + tab + 1, end, us).ec != std::errc()) return std::nullopt;
  return us;
}

// The median over a few compilations; the last one is kept.
Result<CompiledModel> TimeCompilations(const std::vector<uint8_t>& bytes,
                                       const CompileOptions& options, Timing& timing) {
  std::vector<double> samples;
  while (true) {
    const double start = ThreadMicroseconds();
    auto model = Compile(bytes, options);
    samples.push_back(ThreadMicroseconds() - start);
    if (model && samples.size() < kCompilations) continue;
    timing = TimingOf(std::move(samples));
    return model;
  }
}

}  // namespace

ModelResult MeasureModel(const std::filesystem::path& path, const ModelOptions& options) {
  ModelResult result;
  result.name = path.stem().string();
  const testing::TemporaryFolder folder;
  if (!options.command.empty()) {
    result.compile_peak_kb = PeakKilobytes(
        {options.command, "compile", path.string(), "-o", (folder.path() / "command").string()});
  }
  const std::vector<uint8_t> bytes = testing::ReadFile(path);
  auto model = TimeCompilations(bytes, {.model_name = "benchmark"}, result.compile);
  if (!model) {
    result.problem = Describe(model.error());
    return result;
  }
  result.report = std::move(model->report);
  const auto library = GeneratedModel::Build({std::move(model->files), result.report, {}},
                                             folder.path(), options.build, &result.problem);
  if (library.empty()) return result;
  const std::vector<Bytes> in = SizesOf(result.report.models[0].inputs);
  const std::vector<Bytes> out = SizesOf(result.report.models[0].outputs);
  GeneratedModel generated(library, in, out);
  const auto time_peer = [&]() -> std::optional<double> {
    if (options.peer_command.empty()) return std::nullopt;
    return PeerMicroseconds(options.peer_command, path);
  };
  const auto before = time_peer();
  TimeInferences(import::Import(bytes, {})->graph, options, generated, result);
  const auto after = time_peer();
  if (before && after) result.peer_us = (*before + *after) / 2;
  if (!options.profiled.empty()) CountAll(path, library, options, result);
  return result;
}

}  // namespace usmp::benchmarks
