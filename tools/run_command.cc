#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "commands.h"
#include "harness.h"
#include "io.h"
#include "model_options.h"
#include "process.h"

namespace usmp::tools {
namespace {

namespace fs = std::filesystem;

// Elements of a 32-bit linear congruential generator (the multiplier and increment of Numerical
// Recipes): the top bits for integers, [-1, 1) for floats. The state goes on from input to input.
std::string PseudoRandomInput(const ReportTensor& tensor, uint32_t& state) {
  int64_t count = 1;
  for (int32_t dimension : tensor.shape) count *= dimension;
  const auto width = static_cast<size_t>(count == 0 ? 0 : tensor.bytes / count);
  std::string bytes;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    uint64_t element = state >> 24;
    if (tensor.dtype == "float32") {
      const float value = static_cast<float>(state >> 8) * 0x1p-23F - 1.0F;
      std::memcpy(&element, &value, sizeof value);
    } else if (tensor.dtype == "float16") {
      element = (state >> 31 << 15) | ((state >> 16) % 0x3C00);  // 0x3C00: one
    } else if (tensor.dtype == "int16") {
      element = state >> 16;
    } else if (tensor.dtype == "bool") {
      element = state >> 31;
    }
    bytes.append(reinterpret_cast<const char*>(&element), width);
  }
  return bytes;
}

Result<void> WriteInputs(const RunCommand& command, const CompiledModel& model,
                         const fs::path& folder) {
  const std::vector<ReportTensor>& tensors = model.report.models[0].inputs;
  if (!command.inputs.empty() && command.inputs.size() != tensors.size()) {
    return Fail(ErrorCode::kInvalidInput, "--input",
                "the model has " + std::to_string(tensors.size()) + " inputs, but " +
                    std::to_string(command.inputs.size()) + " files are given");
  }
  uint32_t state = command.input_seed;
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::string bytes;
    if (command.inputs.empty()) {
      bytes = PseudoRandomInput(tensors[i], state);
    } else {
      auto read = ReadFile(command.inputs[i]);
      if (!read) return Fail(read.error());
      bytes = std::move(*read);
    }
    if (static_cast<Bytes>(bytes.size()) != tensors[i].bytes) {
      return Fail(ErrorCode::kInvalidInput, command.inputs[i],
                  "it has " + std::to_string(bytes.size()) + " bytes, but input " +
                      tensors[i].identifier + " needs " + std::to_string(tensors[i].bytes));
    }
    auto written = WriteFile((folder / ("input_" + std::to_string(i) + ".bin")).string(), bytes);
    if (!written) return written;
  }
  return {};
}

// $CC, which may have options ("gcc -m32"), or cc.
std::vector<std::string> CCompiler() {
  const char* named = std::getenv("CC");
  std::istringstream words(named != nullptr ? named : "");
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty()) command.push_back("cc");
  return command;
}

Result<double> BuildAndRun(const RunCommand& command, const CompiledModel& model,
                           const fs::path& folder, const std::string& results) {
  const std::string source = (folder / "harness.c").string();
  const std::string program = (folder / "harness").string();
  auto written = WriteFile(source, HarnessSource(model, !command.dump_folder.empty()));
  if (!written) return Fail(written.error());
  std::vector<std::string> build = CCompiler();
  std::fprintf(stderr, "building with %s -O3 ...\n", build[0].c_str());
  for (const char* option : {"-std=c11", "-O3", "-ffp-contract=off", "-o"})
    build.emplace_back(option);
  build.insert(build.end(), {program, source, "-lm"});
  auto built = RunProcess(build);
  if (!built) return Fail(built.error());
  std::vector<std::string> arguments{program, std::to_string(command.runs), results};
  for (size_t i = 0; i < model.report.models[0].inputs.size(); ++i) {
    arguments.push_back((folder / ("input_" + std::to_string(i) + ".bin")).string());
  }
  auto output = RunProcess(arguments);
  if (!output) return Fail(output.error());
  return std::strtod(output->c_str(), nullptr);
}

// Of IEEE 754 binary16.
double HalfToDouble(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return exponent == 0 ? sign * std::ldexp(fraction, -24)
                       : sign * std::ldexp(fraction + 1024, exponent - 25);
}

