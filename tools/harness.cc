#include "harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "model_options.h"

namespace usmp::tools {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::string_view kHelpers = R"(
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int read_file(const char* path, void* data, size_t size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return 1;
  size_t n = fread(data, 1, size, file);
  int more = fgetc(file) != EOF;
  fclose(file);
  return n != size || more;
}

static int write_file(const char* folder, const char* name, const void* data, size_t size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "wb");
  if (file == NULL) return 1;
  size_t n = fwrite(data, 1, size, file);
  return fclose(file) != 0 || n != size;
}

static double now_ns(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}
)";

constexpr std::string_view kTiming = R"(
  int runs = atoi(argv[1]);
  double* times = malloc(sizeof(double) * (size_t)(runs + 1));
  if (times == NULL) return 7;
  for (int i = 0; i < runs; ++i) {
    double start = now_ns();
    run();
    times[i] = now_ns() - start;
  }
  qsort(times, (size_t)runs, sizeof(double), compare);
  printf("%.0f\n", runs > 0 ? times[runs / 2] : 0.0);
  free(times);
  return 0;
}
)";

void DeclareTensors(const std::vector<ReportTensor>& tensors, std::string_view role,
                    std::string& text) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    fmt::format_to(Out(text), "static _Alignas(8) unsigned char {}_{}[{}];\n", role, i,
                   tensors[i].bytes);
  }
}

void Dump(const std::vector<int32_t>& tensors, std::string_view address, Bytes size,
          std::string& text) {
  for (int32_t tensor : tensors) {
    fmt::format_to(Out(text), "  if (write_file(argv[2], \"{}.bin\", {}, {}) != 0) return 6;\n",
                   tensor, address, size);
  }
}

void DumpAll(const CompiledModel& model, const std::string& symbol, std::string& text) {
  const Report& report = model.report;
  const ReportModel& io = report.models[0];
  for (size_t i = 0; i < io.inputs.size(); ++i) {
    Dump(io.inputs[i].tensors, fmt::format("input_{}", i), io.inputs[i].bytes, text);
  }
  for (size_t i = 0; i < io.outputs.size(); ++i) {
    Dump(io.outputs[i].tensors, fmt::format("output_{}", i), io.outputs[i].bytes, text);
  }
  for (const ReportBuffer& buffer : report.buffers) {
    const ReportPool& pool = report.pools[static_cast<size_t>(buffer.allocation.pool)];
    if (pool.kind != PoolKind::kWorkspace) continue;
    const std::string base = pool.is_internal ? symbol + "_" + pool.name : "pool_" + pool.name;
    Dump(buffer.tensors, fmt::format("{} + {}", base, buffer.allocation.byte_offset), buffer.bytes,
         text);
  }
}

std::string InCapitals(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

// The pools that the caller gives, and the struct that names them.
std::string DeclarePools(const Report& report, const std::string& symbol) {
  std::string text;
  std::string members;
  for (const ReportPool& pool : report.pools) {
    if (pool.is_internal) continue;
    if (pool.kind == PoolKind::kConstant) {
      fmt::format_to(Out(text),
                     "static const _Alignas({}) unsigned char pool_{}[] = {{{}_CONSTANT_POOL_DATA "
                     "0}};\n",
                     pool.alignment, pool.name, InCapitals(symbol + "_" + pool.name));
    } else {
      fmt::format_to(Out(text), "static _Alignas({}) unsigned char pool_{}[{} + 1];\n",
                     pool.alignment, pool.name, pool.bytes);
    }
    members += fmt::format(".{0} = pool_{0}, ", pool.name);
  }
  if (members.empty()) return {};
  return text + fmt::format("static struct {}_workspace_pools workspace_pools = {{{}}};\n", symbol,
                            members);
}

// Functions that hand over the rows of a tensor, if it is by rows.
void DefineRows(const std::vector<ReportTensor>& tensors, std::string_view role,
                std::string& text) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].rows == 0) continue;
    const Bytes row = tensors[i].bytes / tensors[i].rows;
    if (role == "input") {
      fmt::format_to(Out(text),
                     "static const void* get_row_{0}(void* context, int32_t row) {{\n"
                     "  (void)context;\n  return input_{0} + (size_t)row * {1};\n}}\n",
                     i, row);
    } else {
      fmt::format_to(Out(text),
                     "static int32_t put_row_{0}(void* context, int32_t row, const void* data) {{\n"
                     "  (void)context;\n  memcpy(output_{0} + (size_t)row * {1}, data, {1});\n"
                     "  return 0;\n}}\n",
                     i, row);
    }
  }
}

