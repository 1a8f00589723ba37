#include <string_view>

#include "usmp/plan.h"

namespace usmp {

std::string_view Name(PoolKind kind) {
  switch (kind) {
    case PoolKind::kWorkspace:
      return "workspace";
    case PoolKind::kConstant:
      return "constant";
  }
  return "?";
}

std::string_view Name(BufferKind kind) {
  switch (kind) {
    case BufferKind::kIntermediate:
      return "intermediate";
    case BufferKind::kScratch:
      return "scratch";
    case BufferKind::kInput:
      return "input";
    case BufferKind::kOutput:
      return "output";
    case BufferKind::kConstant:
      return "constant";
    case BufferKind::kState:
      return "state";
    case BufferKind::kDescriptor:
      return "descriptor";
  }
  return "?";
}

std::string_view Name(Proof proof) {
  switch (proof) {
    case Proof::kNone:
      return "none";
    case Proof::kMeetsLowerBound:
      return "meets_lower_bound";
    case Proof::kExhausted:
      return "exhausted";
  }
  return "?";
}

}  // namespace usmp
