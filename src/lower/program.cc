#include "lower/program.h"

#include <algorithm>

#include "support/check.h"

namespace usmp::lower {

const char* CType(ElementType type) {
  switch (type) {
    case ElementType::kInt8:
      return "int8_t";
    case ElementType::kUInt8:
      return "uint8_t";
    case ElementType::kInt16:
      return "int16_t";
    case ElementType::kInt32:
      return "int32_t";
    case ElementType::kInt64:
      return "int64_t";
    case ElementType::kFloat32:
      return "float";
  }
  return "?";
}

Bytes ElementBytes(ElementType type) {
  switch (type) {
    case ElementType::kInt8:
    case ElementType::kUInt8:
      return 1;
    case ElementType::kInt16:
      return 2;
    case ElementType::kInt32:
    case ElementType::kFloat32:
      return 4;
    case ElementType::kInt64:
      return 8;
  }
  return 1;
}

ElementType ElementTypeOf(ir::DType type) {
  switch (type) {
    case ir::DType::kFloat32:
      return ElementType::kFloat32;
    case ir::DType::kInt8:
    case ir::DType::kInt4:
      return ElementType::kInt8;
    case ir::DType::kUInt8:
    case ir::DType::kBool:
      return ElementType::kUInt8;
    case ir::DType::kInt16:
    case ir::DType::kFloat16:
      return ElementType::kInt16;
    case ir::DType::kInt32:
      return ElementType::kInt32;
    case ir::DType::kInt64:
      return ElementType::kInt64;
    case ir::DType::kOther:
      break;  // Lower() refuses it
  }
  USMP_CHECK(false);
}

BufferId OutputOf(const Call& call) {
  return *std::ranges::find(call.operands, Access::kWrite, &Operand::access)->buffer;
}

std::vector<const Call*> MembersOf(const Call& call) {
  std::vector<const Call*> members;
  if (!call.group) return members;
  for (const Strip& strip : call.group->strips) {
    for (const Member& member : strip.members) members.push_back(&member.call);
  }
  return members;
}

}  // namespace usmp::lower
