#include "e2e/application.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace usmp::testing {
namespace {

bool IsMapped(const ReportTensor& tensor) { return tensor.placement == "workspace"; }

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

// An array of the application in memory that can be written: each application has its own.
std::string PoolArray(const ApplicationOptions& options, const ReportPool& pool) {
  return fmt::format("{}_pool_{}", options.function, pool.name);
}

// One model's part of the application: functions m_write(is_first), m_run() and m_read().
class Part {
 public:
  Part(const Report& report, size_t index, std::string symbol, const ApplicationOptions& options)
      : report_(report), model_(report.models[index]), m_(std::move(symbol)), options_(options) {}

  std::string Text(const std::vector<TensorBytes>& inputs) const {
    const bool is_module = options_.api == InterfaceApi::kModule;
    return Data(inputs) + Objects() +
           Function("write", "int is_first", is_module ? WriteModule() : Write()) +
           fmt::format("static int {}_call(void) {{\n{}  return code;\n}}\n", m_, Run()) +
           Function("read", "void", is_module ? ReadModule() : Read());
  }

 private:
  std::string Function(std::string_view name, std::string_view parameter,
                       const std::string& body) const {
    return fmt::format("static void {}_{}({}) {{\n{}}}\n", m_, name, parameter, body);
  }

  std::string Data(const std::vector<TensorBytes>& inputs) const {
    std::string text = fmt::format("#include \"{}.h\"\n", m_);
    for (size_t i = 0; i < inputs.size(); ++i) {
      text += fmt::format("static _Alignas(8) const uint8_t {}_in{}[] = {{{}}};\n", m_, i,
                          fmt::join(inputs[i], ","));
    }
    for (size_t i = 0; i < model_.outputs.size(); ++i) {
      if (IsMapped(model_.outputs[i])) continue;
      text +=
          fmt::format("static _Alignas(8) uint8_t {}_out{}[{}];\n", m_, i, model_.outputs[i].bytes);
    }
    return text;
  }

  bool HasExternalPools() const {
    return std::ranges::any_of(report_.pools, [](const ReportPool& p) { return !p.is_internal; });
  }
  std::string PoolsArgument() const { return HasExternalPools() ? "&" + m_ + "_pools" : ""; }

  std::string DeviceMembers() const {
    std::string members;
    for (const std::string& device : options_.devices) {
      members += fmt::format(".{0} = &{1}_{0}, ", device, m_);
    }
    return members;
  }

  // The model has its own array of constants.
  std::string ArrayOf(const ReportPool& pool) const {
    const bool is_constant = pool.kind == PoolKind::kConstant;
    return is_constant ? m_ + "_pool_" + pool.name : PoolArray(options_, pool);
  }

  std::string PoolMembers() const {
    std::string members;
    for (const ReportPool& pool : report_.pools) {
      if (pool.is_internal) continue;
      members += fmt::format(".{} = {}, ", pool.name, ArrayOf(pool));
    }
    return members;
  }

  std::string ConstantPools() const {
    std::string text;
    for (const ReportPool& pool : report_.pools) {
      if (pool.is_internal || pool.kind != PoolKind::kConstant) continue;
      // The 0 is an element for a pool without contents.
      text += fmt::format("static const _Alignas({0}_ALIGN) uint8_t {1}[] = {{{0}_DATA 0}};\n",
                          Upper(m_ + "_" + pool.name) + "_CONSTANT_POOL", ArrayOf(pool));
    }
    return text;
  }

  // What the application owns besides tensors.
  std::string Objects() const {
    std::string text = ConstantPools();
    for (const std::string& device : options_.devices) {
      text += fmt::format("static int {}_{};\n", m_, device);
    }
    const bool has_pools = HasExternalPools(), has_devices = !options_.devices.empty();
    if (options_.api == InterfaceApi::kModule) {
      text += fmt::format("static struct {0}_module {0}_model", m_);
      if (!has_pools && !has_devices) return text + ";\n";
      text += " = {";
      if (has_pools) text += fmt::format(".workspace_pools = {{{}}}, ", PoolMembers());
      if (has_devices) text += fmt::format(".devices = {{{}}}", DeviceMembers());
      return text + "};\n";
    }
    const bool maps = std::ranges::any_of(model_.inputs, IsMapped) ||
                      std::ranges::any_of(model_.outputs, IsMapped);
    if (has_pools && (options_.api == InterfaceApi::kC || maps)) {
      text += fmt::format("static struct {0}_workspace_pools {0}_pools = {{{1}}};\n", m_,
                          PoolMembers());
    }
    if (has_devices && options_.api == InterfaceApi::kC) {
      text +=
          fmt::format("static struct {0}_devices {0}_devices = {{{1}}};\n", m_, DeviceMembers());
    }
    return text;
  }

