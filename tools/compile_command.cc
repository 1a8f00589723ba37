#include <cstdio>
#include <utility>

#include "archive.h"
#include "commands.h"
#include "io.h"
#include "model_options.h"

namespace usmp::tools {
namespace {

const char* ProofText(Proof proof) {
  switch (proof) {
    case Proof::kMeetsLowerBound:
      return "the least possible for this schedule: it meets the lower bound";
    case Proof::kExhausted:
      return "the least possible for this schedule: the search was exhaustive";
    case Proof::kNone:
      break;
  }
  return "not proved to be the least";
}

void PrintSummary(const CompiledModel& model, const std::string& folder) {
  const Report& report = model.report;
  for (const ReportModel& one : report.models) {
    std::printf("%s: %d operators -> %s/%s.c\n", one.name.c_str(), one.operators, folder.c_str(),
                one.symbol.c_str());
  }
  std::printf("  RAM    %9lld bytes: %lld workspace + %lld inputs and outputs",
              static_cast<long long>(report.total_ram_bytes),
              static_cast<long long>(report.workspace_bytes),
              static_cast<long long>(report.caller_io_bytes));
  if (report.ram_constant_bytes > 0) {
    std::printf(" + %lld constants", static_cast<long long>(report.ram_constant_bytes));
  }
  std::printf("\n");
  std::printf("         workspace: %s\n", ProofText(report.proof));
  if (report.proof == Proof::kNone) {
    std::printf("         lower bound %lld bytes\n",
                static_cast<long long>(report.lower_bound_bytes));
  }
  if (report.io_pools_cost_bytes) {
    std::printf("         pools of inputs and outputs cost %lld bytes of it\n",
                static_cast<long long>(*report.io_pools_cost_bytes));
  }
  std::printf("  flash  %9lld bytes of constants\n", static_cast<long long>(report.constant_bytes));
}

}  // namespace

int RunCompile(const CompileCommand& command) {
  auto model = CompileFiles(command.model);
  if (!model) return PrintError(model.error());
  std::string archive;
  if (!command.archive.empty()) {
    auto packed = ModelLibraryArchive(*model, command.model.prefix);
    if (!packed) return PrintError(packed.error());
    archive = std::move(*packed);
  }
  if (auto written = WriteFiles(*model, command.folder); !written)
    return PrintError(written.error());
  if (!command.report.empty()) {
    const auto written = WriteFile(command.report, ReportToJson(model->report));
    if (!written) return PrintError(written.error());
  }
  if (!command.archive.empty()) {
    const auto written = WriteFile(command.archive, archive);
    if (!written) return PrintError(written.error());
  }
  PrintSummary(*model, command.folder);
  if (command.model.map)
    std::printf("\n%s", MemoryMap(model->report, PictureColumns(stdout)).c_str());
  return 0;
}

}  // namespace usmp::tools
