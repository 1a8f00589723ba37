#include <unistd.h>

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
  std::string bytes;
  const auto append = [&bytes](auto value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  int64_t count = 1;
  for (int32_t dimension : tensor.shape) count *= dimension;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    if (tensor.dtype == "float32") {
      append(static_cast<float>(state >> 8) * 0x1p-23F - 1.0F);
    } else if (tensor.dtype == "int16") {
      append(static_cast<uint16_t>(state >> 16));
    } else if (tensor.dtype == "int32") {
      append(state >> 24);
    } else if (tensor.dtype == "int64") {
      append(uint64_t{state >> 24});
    } else if (tensor.dtype == "bool") {
      append(static_cast<uint8_t>(state >> 31));
    } else {
      append(static_cast<uint8_t>(state >> 24));
    }
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

Result<double> BuildAndRun(const RunCommand& command, const CompiledModel& model,
                           const fs::path& folder, const std::string& results) {
  const std::string source = (folder / "harness.c").string();
  const std::string program = (folder / "harness").string();
  auto written = WriteFile(source, HarnessSource(model, !command.dump_folder.empty()));
  if (!written) return Fail(written.error());
  const char* compiler = std::getenv("CC");
  const std::string cc = compiler != nullptr && *compiler != '\0' ? compiler : "cc";
  std::fprintf(stderr, "building with %s -O3 ...\n", cc.c_str());
  auto built =
      RunProcess({cc, "-std=c11", "-O3", "-ffp-contract=off", "-o", program, source, "-lm"});
  if (!built) return Fail(built.error());
  std::vector<std::string> arguments{program, std::to_string(command.runs), results};
  for (size_t i = 0; i < model.report.models[0].inputs.size(); ++i) {
    arguments.push_back((folder / ("input_" + std::to_string(i) + ".bin")).string());
  }
  auto output = RunProcess(arguments);
  if (!output) return Fail(output.error());
  return std::strtod(output->c_str(), nullptr);
}

std::string FirstValues(const std::string& bytes, const std::string& dtype) {
  constexpr size_t kShown = 12;
  std::string text;
  const size_t width = dtype == "float32" || dtype == "int32" ? 4 : dtype == "int16" ? 2 : 1;
  const size_t count = bytes.size() / width;
  for (size_t i = 0; i < std::min(count, kShown); ++i) {
    const char* at = bytes.data() + i * width;
    float real = 0;
    int32_t integer = 0;
    std::memcpy(dtype == "float32" ? static_cast<void*>(&real) : &integer, at, width);
    if (dtype == "int8") integer = static_cast<int8_t>(*at);
    if (dtype == "int16") integer = static_cast<int16_t>(integer);
    char number[32];
    if (dtype == "float32") {
      std::snprintf(number, sizeof number, " %g", static_cast<double>(real));
    } else {
      std::snprintf(number, sizeof number, " %d", integer);
    }
    text += number;
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
  auto model = CompileFile(command.model, dump ? DebugMode::kKeepTensors : DebugMode::kNone);
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
    std::string pattern = (fs::temp_directory_path() / "usmp-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      return PrintError(
          {ErrorCode::kInvalidInput, {{pattern, "cannot create a temporary folder"}}});
    }
    folder = pattern;
  }
  const auto done = RunIn(command, folder);
  std::error_code ignored;
  if (command.keep_folder.empty()) fs::remove_all(folder, ignored);
  return done ? 0 : PrintError(done.error());
}

}  // namespace usmp::tools
