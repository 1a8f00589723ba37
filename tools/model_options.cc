#include "model_options.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

#include "exec_algorithm.h"
#include "io.h"
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

Result<CompileOptions> ToCompileOptions(const ModelOptions& options) {
  CompileOptions compile{
      .model_name = options.name, .prefix = options.prefix, .plan = options.plan};
  if (options.io == "workspace") compile.io = IoPlacement::kWorkspace;
  compile.overlap = options.overlap == "on";
  if (options.name.empty()) compile.model_name = fs::path(options.model_path).stem().string();
  for (const std::string& spec : options.workspace_pools) {
    auto pool = ParsePool(spec, PoolKind::kWorkspace);
    if (!pool) return Fail(pool.error());
    compile.pools.push_back(std::move(*pool));
  }
  for (const std::string& spec : options.constant_pools) {
    auto pool = ParsePool(spec, PoolKind::kConstant);
    if (!pool) return Fail(pool.error());
    compile.pools.push_back(std::move(*pool));
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
  for (const std::string& spec : options.constants) {
    auto placement = ParseConstant(spec);
    if (!placement) return Fail(placement.error());
    compile.constants.push_back(std::move(*placement));
  }
  auto shapes = ParseShapes(options.shapes);
  if (!shapes) return Fail(shapes.error());
  compile.shapes = std::move(*shapes);
  auto algorithm = SelectAlgorithm(options.algorithm, options.exec_seconds);
  if (!algorithm) return Fail(algorithm.error());
  compile.algorithm = std::move(*algorithm);
  return compile;
}

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

Result<CompiledModel> CompileFile(const ModelOptions& options, DebugMode debug) {
  auto compile = ToCompileOptions(options);
  if (!compile) return Fail(compile.error());
  compile->debug = debug;
  auto bytes = ReadFile(options.model_path);
  if (!bytes) return Fail(bytes.error());
  std::vector<std::string> passes;  // those that were run
  auto last = std::chrono::steady_clock::now();
  if (options.time_passes || !options.dump_after.empty()) {
    compile->on_pass = [&](std::string_view pass, std::string_view graph) {
      const auto now = std::chrono::steady_clock::now();
      const std::chrono::duration<double, std::milli> elapsed = now - last;
      const std::string name(pass);
      passes.push_back(name);
      if (options.time_passes)
        std::fprintf(stderr, "%8.2f ms  %s\n", elapsed.count(), name.c_str());
      if (options.dump_after == "all" || options.dump_after == name) {
        std::fprintf(stderr, "after %s:\n%s\n", name.c_str(), std::string(graph).c_str());
      }
      last = std::chrono::steady_clock::now();
    };
  }
  auto model = Compile({reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size()}, *compile);
  if (!model) return model;
  const std::string& wanted = options.dump_after;
  if (!wanted.empty() && wanted != "all" && std::ranges::find(passes, wanted) == passes.end()) {
    std::string names = "all";
    for (const std::string& pass : passes) names += ", " + pass;
    return Fail(ErrorCode::kInvalidInput, "--dump-after " + wanted,
                "there is no pass of that name: use one of " + names);
  }
  for (const Diagnostic& note : model->notes) {
    std::fprintf(stderr, "note: %s: %s\n", note.where.c_str(), note.message.c_str());
  }
  return model;
}

std::string SymbolOf(const CompiledModel& model) {
  return fs::path(model.files.front().path).stem().string();
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
