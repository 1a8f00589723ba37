#include "plan/csv.h"

#include <fmt/format.h>

namespace usmp::plan {
namespace {

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Cells of a line; a cell in double quotes may hold commas, and quotes written twice.
std::vector<std::string> SplitCells(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  bool is_quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cell += line[++i];
    } else if (c == '"' && (is_quoted || Trimmed(cell).empty())) {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      cells.emplace_back(Trimmed(cell));
      cell.clear();
    } else {
      cell += c;
    }
  }
  cells.emplace_back(Trimmed(cell));
  return cells;
}

}  // namespace

std::string CsvQuoted(const std::string& cell) {
  const bool is_plain = cell.find_first_of(",\"\r\n") == std::string::npos && Trimmed(cell) == cell;
  if (is_plain) return cell;
  std::string out = "\"";
  for (char c : cell) {
    if (c == '"') out += '"';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    const std::string_view part = Trimmed(text.substr(0, end));
    if (!part.empty()) parts.push_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

CsvTable::CsvTable(std::string_view text, std::string_view source, const Columns& columns)
    : source_(source), columns_(columns) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (int32_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (Trimmed(line).empty()) continue;
    if (header_.empty()) {
      ReadHeader(line, number);
    } else {
      ReadRow(line, number);
    }
  }
  if (header_.empty()) Report("is empty: a first line like id,lower,upper,size is needed");
}

void CsvTable::Require(std::string_view column, std::string_view spellings) {
  if (!Has(column)) Report(fmt::format("has no column {}", spellings));
}

std::string_view CsvTable::Cell(const Row& row, std::string_view column) const {
  const auto found = header_.find(column);
  if (found == header_.end() || found->second >= row.cells.size()) return {};
  return row.cells[found->second];
}

tl::unexpected<Error> CsvTable::TakeError() {
  const bool is_malformed = found_.size() > unsupported_;
  return Fail(
      {is_malformed ? ErrorCode::kInvalidInput : ErrorCode::kUnsupported, std::move(found_)});
}

void CsvTable::ReportRange(const Row& row, std::string_view column, int64_t least, int64_t most) {
  Report(row, fmt::format("{} is '{}', but must be a whole number between {} and {}", column,
                          Cell(row, column), least, most));
}

void CsvTable::ReadHeader(std::string_view line, int32_t number) {
  const std::vector<std::string> names = SplitCells(line);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto known = columns_.find(names[i]);
    if (known == columns_.end()) {
      Report({number, {}}, fmt::format("the header has an unknown column '{}'", names[i]));
    } else if (!header_.emplace(known->second, i).second) {
      Report({number, {}}, fmt::format("the header has a second column for '{}'", known->second));
    }
  }
  width_ = names.size();
}

void CsvTable::ReadRow(std::string_view line, int32_t number) {
  rows_.push_back({number, SplitCells(line)});
  const size_t cells = rows_.back().cells.size();
  if (cells == width_) return;
  Report(rows_.back(), fmt::format("has {} cells, but the header has {}", cells, width_));
}

}  // namespace usmp::plan
