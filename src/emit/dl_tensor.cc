#include "emit/dl_tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "emit/calls.h"
#include "emit/signatures.h"

namespace usmp::emit {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string_view TypeCode(lower::ElementType element) {
  switch (element) {
    case lower::ElementType::kUInt8:
      return "UINT";
    case lower::ElementType::kFloat32:
      return "FLOAT";
    case lower::ElementType::kInt8:
    case lower::ElementType::kInt16:
    case lower::ElementType::kInt32:
    case lower::ElementType::kInt64:
      break;
  }
  return "INT";
}

bool HasDescribedTensors(const EmitInput& input) {
  return std::ranges::any_of(kRoles,
                             [&](Role role) { return !DescribedTensors(input, role).empty(); });
}

std::string ConstantName(const EmitInput& input, const Interface& tensor) {
  return fmt::format("{}_{}_tensor", input.symbol, tensor.identifier);
}

std::string MapSignatureOfDescriptors(const EmitInput& input) {
  return fmt::format("struct {0}_tensors {0}_map_tensors({1})", input.symbol, MapParameters(input));
}

// The members of a descriptor of data at `data`, which lie `byte_offset` behind.
std::string Members(const EmitInput& input, const Interface& tensor, std::string_view data,
                    Bytes byte_offset) {
  return fmt::format(
      "    .data = {},\n    .device = {{USMP_DL_CPU, 0}},\n    .ndim = {},\n    .dtype = {},\n"
      "    .shape = (int64_t*){},\n    .strides = NULL,\n    .byte_offset = {},\n",
      data, tensor.shape.size(), DataTypeText(input.program[tensor.buffer].element),
      ShapeText(input, tensor), byte_offset);
}

void WriteConstant(const EmitInput& input, const Interface& tensor, std::string& text) {
  const auto at = MappedPlace(input, tensor);
  const bool is_fixed = at && PoolOf(input, *at).is_internal;
  fmt::format_to(Out(text), "\nconst struct usmp_dl_tensor {} = {{\n{}}};\n",
                 ConstantName(input, tensor),
                 Members(input, tensor, is_fixed ? MappedAddress(input, *at) : "NULL",
                         at && !is_fixed ? at->byte_offset : 0));
}

void WriteMapOfDescriptors(const EmitInput& input, std::string& text) {
  const Out out(text);
  fmt::format_to(out,
                 "\n_Static_assert(sizeof(struct usmp_dl_tensor) <= {}, \"the plan's size\");\n"
                 "\n{} {{\n  struct {}_tensors tensors;\n",
                 kDescriptorBytes, MapSignatureOfDescriptors(input), input.symbol);
  for (Role role : kRoles) {
    for (const Interface& tensor : DescribedTensors(input, role)) {
      const auto at = MappedPlace(input, tensor);
      fmt::format_to(out,
                     "  tensors.{0} = (struct usmp_dl_tensor*)(void*)({1});\n"
                     "  *tensors.{0} = (struct usmp_dl_tensor){{\n{2}  }};\n",
                     tensor.identifier, MappedAddress(input, *tensor.descriptor),
                     Members(input, tensor, at ? MappedAddress(input, *at) : "NULL", 0));
    }
  }
  text += "  return tensors;\n}\n";
}

void DeclareConstants(const EmitInput& input, std::string& text) {
  text +=
      "/*! \\brief Descriptors, in the layout of DLPack's DLTensor. To be copied where `data` is "
      "NULL: it\n    is then the caller's tensor, or the caller's pool, in which the tensor begins "
      "at byte_offset. */\n";
  for (Role role : kRoles) {
    for (const Interface& tensor : DescribedTensors(input, role)) {
      fmt::format_to(Out(text), "extern const struct usmp_dl_tensor {};\n",
                     ConstantName(input, tensor));
    }
  }
  text += "\n";
}

void DeclareMap(const EmitInput& input, std::string& text) {
  const Out out(text);
  fmt::format_to(out, "struct {}_tensors {{\n", input.symbol);
  for (Role role : kRoles) {
    for (const Interface& tensor : DescribedTensors(input, role)) {
      fmt::format_to(out, "  struct usmp_dl_tensor* {};\n", tensor.identifier);
    }
  }
  fmt::format_to(
      out,
      "}};\n\n/*! \\brief Writes the descriptors of all inputs and outputs, in the layout of "
      "DLPack's DLTensor, to\n    their place in the workspace, once: no run changes them. `data` "
      "of the caller's tensors is NULL\n    until the caller sets it. */\n{};\n\n",
      MapSignatureOfDescriptors(input));
}

}  // namespace

std::vector<Interface> DescribedTensors(const EmitInput& input, Role role) {
  std::vector<Interface> tensors = TensorsOf(input, role);
  std::erase_if(tensors, [](const Interface& tensor) { return tensor.rows > 0; });
  return tensors;
}

std::string DataTypeText(lower::ElementType element) {
  return fmt::format("{{USMP_DL_{}, {}, 1}}", TypeCode(element), 8 * ElementBytes(element));
}

std::string ShapeText(const EmitInput& input, const Interface& tensor) {
  if (tensor.shape.empty()) return "NULL";
  return fmt::format("{}_{}_shape", input.symbol, tensor.identifier);
}

void WriteShape(const EmitInput& input, const Interface& tensor, std::string& text) {
  if (tensor.shape.empty()) return;
  fmt::format_to(Out(text), "static const int64_t {}[{}] = {{{}}};\n", ShapeText(input, tensor),
                 tensor.shape.size(), fmt::join(tensor.shape, ", "));
}

void WriteDescriptorDeclarations(const EmitInput& input, std::string& text) {
  if (input.dl_tensors == DlTensors::kNone) return;
  if (!HasDescribedTensors(input)) return;
  if (input.dl_tensors == DlTensors::kStatic) return DeclareConstants(input, text);
  DeclareMap(input, text);
}

void WriteDescriptors(const EmitInput& input, std::string& text) {
  if (input.dl_tensors == DlTensors::kNone) return;
  if (!HasDescribedTensors(input)) return;
  if (input.dl_tensors != DlTensors::kStatic) return WriteMapOfDescriptors(input, text);
  for (Role role : kRoles) {
    for (const Interface& tensor : DescribedTensors(input, role))
      WriteConstant(input, tensor, text);
  }
}

}  // namespace usmp::emit
