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

// One model's part of the application: functions m_write(is_first), m_run() and m_read().
class Part {
 public:
  Part(const Report& report, size_t index, std::string symbol)
      : report_(report), model_(report.models[index]), m_(std::move(symbol)) {}

  std::string Text(const std::vector<TensorBytes>& inputs) const {
    return Data(inputs) + Pools() + Function("write", "int is_first", Write()) +
           fmt::format("static int {}_call(void) {{\n{}  return code;\n}}\n", m_, Run()) +
           Function("read", "void", Read());
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

  std::string Pools() const {
    if (!HasExternalPools()) return {};
    std::string constants, members;
    for (const ReportPool& pool : report_.pools) {
      if (pool.is_internal) continue;
      const bool is_constant = pool.kind == PoolKind::kConstant;
      members += fmt::format(".{0} = {1}pool_{0}, ", pool.name, is_constant ? m_ + "_" : "");
      if (!is_constant) continue;
      // The 0 is an element for a pool without contents.
      constants +=
          fmt::format("static const _Alignas({0}_ALIGN) uint8_t {1}_pool_{2}[] = {{{0}_DATA 0}};\n",
                      Upper(m_ + "_" + pool.name) + "_CONSTANT_POOL", m_, pool.name);
    }
    return constants +
           fmt::format("static struct {0}_workspace_pools {0}_pools = {{{1}}};\n", m_, members);
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

  std::string Run() const {
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
    return text +
           fmt::format("  const int32_t code = {}_run({});\n", m_, fmt::join(arguments, ", "));
  }

  const Report& report_;
  const ReportModel& model_;
  std::string m_;
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
    one_by_one += writes + runs + reads;
  }
  if (order == Order::kInterleaved) return write + run + read;
  return one_by_one +
         fmt::format("  {0}_write(0);\n  if ({0}_call() != 0) return 1;\n  {0}_read();\n",
                     symbols[0]);
}

}  // namespace

std::string ApplicationSource(const CompiledModel& compiled,
                              const std::vector<std::string>& symbols,
                              const std::vector<std::vector<TensorBytes>>& inputs, Order order) {
  std::string text =
      "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
      "static void print(const void* data, size_t bytes) {\n"
      "  for (size_t i = 0; i < bytes; ++i) printf(\"%02x\", ((const uint8_t*)data)[i]);\n"
      "  printf(\"\\n\");\n}\n";
  for (const ReportPool& pool : compiled.report.pools) {
    if (pool.is_internal || pool.kind == PoolKind::kConstant) continue;
    text += fmt::format("static _Alignas({}) uint8_t pool_{}[{} + 1];\n", pool.alignment, pool.name,
                        pool.bytes);
  }
  for (size_t i = 0; i < symbols.size(); ++i) {
    text += Part(compiled.report, i, symbols[i]).Text(inputs[i]);
  }
  return text + "int main(void) {\n" + Steps(symbols, order) + "  return 0;\n}\n";
}

}  // namespace usmp::testing