  std::string Mapped(std::string_view role, const std::vector<ReportTensor>& tensors) const {
    if (!std::ranges::any_of(tensors, IsMapped)) return {};
    const bool is_mixed = !std::ranges::all_of(tensors, IsMapped);
    return fmt::format("  struct {0}_{1}{2} mapped = {0}_map_{2}({3});\n", m_,
                       is_mixed ? "mapped_" : "", role, PoolsArgument());
  }

  std::string Write() const {
    std::string text = "  (void)is_first;\n" + Mapped("inputs", model_.inputs);
    for (size_t i = 0; i < model_.inputs.size(); ++i) {
      const ReportTensor& tensor = model_.inputs[i];
      if (!IsMapped(tensor)) continue;
      text += fmt::format("  {}memcpy(mapped.{}, {}_in{}, {});\n",
                          tensor.precious ? "if (is_first) " : "", tensor.identifier, m_, i,
                          tensor.bytes);
    }
    return text;
  }

  std::string Read() const {
    std::string text = Mapped("outputs", model_.outputs);
    for (size_t i = 0; i < model_.outputs.size(); ++i) {
      const ReportTensor& tensor = model_.outputs[i];
      const std::string from =
          IsMapped(tensor) ? "mapped." + tensor.identifier : fmt::format("{}_out{}", m_, i);
      text += fmt::format("  print({}, {});\n", from, tensor.bytes);
    }
    return text;
  }

  std::string WriteModule() const {
    std::string text = "  (void)is_first;\n";
    for (size_t i = 0; i < model_.inputs.size(); ++i) {
      const ReportTensor& tensor = model_.inputs[i];
      const bool is_kept = IsMapped(tensor) && tensor.precious;
      text +=
          fmt::format("  {}expect({}_set_input(&{}_model, {}_get_input_index(\"{}\"), {}_in{}));\n",
                      is_kept ? "if (is_first) " : "", m_, m_, m_, tensor.identifier, m_, i);
    }
    for (size_t i = 0; i < model_.outputs.size(); ++i) {
      if (IsMapped(model_.outputs[i])) continue;
      text += fmt::format("  expect({0}_set_output(&{0}_model, {1}, {0}_out{1}));\n", m_, i);
    }
    return text;
  }

  std::string ReadModule() const {
    std::string text;
    for (size_t i = 0; i < model_.outputs.size(); ++i) {
      text += fmt::format("  print({0}_get_output(&{0}_model, {1}), {2});\n", m_, i,
                          model_.outputs[i].bytes);
    }
    return text;
  }

  std::string Run() const {
    if (options_.api == InterfaceApi::kModule) {
      return fmt::format("  const int32_t code = {0}_run(&{0}_model);\n", m_);
    }
    return options_.api == InterfaceApi::kPacked ? RunPacked() : RunWithStructs();
  }

