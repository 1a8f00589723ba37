// conformance_runner [--at-least N] [CASE...]: the models of USMP_CONFORMANCE_DIR against
// TensorFlow Lite Micro's reference kernels. Prints a line for each case as it is decided, then a
// summary. Exit code: 0 if no case fails and at least N pass; 1 otherwise; 77 if the variable is
// not set.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/check.h"

namespace usmp::testing {
namespace {

constexpr int kSkipped = 77;

const char* Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return "passed";
    case Verdict::kWeak:
      return "weak";
    case Verdict::kUnsupported:
      return "unsupported";
    case Verdict::kFailed:
      return "FAILED";
    case Verdict::kDiffersOnPurpose:
      return "differs on purpose";
  }
  return "";
}

// Cases where the other engine's outputs are not what the model means.
struct KnownDifference {
  std::string_view name{}, why{};
};
constexpr KnownDifference kKnownDifferences[] = {
    {"ai-edge-quantizer__mnist_quantized",
     "its engine dequantizes constants with one scale that have one for each channel (decision "
     "0004)"},
};

// A difference that is known is no failure; one that is gone must leave the table.
Outcome JudgeDifference(const std::string& name, Outcome outcome) {
  for (const KnownDifference& known : kKnownDifferences) {
    if (known.name != name) continue;
    if (outcome.verdict == Verdict::kFailed) {
      return {.verdict = Verdict::kDiffersOnPurpose, .detail = std::string(known.why)};
    }
    if (outcome.verdict == Verdict::kPassed) {
      return {.detail = "agrees, although it is listed as a known difference"};
    }
  }
  return outcome;
}

struct Row {
  std::string name{};
  Outcome outcome{};
};

std::vector<Row> CheckAll(const std::string& folder, const std::vector<std::string>& names) {
  std::vector<Row> rows(names.size());
  std::atomic<size_t> next = 0;
  std::mutex printing;
  const auto work = [&] {
    for (size_t i = 0; (i = next++) < names.size();) {
      rows[i] = {names[i], JudgeDifference(names[i], Check(LoadCase(folder, names[i])))};
      const std::lock_guard<std::mutex> lock(printing);
      std::printf("%-11s %s: %s\n", Name(rows[i].outcome.verdict), names[i].c_str(),
                  rows[i].outcome.detail.c_str());
      std::fflush(stdout);
    }
  };
  std::thread other(work);
  work();
  other.join();
  return rows;
}

int CountOf(const std::vector<Row>& rows, Verdict verdict) {
  int count = 0;
  for (const Row& row : rows) count += row.outcome.verdict == verdict ? 1 : 0;
  return count;
}

void PrintSummary(const std::vector<Row>& rows) {
  std::map<std::string, int> reasons;
  for (const Row& row : rows) {
    if (row.outcome.verdict != Verdict::kUnsupported) continue;
    for (const std::string& reason : row.outcome.reasons) ++reasons[reason];
  }
  std::printf("\nUnsupported, by reason (a case may have several):\n");
  for (const auto& [reason, count] : reasons) std::printf("  %4d  %s\n", count, reason.c_str());
  for (Verdict verdict : {Verdict::kWeak, Verdict::kDiffersOnPurpose, Verdict::kFailed}) {
    for (const Row& row : rows) {
      if (row.outcome.verdict != verdict) continue;
      std::printf("%s: %s: %s\n", Name(verdict), row.name.c_str(), row.outcome.detail.c_str());
    }
  }
  for (const Row& row : rows) {
    if (!row.outcome.is_suspect) continue;
    std::printf("unsupported, although its operators and types are promised: %s\n",
                row.name.c_str());
  }
  std::printf("\n%zu cases: %d passed, %d weak, %d differ on purpose, %d unsupported, %d failed\n",
              rows.size(), CountOf(rows, Verdict::kPassed), CountOf(rows, Verdict::kWeak),
              CountOf(rows, Verdict::kDiffersOnPurpose), CountOf(rows, Verdict::kUnsupported),
              CountOf(rows, Verdict::kFailed));
}

int Main(const std::vector<std::string>& arguments) {
  const char* folder = std::getenv("USMP_CONFORMANCE_DIR");
  if (folder == nullptr || *folder == '\0') {
    std::printf("skipped: USMP_CONFORMANCE_DIR names no folder of conformance cases\n");
    return kSkipped;
  }
  int at_least = 0;
  std::vector<std::string> names;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--at-least" && i + 1 < arguments.size()) {
      at_least = std::stoi(arguments[++i]);
    } else {
      names.push_back(arguments[i]);
    }
  }
  if (names.empty()) names = ListCases(folder);
  const std::vector<Row> rows = CheckAll(folder, names);
  PrintSummary(rows);
  const int passed = CountOf(rows, Verdict::kPassed);
  if (passed < at_least) std::printf("too few pass: %d, not %d\n", passed, at_least);
  return CountOf(rows, Verdict::kFailed) > 0 || passed < at_least ? 1 : 0;
}

}  // namespace
}  // namespace usmp::testing

int main(int argc, char** argv) { return usmp::testing::Main({argv + 1, argv + argc}); }
