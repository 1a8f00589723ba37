// The devices that operators are offloaded to: functions of the application that bracket their use.
#ifndef USMP_EMIT_DEVICES_H_
#define USMP_EMIT_DEVICES_H_

#include <string>
#include <string_view>

#include "emit/emit.h"

namespace usmp::emit {

enum class Hook : uint8_t { kActivate, kOpen, kClose, kDeactivate };
// "TVMDeviceEthosU55Open" of "ethos_u55".
std::string HookFunction(std::string_view device, Hook hook);

// The parameter of the inner function that has the device's context.
std::string DeviceParameter(std::string_view device);

// Is it a device, with a context and hooks, or a target without?
bool IsDevice(const EmitInput& input, std::string_view target);

// The struct of contexts that `run` takes.
void WriteDeviceStruct(const EmitInput& input, std::string& text);

// For the header: the hooks' prototypes.
void WriteDeviceDeclarations(const EmitInput& input, std::string& text);

// The end of `run`: the statement `call` (an expression that gives 0 or -1) between activation and
// deactivation of every device, and the return.
void WriteActivated(const EmitInput& input, std::string_view call, std::string& text);

}  // namespace usmp::emit

#endif  // USMP_EMIT_DEVICES_H_