  // The arguments: the caller's tensors, then pools.
  std::string RunPacked() const {
    std::string text =
        fmt::format("  union usmp_value values[{0} + 1];\n  int codes[{0} + 1];\n  int n = 0;\n",
                    model_.inputs.size() + model_.outputs.size() + report_.pools.size() +
                        options_.devices.size());
    const auto add = [&](std::string_view array, const std::vector<ReportTensor>& tensors) {
      for (size_t i = 0; i < tensors.size(); ++i) {
        if (IsMapped(tensors[i])) continue;
        text += fmt::format(
            "  int64_t {0}_shape{1}[] = {{{2}}};\n"
            "  struct usmp_dl_tensor {0}_tensor{1} = {{(void*){3}_{0}{1}, {{1, 0}}, {4}, "
            "{{{5}, 8, 1}}, {0}_shape{1}, NULL, 0}};\n"
            "  values[n].v_handle = &{0}_tensor{1};\n  codes[n++] = USMP_ARG_DL_TENSOR;\n",
            array, i, fmt::join(tensors[i].shape, ", "), m_, tensors[i].shape.size(),
            tensors[i].dtype == "uint8" ? 1 : 0);
      }
    };
    add("in", model_.inputs);
    add("out", model_.outputs);
    for (const ReportPool& pool : report_.pools) {
      if (pool.is_internal) continue;
      text += fmt::format("  values[n].v_handle = (void*){};\n  codes[n++] = USMP_ARG_POINTER;\n",
                          ArrayOf(pool));
    }
    for (const std::string& device : options_.devices) {
      text += fmt::format("  values[n].v_handle = &{}_{};\n  codes[n++] = USMP_ARG_POINTER;\n", m_,
                          device);
    }
    return text +
           fmt::format("  const int32_t code = {}_run(values, codes, n, NULL, NULL, NULL);\n", m_);
  }

  std::string RunWithStructs() const {
    std::string text;
    std::vector<std::string> arguments;
    const auto add = [&](std::string_view role, std::string_view array,
                         const std::vector<ReportTensor>& tensors) {
      if (std::ranges::all_of(tensors, IsMapped)) return;
      std::string members;
      for (size_t i = 0; i < tensors.size(); ++i) {
        if (IsMapped(tensors[i])) continue;
        members += fmt::format(".{} = {}_{}{}, ", tensors[i].identifier, m_, array, i);
      }
      text += fmt::format("  struct {}_{} {} = {{{}}};\n", m_, role, role, members);
      arguments.push_back("&" + std::string(role));
    };
    add("inputs", "in", model_.inputs);
    add("outputs", "out", model_.outputs);
    if (HasExternalPools()) arguments.push_back(PoolsArgument());
    if (!options_.devices.empty()) arguments.push_back("&" + m_ + "_devices");
    return text +
           fmt::format("  const int32_t code = {}_run({});\n", m_, fmt::join(arguments, ", "));
  }

  const Report& report_;
  const ReportModel& model_;
  std::string m_;
  const ApplicationOptions& options_;
};

std::string Steps(const std::vector<std::string>& symbols, Order order) {
  std::string write, run, read, one_by_one;
  for (const std::string& m : symbols) {
    const std::string writes = fmt::format("  {}_write(1);\n", m);
    const std::string runs = fmt::format("  if ({}_call() != 0) return 1;\n", m);
    const std::string reads = fmt::format("  {}_read();\n", m);
    write += writes;
    run += runs;
    read += reads;
    for (const std::string& part : {writes, runs, reads}) one_by_one += part;
  }
  if (order == Order::kInterleaved) return write + run + read;
  return one_by_one +
         fmt::format("  {0}_write(0);\n  if ({0}_call() != 0) return 1;\n  {0}_read();\n",
                     symbols[0]);
}

}  // namespace

std::string ApplicationPrologue() {
  return "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
         "static inline void print(const void* data, size_t bytes) {\n"
         "  for (size_t i = 0; i < bytes; ++i) printf(\"%02x\", ((const uint8_t*)data)[i]);\n"
         "  printf(\"\\n\");\n}\n"
         "static inline void expect(int32_t code) {\n  if (code != 0) exit(1);\n}\n";
}

std::string ApplicationSource(const CompiledModel& compiled,
                              const std::vector<std::string>& symbols,
                              const std::vector<std::vector<TensorBytes>>& inputs,
                              const ApplicationOptions& options) {
  std::string text;
  for (const ReportPool& pool : compiled.report.pools) {
    if (pool.is_internal || pool.kind == PoolKind::kConstant) continue;
    text += fmt::format("static _Alignas({}) uint8_t {}[{} + 1];\n", pool.alignment,
                        PoolArray(options, pool), pool.bytes);
  }
  for (size_t i = 0; i < symbols.size(); ++i) {
    text += Part(compiled.report, i, symbols[i], options).Text(inputs[i]);
  }
  return text + fmt::format("int {}(void) {{\n{}  return 0;\n}}\n", options.function,
                            Steps(symbols, options.order));
}

}  // namespace usmp::testing
