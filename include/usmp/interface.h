// How an application calls the generated code. docs/generated-c.md shows each.
#ifndef USMP_INTERFACE_H_
#define USMP_INTERFACE_H_

#include <cstdint>
#include <string>

#include "usmp/buffers.h"

namespace usmp {

// The form of `run`, and what there is beside it.
enum class InterfaceApi : uint8_t {
  kC,       // structs with a member for each tensor, pool and device
  kPacked,  // an array of values, tensors among them as DLPack's DLTensor
  kModule,  // an object: set_input, run, get_output
};

// Descriptors of inputs and outputs, in the layout of DLPack's DLTensor.
enum class DlTensors : uint8_t {
  kNone,
  kStatic,      // constants of the generated code
  kWorkspace,   // in the workspace, apart from the data, written by a function map_tensors
  kContiguous,  // the same, but of a tensor in the workspace directly before its data, which no
                // other buffer then shares
};

// Operators that a C function of the application computes. docs/offload.md has its prototype.
struct Offload {
  // One operator, by the name of a tensor that it writes or as "op:N" (its index in the model); or
  // all of a kind: "CONV_2D", "CUSTOM:MyOp". One operator goes before a kind, then the first wins.
  std::string operators{};
  std::string function{};      // a C identifier
  Bytes scratch_bytes = 0;     // working memory for one call, 8-aligned; rounded up to 8
  std::string target = "cpu";  // what runs it: its buffers are in pools that this target reaches
};

}  // namespace usmp

#endif  // USMP_INTERFACE_H_
