// CSV of problems and plans, taken apart with diagnostics.
#ifndef USMP_PLAN_CSV_H_
#define USMP_PLAN_CSV_H_

#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "usmp/result.h"

namespace usmp::plan {

// The cell as a line holds it: in double quotes where it has to be. A line break becomes a space.
std::string CsvQuoted(const std::string& cell);

// The parts that are not blank, without blanks around them.
std::vector<std::string_view> Split(std::string_view text, char separator);

// Nothing unless all of `text` is a number in range.
template <class Integer>
std::optional<Integer> ParseInteger(std::string_view text) {
  Integer value{};
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || stop != end || text.empty()) return std::nullopt;
  return value;
}

// Lines and cells by column name, and what is wrong with them.
class CsvTable {
 public:
  using Columns = std::map<std::string, std::string, std::less<>>;
  // `columns`, which must outlive the table: a known name and what it stands for.
  CsvTable(std::string_view text, std::string_view source, const Columns& columns);

  struct Row {
    int32_t line = 0;
    std::vector<std::string> cells{};
  };

  const std::vector<Row>& rows() const { return rows_; }
  bool Has(std::string_view column) const { return header_.contains(column); }

  void Require(std::string_view column, std::string_view spellings);

  // Empty where the column or the cell is missing.
  std::string_view Cell(const Row& row, std::string_view column) const;

  template <class Integer>
  std::optional<Integer> Number(const Row& row, std::string_view column) {
    const std::string_view cell = Cell(row, column);
    const std::optional<Integer> value = ParseInteger<Integer>(cell);
    if (!value) {
      ReportRange(row, column, std::numeric_limits<Integer>::min(),
                  std::numeric_limits<Integer>::max());
    }
    return value;
  }

  void Report(const Row& row, std::string message) {
    found_.push_back({source_ + ":" + std::to_string(row.line), std::move(message)});
  }
  void ReportUnsupported(const Row& row, std::string message) {
    ++unsupported_;
    Report(row, std::move(message));
  }
  void Report(std::string message) { found_.push_back({source_, std::move(message)}); }
  bool ok() const { return found_.empty(); }
  // kUnsupported if there is nothing worse.
  tl::unexpected<Error> TakeError();

 private:
  void ReportRange(const Row& row, std::string_view column, int64_t least, int64_t most);
  void ReadHeader(std::string_view line, int32_t number);
  void ReadRow(std::string_view line, int32_t number);

  std::string source_;
  const Columns& columns_;
  std::map<std::string, size_t, std::less<>> header_{};
  size_t width_ = 0;
  std::vector<Row> rows_{};
  std::vector<Diagnostic> found_{};
  size_t unsupported_ = 0;  // of found_
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_CSV_H_
