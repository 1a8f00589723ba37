#include "compile/offload.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ir/graph.h"
#include "support/names.h"

namespace usmp::compile {
namespace {

// What C and the generated code would take for something else.
bool IsFree(const std::string& name) {
  return SanitizeName(name) == name && !name.starts_with("usmp_");
}

}  // namespace

Result<void> CheckOffloads(const CompileOptions& options) {
  std::vector<Diagnostic> problems;
  for (const Offload& offload : options.offloads) {
    const std::string where = "offload of '" + offload.operators + "'";
    if (!IsFree(offload.function)) {
      problems.push_back({where, "the function '" + offload.function +
                                     "' must be a C identifier that does not start with usmp_"});
    }
    if (offload.scratch_bytes < 0 || offload.scratch_bytes > ir::kMaxTensorBytes - 7) {
      problems.push_back({where, "its scratch must be between 0 bytes and 2 GiB"});
    }
    if (offload.target.empty()) {
      problems.push_back({where, "its target is empty; leave it out for the CPU"});
    }
  }
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  return {};
}

Result<void> CheckDevices(std::span<const ModelSource> models) {
  std::vector<Diagnostic> problems;
  Names names;
  for (const std::string& device : models[0].options.devices) {
    const std::string where = "device '" + device + "'";
    // Functions are named after it without underscores and without regard to capitals.
    std::string bare = device;
    std::erase(bare, '_');
    if (!IsFree(device) || bare.empty()) {
      problems.push_back(
          {where, "the name stands in the generated C, so it must be a C identifier"});
    } else if (names.Claim(bare) != bare) {
      problems.push_back({where, "another device's functions have the same names"});
    }
    const bool is_used = std::ranges::any_of(models, [&](const ModelSource& model) {
      return std::ranges::find(model.options.offloads, device, &Offload::target) !=
             model.options.offloads.end();
    });
    if (!is_used) {
      problems.push_back({where, "no operator is offloaded to it: say target=" + device +
                                     " in an --offload, or leave the device out"});
    }
  }
  if (!problems.empty()) return Fail(Error{ErrorCode::kInvalidInput, std::move(problems)});
  return {};
}

std::vector<std::string> OperatorsOf(std::span<const Offload> offloads) {
  std::vector<std::string> operators;
  for (const Offload& offload : offloads) operators.push_back(offload.operators);
  return operators;
}

std::vector<std::string> DevicesOf(const lower::Program& program,
                                   const std::vector<std::string>& devices) {
  std::vector<std::string> used;
  std::ranges::copy_if(devices, std::back_inserter(used), [&](const std::string& device) {
    return std::ranges::any_of(program.calls, [&](const lower::Call& call) {
      return call.offloaded && call.offloaded->target == device;
    });
  });
  return used;
}

}  // namespace usmp::compile
