#include "support/host_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace usmp::testing {
namespace {

// The internal workspace pool's name and bytes; no pool: an empty name.
std::pair<std::string, Bytes> Workspace(const Report& report) {
  for (const ReportPool& pool : report.pools) {
    if (pool.kind == PoolKind::kWorkspace && pool.is_internal && pool.bytes > 0) {
      return {pool.name, pool.bytes};
    }
  }
  return {};
}

Bytes ElementAlignment(const ReportTensor& tensor) {
  if (tensor.dtype == "float32" || tensor.dtype == "int32") return 4;
  if (tensor.dtype == "int64") return 8;
  return tensor.dtype == "int16" ? 2 : 1;
}

std::string TensorTable(const std::string& name, const std::vector<ReportTensor>& tensors) {
  std::string text = fmt::format("static const struct harness_tensor {}[] = {{", name);
  for (const ReportTensor& t : tensors)
    text += fmt::format("{{{}, {}}}, ", t.bytes, ElementAlignment(t));
  return text + "{0, 1}};\n";
}

std::string Members(const char* array, const std::vector<ReportTensor>& tensors) {
  std::string text;
  for (size_t i = 0; i < tensors.size(); ++i) {
    text += fmt::format("  {0}s.{1} = {0}[{2}];\n", array, tensors[i].identifier, i);
  }
  return text;
}

bool IsInWorkspace(const ReportModel& io) {
  const std::vector<ReportTensor>& some = io.inputs.empty() ? io.outputs : io.inputs;
  return !some.empty() && some[0].placement == "workspace";
}

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

bool HasCallersPools(const Report& report) {
  return std::ranges::any_of(report.pools,
                             [](const ReportPool& pool) { return !pool.is_internal; });
}

// The caller's pools, each an array that ends where the pool ends.
std::string DeclarePools(const std::string& m, const Report& report) {
  std::string text, members;
  for (const ReportPool& pool : report.pools) {
    if (pool.is_internal) continue;
    members += fmt::format(".{0} = {1}_pool_{0}, ", pool.name, m);
    const std::string macro = Upper(m + "_" + pool.name);
    const bool is_constant = pool.kind == PoolKind::kConstant;
    text += fmt::format(
        "static {0}_Alignas({1}) uint8_t {2}_pool_{3}[{4}]{5};\n", is_constant ? "const " : "",
        pool.alignment, m, pool.name,
        pool.bytes == 0 ? "1" : macro + (is_constant ? "_CONSTANT" : "_WORKSPACE") + "_POOL_SIZE",
        is_constant && pool.bytes > 0 ? " = {" + macro + "_CONSTANT_POOL_DATA}" : "");
  }
  if (members.empty()) return "";
  return text + fmt::format("static struct {0}_workspace_pools {0}_pools = {{{1}}};\n", m, members);
}

// The caller's buffers are the model's.
std::string RunWithCallersTensors(const std::string& m, const ReportModel& io, bool has_pools) {
  return fmt::format("  struct {0}_inputs inputs = {{0}};\n  struct {0}_outputs outputs = {{0}};\n",
                     m) +
         Members("input", io.inputs) + Members("output", io.outputs) +
         fmt::format("  return {}_run(&inputs, &outputs{});\n", m,
                     has_pools ? ", &" + m + "_pools" : "");
}

// The caller's buffers are copied to and from where the workspace has the tensors.
std::string RunWithMappedTensors(const std::string& m, const ReportModel& io, bool has_pools) {
  const std::string pools = has_pools ? "&" + m + "_pools" : "";
  std::string text =
      fmt::format("  struct {0}_inputs inputs = {0}_map_inputs({1});\n  (void)inputs;\n", m, pools);
  for (size_t i = 0; i < io.inputs.size(); ++i) {
    text += fmt::format("  memcpy(inputs.{}, input[{}], {});\n", io.inputs[i].identifier, i,
                        io.inputs[i].bytes);
  }
  text += fmt::format("  int32_t code = {0}_run({1});\n", m, pools);
  text += fmt::format("  struct {0}_outputs outputs = {0}_map_outputs({1});\n  (void)outputs;\n", m,
                      pools);
  for (size_t i = 0; i < io.outputs.size(); ++i) {
    text += fmt::format("  memcpy(output[{}], outputs.{}, {});\n", i, io.outputs[i].identifier,
                        io.outputs[i].bytes);
  }
  return text + "  return code;\n";
}

// The model's source in the middle of a translation unit that others share: its file-scope names
// are its own already, except those of the calls' parameters.
std::string Section(const HostModel& model) {
  const ReportModel& io = model.compiled.report.models[0];
  const std::string& m = model.symbol;
  std::string text;
  for (size_t i = 0; i < model.compiled.report.calls.size(); ++i) {
    text += fmt::format("#define call{0}_params {1}_call{0}_params\n", i, m);
  }
  text += fmt::format("#include \"{}.c\"\n", m);
  for (size_t i = 0; i < model.compiled.report.calls.size(); ++i) {
    text += fmt::format("#undef call{}_params\n", i);
  }
  const bool has_pools = HasCallersPools(model.compiled.report);
  text += DeclarePools(m, model.compiled.report);
  text += fmt::format("static int32_t {}_harness_run(void** input, void** output) {{\n", m);
  text += "  (void)input;\n  (void)output;\n";
  text += IsInWorkspace(io) ? RunWithMappedTensors(m, io, has_pools)
                            : RunWithCallersTensors(m, io, has_pools);
  text += "}\n";
  text += TensorTable(m + "_harness_inputs", io.inputs) +
          TensorTable(m + "_harness_outputs", io.outputs);
  const auto [pool, bytes] = Workspace(model.compiled.report);
  const bool exposed = model.expose_workspace && !pool.empty();
  text += fmt::format(
      "const struct harness_model {0}_harness = {{\"{0}\", {0}_harness_run, {1}, {2}, "
      "{0}_harness_inputs,\n"
      "    {0}_harness_outputs, {3}, {4}}};\n",
      m, io.inputs.size(), io.outputs.size(), exposed ? m + "_" + pool : "NULL",
      exposed ? bytes : 0);
  return text;
}

std::string ModelTable(const std::vector<HostModel>& models) {
  std::string text = "#include \"harness.h\"\n";
  std::string rows;
  for (const HostModel& model : models) {
    text += fmt::format("extern const struct harness_model {}_harness;\n", model.symbol);
    rows += fmt::format("    &{}_harness,\n", model.symbol);
  }
  return text + "const struct harness_model* const harness_models[] = {\n" + rows + "};\n" +
         fmt::format("const size_t harness_model_count = {};\n", models.size());
}

TensorBytes Take(std::span<const uint8_t>& from, Bytes bytes) {
  const auto part = from.first(static_cast<size_t>(bytes));
  from = from.subspan(part.size());
  return {part.begin(), part.end()};
}

Bytes SizeOf(const std::vector<ReportTensor>& tensors) {
  Bytes bytes = 0;
  for (const ReportTensor& tensor : tensors) bytes += tensor.bytes;
  return bytes;
}

}  // namespace

