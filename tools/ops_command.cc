#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "usmp/compile.h"

namespace usmp::tools {
namespace {

void PrintJson() {
  auto rows = nlohmann::ordered_json::array();
  for (const OperatorInfo& op : Operators()) {
    rows.push_back({{"name", op.name}, {"types", op.types}, {"summary", op.summary}});
  }
  std::printf("%s\n", rows.dump(2).c_str());
}

void PrintTable() {
  size_t name_width = 0;
  size_t types_width = 0;
  for (const OperatorInfo& op : Operators()) {
    name_width = std::max(name_width, op.name.size());
    types_width = std::max(types_width, op.types.size());
  }
  for (const OperatorInfo& op : Operators()) {
    std::printf("%-*s  %-*s  %s\n", static_cast<int>(name_width), op.name.c_str(),
                static_cast<int>(types_width), op.types.c_str(), op.summary.c_str());
  }
}

}  // namespace

int RunOps(bool as_json) {
  as_json ? PrintJson() : PrintTable();
  return 0;
}

}  // namespace usmp::tools
