#include "model_options.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

#include "exec_algorithm.h"
#include "io.h"
#include "models.h"
#include "numbers.h"
#include "pool_files.h"
#include "pool_options.h"

namespace usmp::tools {
namespace {

namespace fs = std::filesystem;

Result<std::pair<std::string, std::vector<int32_t>>> ParseShape(const std::string& spec) {
  const size_t equals = spec.rfind('=');
  std::vector<int32_t> shape;
  if (equals != std::string::npos && equals > 0) {
    for (const std::string& part : Split(std::string_view(spec).substr(equals + 1), ',')) {
      const std::optional<int64_t> dimension = ParseInteger(part);
      if (!dimension || *dimension < 1 || *dimension > INT32_MAX) {
        return Fail(ErrorCode::kInvalidInput, "--shape " + spec,
                    "'" + part + "' is not a dimension; write NAME=1,96,96,3");
      }
      shape.push_back(static_cast<int32_t>(*dimension));
    }
    return std::pair(spec.substr(0, equals), shape);
  }
  return Fail(ErrorCode::kInvalidInput, "--shape " + spec, "write NAME=1,96,96,3");
}

// The command line has checked the words.
InterfaceApi InterfaceOf(std::string_view word) {
  if (word == "packed") return InterfaceApi::kPacked;
  return word == "module" ? InterfaceApi::kModule : InterfaceApi::kC;
}

DlTensors DlTensorsOf(std::string_view word) {
  if (word == "static") return DlTensors::kStatic;
  if (word == "workspace") return DlTensors::kWorkspace;
  return word == "contiguous" ? DlTensors::kContiguous : DlTensors::kNone;
}

// What is the same for all models.
Result<CompileOptions> CommonOptions(const ModelOptions& options) {
  CompileOptions compile{.prefix = options.prefix, .plan = options.plan};
  compile.overlap = options.overlap == "on";
  compile.reorder = options.reorder == "on";
  compile.quantized_io = options.quantized_io;
  compile.interface = InterfaceOf(options.interface);
  compile.dl_tensors = DlTensorsOf(options.dl_tensors);
  compile.devices = options.devices;
  if (options.stream == "off") {
    compile.stream = StreamMode::kOff;
  } else if (options.stream != "auto") {
    const std::optional<Bytes> bytes = ParseBytes(options.stream);
    if (!bytes) {
      return Fail(ErrorCode::kInvalidInput, "--stream " + options.stream,
                  "write off, auto or a number of bytes: 20480, 20K");
    }
    compile.stream = StreamMode::kFit;
    compile.stream_ram_bytes = *bytes;
  }
  for (const auto& [specs, kind] : {std::pair{&options.workspace_pools, PoolKind::kWorkspace},
                                    std::pair{&options.constant_pools, PoolKind::kConstant}}) {
    for (const std::string& spec : *specs) {
      auto pool = ParsePool(spec, kind);
      if (!pool) return Fail(pool.error());
      compile.pools.push_back(std::move(*pool));
    }
  }
  for (PoolKind kind : {PoolKind::kWorkspace, PoolKind::kConstant}) {
    const bool is_workspace = kind == PoolKind::kWorkspace;
    auto pools = PoolsOf(is_workspace ? options.tvmc_workspace : options.tvmc_constant, kind);
    if (!pools) return Fail(pools.error());
    for (PoolInfo& pool : *pools) compile.pools.push_back(std::move(pool));
  }
  if (!options.pools.empty()) {
    auto file = LoadPools(options.pools);
    if (!file) return Fail(file.error());
    for (PoolInfo& pool : file->pools) compile.pools.push_back(std::move(pool));
  }
  auto algorithm = SelectAlgorithm(options.algorithm, options.exec_seconds);
  if (!algorithm) return Fail(algorithm.error());
  compile.algorithm = std::move(*algorithm);
  return compile;
}

Result<CompileOptions> OptionsOf(const OneModel& model, const CompileOptions& common) {
  CompileOptions compile = common;
  compile.model_name = model.name;
  compile.io = model.io;
  for (const std::string& spec : model.io_tensors) {
    auto tensor = ParseIoTensor(spec);
    if (!tensor) return Fail(tensor.error());
    compile.io_tensors.push_back(std::move(*tensor));
  }
  for (const std::string& spec : model.constants) {
    auto placement = ParseConstant(spec);
    if (!placement) return Fail(placement.error());
    compile.constants.push_back(std::move(*placement));
  }
  for (const std::string& spec : model.offloads) {
    auto offload = ParseOffload(spec);
    if (!offload) return Fail(offload.error());
    compile.offloads.push_back(std::move(*offload));
  }
  auto shapes = ParseShapes(model.shapes);
  if (!shapes) return Fail(shapes.error());
  compile.shapes = std::move(*shapes);
  return compile;
}

// Prints graphs and times as the options ask for, and remembers which passes there were.
class PassObserver {
 public:
  explicit PassObserver(const ModelOptions& options) : options_(options) {}

  void Observe(std::string_view pass, std::string_view graph) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> elapsed = now - last_;
    const std::string name(pass);
    passes_.push_back(name);
    if (options_.time_passes) std::fprintf(stderr, "%8.2f ms  %s\n", elapsed.count(), name.c_str());
    if (options_.dump_after == "all" || options_.dump_after == name) {
      std::fprintf(stderr, "after %s:\n%s\n", name.c_str(), std::string(graph).c_str());
    }
    last_ = std::chrono::steady_clock::now();
  }

