#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "model_result.h"

namespace usmp::benchmarks {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The columns that a run fills: a table has no column of dashes.
struct Shown {
  bool peak = false, naive = false, peer = false, instructions = false;
};

Shown ShownOf(const std::vector<ModelResult>& results) {
  Shown shown;
  for (const ModelResult& result : results) {
    shown.peak |= result.compile_peak_kb.has_value();
    shown.naive |= result.naive.has_value();
    shown.peer |= result.peer_us.has_value();
    shown.instructions |= result.generated_instructions.has_value();
  }
  return shown;
}

double OrNone(const std::optional<int64_t>& value) {
  return value ? static_cast<double>(*value) : kNone;
}

// Ratios of one column, for their geometric mean.
class Ratios {
 public:
  std::string Add(double part, double whole) {
    const double ratio = part / whole;
    if (std::isfinite(ratio)) values_.push_back(ratio);
    return Figure(ratio);
  }
  std::string Mean() const { return Figure(GeometricMean(values_)); }

 private:
  std::vector<double> values_{};
};

struct Means {
  Ratios naive{}, peer{}, instructions{};
};

std::vector<std::string> ColumnsOf(const Shown& shown) {
  std::vector<std::string> columns = {"model", "calls", "compile ms"};
  if (shown.peak) columns.push_back("compile MB");
  columns.insert(columns.end(), {"RAM", "workspace", "bound", "constants", "us", "min us"});
  if (shown.naive) columns.insert(columns.end(), {"naive us", "/naive"});
  if (shown.peer) columns.insert(columns.end(), {"peer us", "/peer"});
  if (shown.instructions) {
    columns.insert(columns.end(), {"instructions", "naive instructions", "/naive"});
  }
  return columns;
}

std::vector<std::string> RowOf(const ModelResult& result, const Shown& shown, Means& means) {
  const Report& report = result.report;
  std::vector<std::string> row = {result.name, std::to_string(report.calls.size()),
                                  Figure(result.compile.median / 1000)};
  if (shown.peak) row.push_back(Figure(OrNone(result.compile_peak_kb) / 1000));
  for (Bytes bytes : {report.total_ram_bytes, report.workspace_bytes, report.lower_bound_bytes,
                      report.constant_bytes}) {
    row.push_back(std::to_string(bytes));
  }
  const double us = result.generated.median;
  row.push_back(Figure(us));
  row.push_back(Figure(result.generated.min));
  if (shown.naive) {
    const double naive = result.naive ? result.naive->median : kNone;
    row.push_back(Figure(naive));
    row.push_back(means.naive.Add(us, naive));
  }
  if (shown.peer) {
    const double peer = result.peer_us.value_or(kNone);
    row.push_back(Figure(peer));
    row.push_back(means.peer.Add(us, peer));
  }
  if (shown.instructions) {
    const double ours = OrNone(result.generated_instructions);
    const double naive = OrNone(result.naive_instructions);
    row.push_back(Figure(ours));
    row.push_back(Figure(naive));
    row.push_back(means.instructions.Add(ours, naive));
  }
  return row;
}

std::vector<std::string> MeanRow(const Shown& shown, const Means& means) {
  std::vector<std::string> row(ColumnsOf({.peak = shown.peak}).size());
  row[0] = "geometric mean";
  if (shown.naive) row.insert(row.end(), {"", means.naive.Mean()});
  if (shown.peer) row.insert(row.end(), {"", means.peer.Mean()});
  if (shown.instructions) row.insert(row.end(), {"", "", means.instructions.Mean()});
  return row;
}

}  // namespace

Table TableOf(const std::vector<ModelResult>& results) {
  const Shown shown = ShownOf(results);
  Means means;
  Table table{.columns = ColumnsOf(shown)};
  for (const ModelResult& result : results) {
    if (result.problem.empty()) table.rows.push_back(RowOf(result, shown, means));
  }
  if (shown.naive || shown.peer || shown.instructions) {
    table.rows.push_back(MeanRow(shown, means));
  }
  return table;
}

}  // namespace usmp::benchmarks
