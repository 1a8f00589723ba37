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

// static int32_t run(void): one inference from input_0, ... to output_0, ... of the harness.
std::string DefineRun(const Report& report, const std::string& symbol) {
  const ReportModel& io = report.models[0];
  const bool has_pools =
      std::ranges::any_of(report.pools, [](const ReportPool& pool) { return !pool.is_internal; });
  const auto is_mapped = [](const ReportTensor& tensor) { return tensor.allocation.has_value(); };
  std::string text = "\nstatic int32_t run(void) {\n";
  const Out out(text);
  const auto declare = [&](std::string_view role, const std::vector<ReportTensor>& tensors) {
    fmt::format_to(out, "  struct {}_{}s {}s = {{", symbol, role, role);
    for (size_t i = 0; i < tensors.size(); ++i) {
      fmt::format_to(out, ".{} = {}_{}, ", tensors[i].identifier, role, i);
    }
    text += "};\n";
  };
  if (!std::ranges::any_of(io.inputs, is_mapped) && !std::ranges::any_of(io.outputs, is_mapped)) {
    declare("input", io.inputs);
    declare("output", io.outputs);
    fmt::format_to(out, "  return {}_run(&inputs, &outputs{});\n}}\n", symbol,
                   has_pools ? ", &workspace_pools" : "");
    return text;
  }
  const std::string_view pools = has_pools ? "&workspace_pools" : "";
  fmt::format_to(out, "  struct {0}_inputs inputs = {0}_map_inputs({1});\n", symbol, pools);
  fmt::format_to(out, "  struct {0}_outputs outputs = {0}_map_outputs({1});\n", symbol, pools);
  text += "  (void)inputs;\n  (void)outputs;\n";
  for (size_t i = 0; i < io.inputs.size(); ++i) {
    fmt::format_to(out, "  memcpy(inputs.{}, input_{}, {});\n", io.inputs[i].identifier, i,
                   io.inputs[i].bytes);
  }
  fmt::format_to(out, "  int32_t code = {}_run({});\n", symbol, pools);
  for (size_t i = 0; i < io.outputs.size(); ++i) {
    fmt::format_to(out, "  memcpy(output_{}, outputs.{}, {});\n", i, io.outputs[i].identifier,
                   io.outputs[i].bytes);
  }
  return text + "  return code;\n}\n";
}

}  // namespace

std::string HarnessSource(const CompiledModel& model, bool dump_tensors) {
  const std::string symbol = SymbolOf(model);
  const ReportModel& io = model.report.models[0];
  std::string text = fmt::format("#include \"{}.c\"\n{}\n", symbol, kHelpers);
  const Out out(text);
  DeclareTensors(io.inputs, "input", text);
  DeclareTensors(io.outputs, "output", text);
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
