#include "emit/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "support/names.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr Hook kHooks[] = {Hook::kActivate, Hook::kOpen, Hook::kClose, Hook::kDeactivate};

std::string_view Name(Hook hook) {
  switch (hook) {
    case Hook::kActivate:
      return "Activate";
    case Hook::kOpen:
      return "Open";
    case Hook::kClose:
      return "Close";
    case Hook::kDeactivate:
      return "Deactivate";
  }
  return {};
}

// "ethos_u55" as "EthosU55"
std::string CamelCase(std::string_view name) {
  std::string camel;
  bool is_first = true;
  for (char c : name) {
    if (c != '_') camel += is_first ? ToUpper(std::string(1, c)) : ToLower(std::string(1, c));
    is_first = c == '_';
  }
  return camel;
}

}  // namespace

std::string HookFunction(std::string_view device, Hook hook) {
  return fmt::format("TVMDevice{}{}", CamelCase(device), Name(hook));
}

std::string DeviceParameter(std::string_view device) { return "device_" + std::string(device); }

bool IsDevice(const EmitInput& input, std::string_view target) {
  return std::ranges::find(input.devices, target) != input.devices.end();
}

void WriteDeviceStruct(const EmitInput& input, std::string& text) {
  if (input.devices.empty()) return;
  const Out out(text);
  fmt::format_to(out,
                 "/*! \\brief The application's context for each device: passed on, and not looked "
                 "at. */\nstruct {}_devices {{\n",
                 input.symbol);
  for (const std::string& device : input.devices) fmt::format_to(out, "  void* {};\n", device);
  text += "};\n\n";
}

void WriteDeviceDeclarations(const EmitInput& input, std::string& text) {
  if (input.devices.empty()) return;
  text +=
      "/*! \\brief Functions of the application, called with the context: once around every run, "
      "and around\n    every operator that the device computes. 0, or run returns -1. */\n";
  for (const std::string& device : input.devices) {
    for (Hook hook : kHooks) {
      fmt::format_to(Out(text), "int32_t {}(void* context);\n", HookFunction(device, hook));
    }
  }
  text += "\n";
}

void WriteActivated(const EmitInput& input, std::string_view call, std::string& text) {
  const Out out(text);
  text += "  int32_t code = -1;\n";
  std::string indent = "  ";
  for (const std::string& device : input.devices) {
    fmt::format_to(out, "{}if ({}(devices->{}) == 0) {{\n", indent,
                   HookFunction(device, Hook::kActivate), device);
    indent += "  ";
  }
  fmt::format_to(out, "{}code = {};\n", indent, call);
  for (auto device = input.devices.rbegin(); device != input.devices.rend(); ++device) {
    fmt::format_to(out, "{}if ({}(devices->{}) != 0) code = -1;\n", indent,
                   HookFunction(*device, Hook::kDeactivate), *device);
    indent.resize(indent.size() - 2);
    fmt::format_to(out, "{}}}\n", indent);
  }
  text += "  return code;\n";
}

}  // namespace usmp::emit
