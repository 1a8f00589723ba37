// Tables as people (aligned text) and as programs (tab-separated values) read them.
#ifndef USMP_BENCHMARKS_TABLE_H_
#define USMP_BENCHMARKS_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

namespace usmp::benchmarks {

// The first column is text and the rest are figures. A row has one cell for each column.
struct Table {
  std::vector<std::string> columns{};
  std::vector<std::vector<std::string>> rows{};
};

std::string ToText(const Table& table);
std::string ToTsv(const Table& table);

// 3 significant digits, never in scientific notation; "-" for NaN.
std::string Figure(double value);

}  // namespace usmp::benchmarks

#endif  // USMP_BENCHMARKS_TABLE_H_
