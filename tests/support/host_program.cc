#include "support/host_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

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

// What a role's tensors ("input") add to the call of run: structs of the caller's tensors, copies
// to and from where the workspace has the others.
struct RoleText {
  std::string before{}, argument{}, after{};
};

RoleText TextOf(const std::string& m, std::string_view role,
                const std::vector<ReportTensor>& tensors, bool others_in_workspace,
                const std::string& pools) {
  size_t mapped = 0;
  for (const ReportTensor& tensor : tensors) mapped += tensor.placement == "workspace" ? 1 : 0;
  const bool takes = tensors.empty() ? !others_in_workspace : mapped < tensors.size();
  RoleText text;
  if (takes) {
    text.before += fmt::format("  struct {0}_{1}s {1}s = {{0}};\n", m, role);
    text.argument = fmt::format("&{}s", role);
  }
  if (mapped > 0) {
    text.before += fmt::format("  struct {0}_{2}{1}s mapped_{1}s = {0}_map_{1}s({3});\n", m, role,
                               takes ? "mapped_" : "", pools);
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ReportTensor& tensor = tensors[i];
    const std::string member = fmt::format("{}s.{}", role, tensor.identifier);
    if (tensor.placement == "caller") {
      text.before += fmt::format("  {} = {}[{}];\n", member, role, i);
    } else if (tensor.placement == "rows") {
      const std::string_view verb = role == "output" ? "put" : "get";
      text.before += fmt::format(
          "  struct harness_rows {0}_{1} = {{.bytes = {0}[{1}], .row_bytes = {2}}};\n"
          "  {3}_{4}_row = harness_{4}_row;\n  {3}_context = &{0}_{1};\n",
          role, i, tensor.bytes / tensor.rows, member, verb);
      text.after +=
          fmt::format("  if (harness_end_rows(&{}_{}) != {}) return -2;\n", role, i, tensor.rows);
    } else if (role == "output") {
      text.after += fmt::format("  memcpy(output[{}], mapped_{}, {});\n", i, member, tensor.bytes);
    } else if (tensor.precious) {  // written once only: the next runs find it
      text.before += fmt::format("  if (is_first) memcpy(mapped_{}, input[{}], {});\n", member, i,
                                 tensor.bytes);
      text.after += fmt::format("  if (memcmp(mapped_{}, input[{}], {}) != 0) return -1;\n", member,
                                i, tensor.bytes);
    } else {
      text.before += fmt::format("  memcpy(mapped_{}, input[{}], {});\n", member, i, tensor.bytes);
    }
  }
  return text;
}

bool AnyInWorkspace(const std::vector<ReportTensor>& tensors) {
  return std::ranges::any_of(tensors,
                             [](const ReportTensor& t) { return t.placement == "workspace"; });
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

std::string RunBody(const std::string& m, const Report& report) {
  const ReportModel& io = report.models[0];
  const std::string pools = HasCallersPools(report) ? "&" + m + "_pools" : "";
  const RoleText in = TextOf(m, "input", io.inputs, AnyInWorkspace(io.outputs), pools);
  const RoleText out = TextOf(m, "output", io.outputs, AnyInWorkspace(io.inputs), pools);
  std::string arguments = in.argument;
  for (const std::string& argument : {out.argument, pools}) {
    if (!argument.empty()) arguments += (arguments.empty() ? "" : ", ") + argument;
  }
  return in.before + out.before + fmt::format("  int32_t code = {}_run({});\n", m, arguments) +
         in.after + out.after + "  return code;\n";
}

// The file-scope names of a model's source that start with "call": all that are not its own.
std::set<std::string> CallNames(const HostModel& model) {
  std::set<std::string> names;
  for (const GeneratedFile& file : model.compiled.files) {
    if (file.path != model.symbol + ".c") continue;
    const auto is_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    const std::string& text = file.content;
    for (size_t at = text.find("call"); at != std::string::npos; at = text.find("call", at + 1)) {
      const size_t end = static_cast<size_t>(
          std::find_if_not(text.begin() + static_cast<ptrdiff_t>(at), text.end(), is_name) -
          text.begin());
      const bool is_whole = at == 0 || !is_name(text[at - 1]);
      if (is_whole && end > at + 4 && std::isdigit(static_cast<unsigned char>(text[at + 4]))) {
        names.insert(text.substr(at, end - at));
      }
    }
  }
  return names;
}

// The model's source in the middle of a translation unit that others share: its file-scope names
// are its own already, except those of the calls' parameters.
std::string Section(const HostModel& model) {
  const ReportModel& io = model.compiled.report.models[0];
  const std::string& m = model.symbol;
  std::string text;
  const std::set<std::string> names = CallNames(model);
  for (const std::string& name : names) text += fmt::format("#define {0} {1}_{0}\n", name, m);
  text += fmt::format("#include \"{}.c\"\n", m);
  for (const std::string& name : names) text += fmt::format("#undef {}\n", name);
  text += DeclarePools(m, model.compiled.report);
  text += fmt::format(
      "static int32_t {}_harness_run(void** input, void** output, int is_first) {{\n", m);
  text +=
      "  (void)input;\n  (void)output;\n  (void)is_first;\n" + RunBody(m, model.compiled.report);
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
