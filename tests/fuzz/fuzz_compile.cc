// Whatever the bytes are, compiling them is an answer: files and a report whose parts agree, or
// diagnostics that say what to do. Two configurations, since their plans and sources differ.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "support/check.h"
#include "usmp/compile.h"

namespace {

constexpr usmp::PlanOptions kPlan = {.max_steps = 100};

usmp::CompileOptions InternalPool() { return {.model_name = "m", .plan = kPlan}; }

usmp::CompileOptions CallersPoolKeepingTensors() {
  usmp::PoolInfo ram{.pool_name = "ram", .size_hint_bytes = usmp::Bytes{4096}, .alignment = 8};
  ram.is_internal = false;
  return {.model_name = "m", .pools = {ram}, .plan = kPlan, .debug = usmp::DebugMode::kKeepTensors};
}

void CheckDiagnostics(const usmp::Error& error) {
  USMP_CHECK(!error.diagnostics.empty());
  for (const usmp::Diagnostic& diagnostic : error.diagnostics) {
    USMP_CHECK(!diagnostic.where.empty());
    USMP_CHECK(!diagnostic.message.empty());
  }
}

void CheckFiles(const usmp::CompiledModel& model) {
  USMP_CHECK(!model.files.empty());
  for (const usmp::GeneratedFile& file : model.files) {
    USMP_CHECK(!file.path.empty());
    USMP_CHECK(file.content.find('\0') == std::string::npos);
  }
}

void CompileOnce(std::span<const uint8_t> bytes, const usmp::CompileOptions& options) {
  const auto model = usmp::Compile(bytes, options);
  if (model) {
    CheckFiles(*model);
  } else {
    CheckDiagnostics(model.error());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> bytes(data, size);
  CompileOnce(bytes, InternalPool());
  CompileOnce(bytes, CallersPoolKeepingTensors());
  return 0;
}
