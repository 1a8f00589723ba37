#include "generated_model.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <iterator>

#include "support/check.h"
#include "support/files.h"

namespace usmp::benchmarks {
namespace {

// "tvmgen_kws" of "tvmgen_kws.h"
std::string SymbolOf(const CompiledModel& model) {
  for (const GeneratedFile& file : model.files) {
    if (file.path.ends_with(".c")) return file.path.substr(0, file.path.size() - 2);
  }
  return {};
}

void Members(const std::vector<ReportTensor>& tensors, const char* pointers, std::string& text) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    fmt::format_to(std::back_inserter(text), ".{} = {}[{}], ", tensors[i].identifier, pointers, i);
  }
}

// One function with the same type for every model.
std::string AdapterSource(const CompiledModel& model) {
  const std::string symbol = SymbolOf(model);
  const ReportModel& io = model.report.models[0];
  std::string text = fmt::format(
      "#include \"{0}.c\"\n\nint32_t usmp_benchmark_run(void* const* inputs, void* const* outputs) "
      "{{\n  struct {0}_inputs in = {{",
      symbol);
  Members(io.inputs, "inputs", text);
  fmt::format_to(std::back_inserter(text), "}};\n  struct {}_outputs out = {{", symbol);
  Members(io.outputs, "outputs", text);
  fmt::format_to(std::back_inserter(text), "}};\n  return {}_run(&in, &out);\n}}\n", symbol);
  return text;
}

void MakeTensors(std::span<const Bytes> sizes, std::vector<std::vector<uint8_t>>& bytes,
                 std::vector<void*>& pointers) {
  for (Bytes size : sizes) bytes.emplace_back(static_cast<size_t>(size));
  for (auto& b : bytes) pointers.push_back(b.data());
}

}  // namespace

std::filesystem::path GeneratedModel::Build(const CompiledModel& model,
                                            const std::filesystem::path& folder,
                                            const BuildOptions& options, std::string* complaint) {
  testing::WriteFiles(folder, model.files);
  const auto source = folder / "adapter.c";
  const auto library = folder / "model.so";
  testing::WriteFile(source, AdapterSource(model));
  const auto built = testing::RunCommand(
      fmt::format("{} -std=c11 {} -g -fPIC -shared {} -o {} -lm", options.compiler, options.flags,
                  testing::Quoted(source.string()), testing::Quoted(library.string())));
  if (built.exit_code == 0) return library;
  *complaint = built.output;
  return {};
}

GeneratedModel::GeneratedModel(const std::filesystem::path& library,
                               std::span<const Bytes> input_sizes,
                               std::span<const Bytes> output_sizes)
    : handle_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  USMP_CHECK(handle_ != nullptr);
  run_ = reinterpret_cast<decltype(run_)>(dlsym(handle_, "usmp_benchmark_run"));
  USMP_CHECK(run_ != nullptr);
  MakeTensors(input_sizes, inputs_, input_pointers_);
  MakeTensors(output_sizes, outputs_, output_pointers_);
}

GeneratedModel::~GeneratedModel() { dlclose(handle_); }

int32_t GeneratedModel::Run() { return run_(input_pointers_.data(), output_pointers_.data()); }

}  // namespace usmp::benchmarks