std::string HostProgram::Build(std::vector<HostModel> models, const BuildOptions& options) {
  models_ = std::move(models);
  const std::filesystem::path& folder = folder_.path();
  std::string units;
  for (size_t begin = 0; begin < models_.size(); begin += options.models_per_unit) {
    const size_t end = std::min(begin + options.models_per_unit, models_.size());
    std::string unit = "#include \"harness.h\"\n";
    for (size_t i = begin; i < end; ++i) {
      WriteFiles(folder, models_[i].compiled.files);
      unit += Section(models_[i]);
    }
    const std::string name = fmt::format("unit{}.c", begin);
    WriteFile(folder / name, unit);
    units += " " + name;
  }
  WriteFile(folder / "table.c", ModelTable(models_));
  const std::string compile = fmt::format("{} {} {} -I. -I{}", options.compiler, kStrictFlags,
                                          options.flags, Quoted(USMP_HARNESS_DIR));
  const CommandResult result = RunCommand(fmt::format(
      "cd {0} && cp {1}/harness.c . && for u in harness.c table.c{2}; do echo $u; done |"
      " xargs -P2 -I@ {3} -c @ -o @.o && {3} *.o -lm -o program",
      Quoted(folder.string()), Quoted(USMP_HARNESS_DIR), units, compile));
  return result.exit_code == 0 ? "" : "cannot build:\n" + result.output;
}

std::vector<Response> HostProgram::Run(std::span<const Request> requests,
                                       std::string* complaint) const {
  const std::filesystem::path& folder = folder_.path();
  std::vector<uint8_t> sent;
  for (const Request& request : requests) {
    const auto index = static_cast<uint32_t>(request.model);
    uint8_t bytes[sizeof index];
    std::memcpy(bytes, &index, sizeof index);
    sent.insert(sent.end(), bytes, bytes + sizeof index);
    for (const TensorBytes& input : request.inputs)
      sent.insert(sent.end(), input.begin(), input.end());
  }
  WriteFile(folder / "requests", sent);
  const CommandResult result =
      RunCommand("cd " + Quoted(folder.string()) + " && ./program < requests > responses");
  *complaint = result.output;
  if (result.exit_code != 0) *complaint += fmt::format("exit code {}", result.exit_code);

  const std::vector<uint8_t> received = ReadFile(folder / "responses");
  std::span<const uint8_t> rest = received;
  std::vector<Response> responses;
  for (const Request& request : requests) {
    const HostModel& model = models_[request.model];
    const Report& report = model.compiled.report;
    const Bytes exposed = model.expose_workspace ? Workspace(report).second : 0;
    const Bytes expected = 4 + SizeOf(report.models[0].outputs) + exposed;
    if (static_cast<Bytes>(rest.size()) < expected) break;
    Response response;
    const TensorBytes code = Take(rest, 4);
    std::memcpy(&response.code, code.data(), 4);
    for (const ReportTensor& output : report.models[0].outputs) {
      response.outputs.push_back(Take(rest, output.bytes));
    }
    response.workspace = Take(rest, exposed);
    responses.push_back(std::move(response));
  }
  return responses;
}

}  // namespace usmp::testing
