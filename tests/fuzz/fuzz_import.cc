// Whatever the bytes are, importing them is an answer: a verified graph, or diagnostics.
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "import/importer.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/pipeline.h"
#include "support/check.h"
#include "usmp/compile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> bytes(data, size);
  auto imported = usmp::import::Import(bytes, {});
  if (!imported) {
    USMP_CHECK(!imported.error().diagnostics.empty());
    return 0;
  }
  USMP_CHECK(!usmp::ir::PrintGraph(imported->graph).empty());
  USMP_CHECK(usmp::Inspect(bytes, {}).has_value());
  if (!imported->unsupported.empty()) return 0;
  USMP_CHECK(usmp::ir::VerifyGraph(imported->graph).has_value());
  USMP_CHECK(usmp::passes::RunPasses(std::move(imported->graph), {}).has_value());
  return 0;
}