  Result<void> CheckDumpAfter() const {
    const std::string& wanted = options_.dump_after;
    if (wanted.empty() || wanted == "all" || std::ranges::find(passes_, wanted) != passes_.end()) {
      return {};
    }
    std::string names = "all";
    for (const std::string& pass : passes_) names += ", " + pass;
    return Fail(ErrorCode::kInvalidInput, "--dump-after " + wanted,
                "there is no pass of that name: use one of " + names);
  }

 private:
  const ModelOptions& options_;
  std::vector<std::string> passes_{};
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<std::map<std::string, std::vector<int32_t>>> ParseShapes(
    const std::vector<std::string>& specs) {
  std::map<std::string, std::vector<int32_t>> shapes;
  for (const std::string& spec : specs) {
    auto shape = ParseShape(spec);
    if (!shape) return Fail(shape.error());
    shapes[shape->first] = shape->second;
  }
  return shapes;
}

Result<Offload> ParseOffload(const std::string& spec) {
  const auto wrong = [&](const std::string& what) {
    return Fail(ErrorCode::kInvalidInput, "--offload " + spec,
                what + "; write OPERATORS=FUNCTION[,scratch=BYTES][,target=NAME]");
  };
  std::vector<std::string> words = Split(spec, ',');
  // The name of a tensor may have an equals sign; a function has none.
  const size_t equals = words[0].rfind('=');
  if (equals == std::string::npos || equals == 0)
    return wrong("it names no operators or no function");
  Offload offload{.operators = words[0].substr(0, equals), .function = words[0].substr(equals + 1)};
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("scratch=")) {
      const std::optional<Bytes> bytes = ParseBytes(word.substr(sizeof "scratch=" - 1));
      if (!bytes) return wrong("'" + word + "' is not a number of bytes");
      offload.scratch_bytes = *bytes;
    } else if (word.starts_with("target=")) {
      offload.target = word.substr(sizeof "target=" - 1);
    } else {
      return wrong("'" + word + "' is not understood");
    }
  }
  return offload;
}

Result<IoTensor> ParseIoTensor(const std::string& spec) {
  const size_t equals = spec.find('=');
  IoTensor tensor{.name = spec.substr(0, equals)};
  std::vector<std::string> words;
  if (equals != std::string::npos) words = Split(std::string_view(spec).substr(equals + 1), ':');
  const bool in_workspace = !words.empty() && words[0] == "workspace";
  const bool by_rows = !words.empty() && words[0] == "rows";
  if (by_rows) tensor.placement = IoPlacement::kRows;
  if (in_workspace) {
    tensor.placement = IoPlacement::kWorkspace;
    if (words.size() > 1 && words.back() == "precious") {
      tensor.is_precious = true;
      words.pop_back();
    }
    if (words.size() == 2) tensor.pool = words[1];
  }
  const bool is_understood = in_workspace
                                 ? words.size() == 1 || (words.size() == 2 && !tensor.pool.empty())
                                 : words.size() == 1 && (by_rows || words[0] == "caller");
  if (!is_understood || tensor.name.empty()) {
    return Fail(ErrorCode::kInvalidInput, "--io-tensor " + spec,
                "write NAME=caller, NAME=rows or NAME=workspace[:POOL][:precious], where NAME is "
                "the tensor's identifier in the generated C, or input:N, or output:N");
  }
  return tensor;
}

Result<CompiledModel> CompileFiles(const ModelOptions& options, DebugMode debug) {
  auto models = ModelsOf(options);
  if (!models) return Fail(models.error());
  auto common = CommonOptions(options);
  if (!common) return Fail(common.error());
  common->debug = debug;
  PassObserver observer(options);
  if (options.time_passes || !options.dump_after.empty()) {
    common->on_pass = [&](std::string_view pass, std::string_view graph) {
      observer.Observe(pass, graph);
    };
  }
  std::vector<std::string> files;
  std::vector<ModelSource> sources;
  for (const OneModel& model : *models) {
    auto compile = OptionsOf(model, *common);
    if (!compile) return Fail(compile.error());
    auto bytes = ReadFile(model.path);
    if (!bytes) return Fail(bytes.error());
    files.push_back(std::move(*bytes));
    sources.push_back({.options = std::move(*compile)});
  }
  for (size_t i = 0; i < files.size(); ++i) {
    sources[i].bytes = {reinterpret_cast<const uint8_t*>(files[i].data()), files[i].size()};
  }
  auto model = CompileTogether(sources, options.models == "concurrent" ? ModelSharing::kConcurrent
                                                                       : ModelSharing::kExclusive);
  if (!model) return model;
  if (auto checked = observer.CheckDumpAfter(); !checked) return Fail(checked.error());
  for (const Diagnostic& note : model->notes) {
    std::fprintf(stderr, "note: %s: %s\n", note.where.c_str(), note.message.c_str());
  }
  return model;
}

Result<void> WriteFiles(const CompiledModel& model, const std::string& folder) {
  std::vector<fs::path> created;
  const auto undo = [&created] {
    std::error_code ignored;
    for (auto path = created.rbegin(); path != created.rend(); ++path) fs::remove(*path, ignored);
  };
  for (const GeneratedFile& file : model.files) {
    const fs::path path = fs::path(folder) / file.path;
    std::vector<fs::path> folders;
    for (fs::path f = path.parent_path(); !f.empty() && !fs::exists(f); f = f.parent_path()) {
      folders.push_back(f);
    }
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) {
      undo();
      return Fail(ErrorCode::kInvalidInput, path.parent_path().string(),
                  "cannot create this folder: " + error.message() + "; choose another with -o");
    }
    created.insert(created.end(), folders.rbegin(), folders.rend());
    const bool is_new = !fs::exists(path);
    if (auto written = WriteFile(path.string(), file.content); !written) {
      undo();
      return written;
    }
    if (is_new) created.push_back(path);
  }
  return {};
}

}  // namespace usmp::tools