// What a role's tensors add to `run`. `role`: "input".
struct RoleText {
  std::string before{}, argument{}, after{};
};

RoleText RunText(const ReportModel& io, std::string_view role, const std::string& symbol,
                 std::string_view pools) {
  const bool is_input = role == "input";
  const std::vector<ReportTensor>& tensors = is_input ? io.inputs : io.outputs;
  const auto is_mapped = [](const ReportTensor& tensor) { return tensor.allocation.has_value(); };
  const bool some = std::ranges::any_of(tensors, is_mapped);
  const bool others = std::ranges::any_of(is_input ? io.outputs : io.inputs, is_mapped);
  const bool takes = tensors.empty() ? !others : !std::ranges::all_of(tensors, is_mapped);
  RoleText text;
  if (takes) {
    text.before =
        fmt::format("  struct {0}_{1}s {1}s;\n  memset(&{1}s, 0, sizeof {1}s);\n", symbol, role);
    text.argument = fmt::format("&{}s", role);
  }
  if (some) {
    text.before += fmt::format("  struct {0}_{2}{1}s mapped_{1}s = {0}_map_{1}s({3});\n", symbol,
                               role, takes ? "mapped_" : "", pools);
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string array = fmt::format("{}_{}", role, i);
    const std::string member = fmt::format("{}s.{}", role, tensors[i].identifier);
    if (tensors[i].rows > 0) {
      text.before +=
          fmt::format("  {0}_{1}_row = {1}_row_{2};\n", member, is_input ? "get" : "put", i);
    } else if (!is_mapped(tensors[i])) {
      text.before += fmt::format("  {} = {};\n", member, array);
    } else if (is_input) {
      text.before += fmt::format("  memcpy(mapped_{}, {}, {});\n", member, array, tensors[i].bytes);
    } else {
      text.after += fmt::format("  memcpy({}, mapped_{}, {});\n", array, member, tensors[i].bytes);
    }
  }
  return text;
}

// static int32_t run(void): one inference from input_0, ... to output_0, ... of the harness.
std::string DefineRun(const Report& report, const std::string& symbol) {
  const bool has_pools =
      std::ranges::any_of(report.pools, [](const ReportPool& pool) { return !pool.is_internal; });
  const std::string pools = has_pools ? "&workspace_pools" : "";
  const RoleText in = RunText(report.models[0], "input", symbol, pools);
  const RoleText out = RunText(report.models[0], "output", symbol, pools);
  std::string arguments;
  for (const std::string& argument : {in.argument, out.argument, pools}) {
    if (!argument.empty()) arguments += (arguments.empty() ? "" : ", ") + argument;
  }
  return fmt::format(
      "\nstatic int32_t run(void) {{\n{}{}  int32_t code = {}_run({});\n{}  return code;\n}}\n",
      in.before, out.before, symbol, arguments, out.after);
}

}  // namespace

std::string HarnessSource(const CompiledModel& model, bool dump_tensors) {
  const std::string symbol = model.report.models[0].symbol;
  const ReportModel& io = model.report.models[0];
  std::string text = fmt::format("#include \"{}.c\"\n{}\n", symbol, kHelpers);
  const Out out(text);
  DeclareTensors(io.inputs, "input", text);
  DeclareTensors(io.outputs, "output", text);
  DefineRows(io.inputs, "input", text);
  DefineRows(io.outputs, "output", text);
  text += DeclarePools(model.report, symbol);
  text += DefineRun(model.report, symbol);
  text += "\nint main(int argc, char** argv) {\n";
  fmt::format_to(out, "  if (argc != 3 + {}) return 3;\n", io.inputs.size());
  for (size_t i = 0; i < io.inputs.size(); ++i) {
    fmt::format_to(out, "  if (read_file(argv[{}], input_{}, {}) != 0) return 4;\n", i + 3, i,
                   io.inputs[i].bytes);
  }
  text += "  if (run() != 0) return 5;\n";
  for (size_t i = 0; i < io.outputs.size(); ++i) {
    fmt::format_to(
        out, "  if (write_file(argv[2], \"output_{0}.bin\", output_{0}, {1}) != 0) return 6;\n", i,
        io.outputs[i].bytes);
  }
  if (dump_tensors) DumpAll(model, symbol, text);
  text += kTiming;
  return text;
}

}  // namespace usmp::tools