template <class T>
T Load(const char* at) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  return value;
}

struct ElementFormat {
  const char* dtype = "";
  size_t width = 1;
  std::string (*print)(const char* at) = nullptr;
};

std::string PrintReal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, " %g", value);
  return text;
}

template <class T>
std::string PrintInteger(const char* at) {
  return " " + std::to_string(static_cast<int64_t>(Load<T>(at)));
}

constexpr ElementFormat kFormats[] = {
    {"float32", 4, [](const char* at) { return PrintReal(static_cast<double>(Load<float>(at))); }},
    {"float16", 2, [](const char* at) { return PrintReal(HalfToDouble(Load<uint16_t>(at))); }},
    {"int64", 8, PrintInteger<int64_t>},
    {"int32", 4, PrintInteger<int32_t>},
    {"int16", 2, PrintInteger<int16_t>},
    {"int8", 1, PrintInteger<int8_t>},
    {"", 1, PrintInteger<uint8_t>}};

std::string FirstValues(const std::string& bytes, const std::string& dtype) {
  constexpr size_t kShown = 12;
  const ElementFormat* format = kFormats;
  while (*format->dtype != '\0' && dtype != format->dtype) ++format;
  const size_t count = bytes.size() / format->width;
  std::string text;
  for (size_t i = 0; i < std::min(count, kShown); ++i) {
    text += format->print(bytes.data() + i * format->width);
  }
  return count > kShown ? text + " ..." : text;
}

Result<void> PrintResults(const RunCommand& command, const CompiledModel& model,
                          const std::string& results, double nanoseconds) {
  if (command.inputs.empty()) {
    std::printf("input: pseudo-random, seed %u (give files with --input)\n", command.input_seed);
  }
  const std::vector<ReportTensor>& outputs = model.report.models[0].outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    auto bytes = ReadFile(results + "/output_" + std::to_string(i) + ".bin");
    if (!bytes) return Fail(bytes.error());
    std::printf("%s (%s):%s\n", outputs[i].identifier.c_str(), outputs[i].dtype.c_str(),
                FirstValues(*bytes, outputs[i].dtype).c_str());
  }
  if (command.runs > 0) {
    std::printf("%.1f us per inference (median of %d runs on this machine)\n", nanoseconds / 1000,
                command.runs);
  }
  return {};
}

Result<void> RunIn(const RunCommand& command, const fs::path& folder) {
  const bool dump = !command.dump_folder.empty();
  if (command.model.model_paths.size() > 1) {
    return Fail(ErrorCode::kInvalidInput, "run", "it runs one model; `compile` takes several");
  }
  auto model = CompileFiles(command.model, dump ? DebugMode::kKeepTensors : DebugMode::kNone);
  if (!model) return Fail(model.error());
  if (auto done = WriteFiles(*model, folder.string()); !done) return done;
  if (auto done = WriteInputs(command, *model, folder); !done) return done;
  std::string results = command.output_folder;
  if (dump) results = command.dump_folder;
  if (results.empty()) results = folder.string();
  std::error_code error;
  fs::create_directories(results, error);
  if (error) return Fail(ErrorCode::kInvalidInput, results, "cannot create it: " + error.message());
  auto nanoseconds = BuildAndRun(command, *model, folder, results);
  if (!nanoseconds) return Fail(nanoseconds.error());
  if (auto done = PrintResults(command, *model, results, *nanoseconds); !done) return done;
  if (command.model.map)
    std::printf("\n%s", MemoryMap(model->report, PictureColumns(stdout)).c_str());
  return {};
}

}  // namespace

int RunRun(const RunCommand& command) {
  fs::path folder = command.keep_folder;
  if (command.keep_folder.empty()) {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "usmp-XXXXXX").string();
    if (error || mkdtemp(pattern.data()) == nullptr) {
      return PrintError({ErrorCode::kInvalidInput,
                         {{"temporary folder",
                           "cannot be created; set TMPDIR to a folder that can be written, or give "
                           "one with --keep"}}});
    }
    folder = pattern;
  }
  const auto done = RunIn(command, folder);
  std::error_code ignored;
  if (command.keep_folder.empty()) fs::remove_all(folder, ignored);
  return done ? 0 : PrintError(done.error());
}

}  // namespace usmp::tools
