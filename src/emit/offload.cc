#include "emit/offload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include "emit/calls.h"
#include "emit/devices.h"
#include "emit/dl_tensor.h"
#include "emit/text.h"

namespace usmp::emit {
namespace {

using lower::Call;
using lower::OffloadedCall;
using lower::OperandInfo;
using Out = std::back_insert_iterator<std::string>;

// "call3_input0"
std::string OperandName(size_t call, std::string_view role, size_t index) {
  return fmt::format("call{}_{}{}", call, role, index);
}

void WriteArray(std::string_view type, const std::string& name,
                const std::vector<std::string>& values, std::string& text) {
  if (values.empty()) return;
  fmt::format_to(Out(text), "static const {} {}[{}] = {{{}}};\n", type, name, values.size(),
                 Join(values, ", "));
}

std::vector<std::string> Literals(const std::vector<int32_t>& values) {
  std::vector<std::string> literals;
  for (int32_t value : values) {
    literals.push_back(value == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", value));
  }
  return literals;
}

std::vector<std::string> Literals(const std::vector<float>& values) {
  std::vector<std::string> literals;
  for (float value : values) literals.push_back(FloatLiteral(value));
  return literals;
}

void WriteArrays(const OperandInfo& info, const std::string& name, std::string& text) {
  WriteArray("int32_t", name + "_shape", Literals(info.shape), text);
  WriteArray("float", name + "_scales", Literals(info.scales), text);
  WriteArray("int32_t", name + "_zero_points", Literals(info.zero_points), text);
}

std::string Initializer(const OperandInfo& info, const std::string& name) {
  if (!info.is_present) return "{NULL, 0, {0, 0, 0}, NULL, NULL, 0, 0}";
  const auto array = [&](bool is_empty, std::string_view suffix) {
    return is_empty ? std::string("NULL") : name + std::string(suffix);
  };
  return fmt::format(
      "{{{}, {}, {}, {}, {}, {}, {}}}", array(info.shape.empty(), "_shape"), info.shape.size(),
      DataTypeText(info.element), array(info.scales.empty(), "_scales"),
      array(info.zero_points.empty(), "_zero_points"), info.scales.size(), info.channel_dimension);
}

// The array of descriptions of a role; the name of it, or NULL.
std::string WriteOperands(const std::vector<OperandInfo>& operands, size_t call,
                          std::string_view role, std::string& text) {
  if (operands.empty()) return "NULL";
  for (size_t i = 0; i < operands.size(); ++i) {
    WriteArrays(operands[i], OperandName(call, role, i), text);
  }
  std::string name = fmt::format("call{}_{}s", call, role);
  fmt::format_to(Out(text), "static const struct usmp_operand {}[{}] = {{\n", name,
                 operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    fmt::format_to(Out(text), "    {},\n", Initializer(operands[i], OperandName(call, role, i)));
  }
  text += "};\n";
  return name;
}

std::string WriteWindow(const OffloadedCall& call, size_t index, std::string& text) {
  if (!call.window) return "NULL";
  const ir::Window2d& w = *call.window;
  std::string name = fmt::format("call{}_window", index);
  fmt::format_to(Out(text),
                 "static const struct usmp_window {} = {{{}, {}, {}, {}, {}, {}, {}, {}, {}, "
                 "{}}};\n",
                 name, w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, w.dilation_h, w.dilation_w,
                 w.padding.top, w.padding.bottom, w.padding.left, w.padding.right);
  return "&" + name;
}

std::string WriteOptions(const OffloadedCall& call, size_t index, std::string& text) {
  if (call.options.empty()) return "NULL";
  constexpr size_t kBytesInLine = 16;
  std::string name = fmt::format("call{}_options", index);
  fmt::format_to(Out(text), "static const uint8_t {}[{}] = {{", name, call.options.size());
  for (size_t i = 0; i < call.options.size(); ++i) {
    text += i % kBytesInLine == 0 ? "\n    " : " ";
    fmt::format_to(Out(text), "{},", call.options[i]);
  }
  text += "\n};\n";
  return name;
}

std::string_view ActivationText(ir::Activation activation) {
  switch (activation) {
    case ir::Activation::kNone:
      return "NONE";
    case ir::Activation::kRelu:
      return "RELU";
    case ir::Activation::kReluN1To1:
      return "RELU_N1_TO_1";
    case ir::Activation::kRelu6:
      return "RELU6";
  }
  return {};
}

// Its name as a literal that every C11 compiler takes.
std::string NameLiteral(const OffloadedCall& call) {
  constexpr size_t kLongest = 1000;
  return StringLiteral(std::string_view(call.name).substr(0, kLongest));
}

// A local array of pointers; its name, or NULL where there are none.
std::string WritePointers(const EmitInput& input, const std::vector<lower::Operand>& operands,
                          size_t begin, size_t end, std::string_view declaration,
                          std::string_view name, std::string& text) {
  if (begin == end) return "NULL";
  std::vector<std::string> pointers;
  for (size_t i = begin; i < end; ++i) pointers.push_back(OperandText(input, operands[i]));
  fmt::format_to(Out(text), "    {} {}[] = {{\n        {}}};\n", declaration, name,
                 Join(pointers, ",\n        "));
  return std::string(name);
}

}  // namespace

bool HasOffloads(const EmitInput& input) {
  return std::ranges::any_of(input.program.calls,
                             [](const Call& call) { return call.offloaded != nullptr; });
}

void WriteOffloadDeclarations(const EmitInput& input, std::string& text) {
  std::set<std::string_view> functions;
  for (const Call& call : input.program.calls) {
    if (call.offloaded) functions.insert(call.offloaded->function);
  }
  if (functions.empty()) return;
  text +=
      "/*! \\brief Functions of the application that compute operators of the model. A tensor that "
      "is absent\n    is NULL; so is scratch where none is planned, and device where the target is "
      "none. 0, or\n    run returns -1. */\n";
  for (std::string_view function : functions) {
    fmt::format_to(Out(text),
                   "int32_t {}(const struct usmp_operator* op, const void* const* inputs,\n"
                   "    void* const* outputs, void* scratch, void* device);\n",
                   function);
  }
  text += "\n";
}

void WriteOperator(const EmitInput& input, size_t index, std::string& text) {
  const Call& call = input.program.calls[index];
  const OffloadedCall& offloaded = *call.offloaded;
  fmt::format_to(Out(text), "\n/* {} */\n", CommentText(call.label));
  const std::string inputs = WriteOperands(offloaded.inputs, index, "input", text);
  const std::string outputs = WriteOperands(offloaded.outputs, index, "output", text);
  const std::string window = WriteWindow(offloaded, index, text);
  const std::string options = WriteOptions(offloaded, index, text);
  fmt::format_to(Out(text),
                 "static const struct usmp_operator call{}_operator = {{\n"
                 "    .name = {},\n    .index = {},\n"
                 "    .num_inputs = {},\n    .inputs = {},\n"
                 "    .num_outputs = {},\n    .outputs = {},\n"
                 "    .window = {},\n    .activation = USMP_ACTIVATION_{},\n"
                 "    .options = {},\n    .options_bytes = {},\n    .scratch_bytes = {},\n}};\n",
                 index, NameLiteral(offloaded), offloaded.index, offloaded.inputs.size(), inputs,
                 offloaded.outputs.size(), outputs, window, ActivationText(offloaded.activation),
                 options, offloaded.options.size(), offloaded.scratch_bytes);
}

void WriteOffloadedCall(const EmitInput& input, size_t index, std::string& text) {
  const Call& call = input.program.calls[index];
  const OffloadedCall& offloaded = *call.offloaded;
  const size_t outputs_begin = offloaded.inputs.size();
  const size_t scratch = outputs_begin + offloaded.outputs.size();
  text += "  {\n";
  const std::string inputs =
      WritePointers(input, call.operands, 0, outputs_begin, "const void* const", "inputs", text);
  const std::string outputs =
      WritePointers(input, call.operands, outputs_begin, scratch, "void* const", "outputs", text);
  const bool is_device = IsDevice(input, offloaded.target);
  const std::string device = is_device ? DeviceParameter(offloaded.target) : "NULL";
  const std::string called = fmt::format(
      "{}(&call{}_operator, {}, {}, {}, {})", offloaded.function, index, inputs, outputs,
      scratch < call.operands.size() ? OperandText(input, call.operands[scratch]) : "NULL", device);
  const Out out(text);
  if (!is_device) {
    fmt::format_to(out, "    if ({} != 0) return -1;\n  }}\n", called);
    return;
  }
  fmt::format_to(out,
                 "    if ({}({}) != 0) return -1;\n    const int32_t code = {};\n"
                 "    if ({}({}) != 0 || code != 0) return -1;\n  }}\n",
                 HookFunction(offloaded.target, Hook::kOpen), device, called,
                 HookFunction(offloaded.target, Hook::kClose), device);
}

}  // namespace usmp::emit
