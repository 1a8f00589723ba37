#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace usmp::benchmarks {
namespace {

void AppendLine(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                std::string& text) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i == 0) {
      fmt::format_to(std::back_inserter(text), "{:<{}}", cells[i], widths[i]);
    } else {
      fmt::format_to(std::back_inserter(text), "  {:>{}}", cells[i], widths[i]);
    }
  }
  text += '\n';
}

}  // namespace

std::string ToText(const Table& table) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    size_t width = table.columns[i].size();
    for (const auto& row : table.rows) width = std::max(width, row[i].size());
    widths.push_back(width);
  }
  std::string text;
  AppendLine(table.columns, widths, text);
  for (const auto& row : table.rows) AppendLine(row, widths, text);
  return text;
}

std::string ToTsv(const Table& table) {
  std::string text = fmt::format("{}\n", fmt::join(table.columns, "\t"));
  for (const auto& row : table.rows) text += fmt::format("{}\n", fmt::join(row, "\t"));
  return text;
}

std::string Figure(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const int digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(3 - digits, 0, 6));
}

}  // namespace usmp::benchmarks
