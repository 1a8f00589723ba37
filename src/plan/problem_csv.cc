#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "plan/describe.h"
#include "usmp/plan_io.h"

namespace usmp {
namespace {

using plan::Index;

constexpr char kDefaultPool[] = "ram";

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

std::string Quoted(const std::string& cell) {
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

template <class Integer>
std::optional<Integer> ParseInteger(std::string_view text) {
  Integer value{};
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || stop != end || text.empty()) return std::nullopt;
  return value;
}

// Lines and cells by column name, and what is wrong with them.
class Table {
 public:
  // `columns`: a known name and what it stands for.
  Table(std::string_view text, std::string_view source,
        const std::map<std::string, std::string, std::less<>>& columns)
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

  struct Row {
    int32_t line = 0;
    std::vector<std::string> cells{};
  };

  const std::vector<Row>& rows() const { return rows_; }
  bool Has(std::string_view column) const { return header_.contains(column); }

  void Require(std::string_view column, std::string_view spellings) {
    if (!Has(column)) Report(fmt::format("has no column {}", spellings));
  }

  // Empty where the column or the cell is missing.
  std::string_view Cell(const Row& row, std::string_view column) const {
    const auto found = header_.find(column);
    if (found == header_.end() || found->second >= row.cells.size()) return {};
    return row.cells[found->second];
  }

  template <class Integer>
  std::optional<Integer> Number(const Row& row, std::string_view column) {
    const std::string_view cell = Cell(row, column);
    const std::optional<Integer> value = ParseInteger<Integer>(cell);
    if (!value) {
      Report(row,
             fmt::format("{} is '{}', but must be a whole number between {} and {}", column, cell,
                         std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()));
    }
    return value;
  }

  void Report(const Row& row, std::string message) {
    found_.push_back({fmt::format("{}:{}", source_, row.line), std::move(message)});
  }
  void ReportUnsupported(const Row& row, std::string message) {
    ++unsupported_;
    Report(row, std::move(message));
  }
  void Report(std::string message) { found_.push_back({source_, std::move(message)}); }
  bool ok() const { return found_.empty(); }
  // kUnsupported if there is nothing worse.
  tl::unexpected<Error> TakeError() {
    const bool is_malformed = found_.size() > unsupported_;
    return Fail(
        {is_malformed ? ErrorCode::kInvalidInput : ErrorCode::kUnsupported, std::move(found_)});
  }

 private:
  void ReadHeader(std::string_view line, int32_t number) {
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

  void ReadRow(std::string_view line, int32_t number) {
    rows_.push_back({number, SplitCells(line)});
    const size_t cells = rows_.back().cells.size();
    if (cells == width_) return;
    Report(rows_.back(), fmt::format("has {} cells, but the header has {}", cells, width_));
  }

  std::string source_;
  const std::map<std::string, std::string, std::less<>>& columns_;
  std::map<std::string, size_t, std::less<>> header_{};
  size_t width_ = 0;
  std::vector<Row> rows_{};
  std::vector<Diagnostic> found_{};
  size_t unsupported_ = 0;  // of found_
};

// The columns of a problem, with MiniMalloc's spellings; `end` is the last step, not the one after
// it.
const std::map<std::string, std::string, std::less<>> kProblemColumns = {{"id", "id"},
                                                                         {"buffer", "id"},
                                                                         {"buffer_id", "id"},
                                                                         {"lower", "lower"},
                                                                         {"start", "lower"},
                                                                         {"upper", "upper"},
                                                                         {"end", "end"},
                                                                         {"size", "size"},
                                                                         {"gaps", "gaps"},
                                                                         {"hint", "hint"},
                                                                         {"alignment", "alignment"},
                                                                         {"pool", "pool"},
                                                                         {"pools", "pool"},
                                                                         {"pin", "pin"},
                                                                         {"offset", "pin"}};

// Of a plan only these three count; the rest is the problem's.
const std::map<std::string, std::string, std::less<>> kPlanColumns = {
    {"id", "id"},       {"buffer", "id"},    {"buffer_id", "id"}, {"lower", "lower"},
    {"start", "lower"}, {"upper", "upper"},  {"end", "end"},      {"size", "size"},
    {"gaps", "gaps"},   {"hint", "hint"},    {"pin", "pin"},      {"alignment", "alignment"},
    {"pool", "pool"},   {"offset", "offset"}};

// `lifetimes` without the steps of `gap`.
std::vector<Lifetime> Without(const std::vector<Lifetime>& lifetimes, Lifetime gap) {
  std::vector<Lifetime> out;
  for (const auto& [begin, end] : lifetimes) {
    const Lifetime before = {begin, std::min(end, gap.begin)};
    const Lifetime after = {std::max(begin, gap.end), end};
    if (before.begin < before.end) out.push_back(before);
    if (after.begin < after.end) out.push_back(after);
  }
  return out;
}

class ProblemReader {
 public:
  ProblemReader(std::string_view text, std::string_view source, std::optional<Bytes> capacity)
      : source_(source), table_(text, source, kProblemColumns), capacity_(capacity) {}

  Result<PlanProblem> Read() {
    table_.Require("id", "'id'");
    table_.Require("lower", "'lower'");
    table_.Require("size", "'size'");
    if (!table_.Has("end")) table_.Require("upper", "'upper' (or 'end', inclusive)");
    if (table_.Has("end") && table_.Has("upper")) table_.Report("has both 'upper' and 'end'");
    if (!table_.ok()) return table_.TakeError();
    NamePools();
    for (const Table::Row& row : table_.rows()) ReadRow(row);
    if (!table_.ok()) return table_.TakeError();
    problem_.conflicts = Conflicts::FromLifetimes(problem_.buffers);
    if (Result<void> checked = CheckProblem(problem_); !checked) {
      Error error = checked.error();
      for (Diagnostic& diagnostic : error.diagnostics) {
        diagnostic.where = fmt::format("{}: {}", source_, diagnostic.where);
      }
      return Fail(std::move(error));
    }
    return std::move(problem_);
  }

 private:
  // In the order in which the file names them first.
  void NamePools() {
    for (const Table::Row& row : table_.rows()) {
      for (std::string_view name : Split(table_.Cell(row, "pool"), '|')) AddPool(name);
    }
    if (problem_.pools.empty()) AddPool(kDefaultPool);
    if (!capacity_) return;
    if (problem_.pools.size() == 1) {
      problem_.pools[0].size_hint_bytes = capacity_;
    } else {
      table_.Report("names several pools, so one capacity cannot bound them: use a JSON problem");
    }
  }

  void AddPool(std::string_view name) {
    const auto next = static_cast<PoolId>(problem_.pools.size());
    if (!pool_ids_.emplace(name, next).second) return;
    problem_.pools.push_back({.pool_name = std::string(name)});
  }

  void ReadRow(const Table::Row& row) {
    BufferInfo buffer = {.name_hint = std::string(table_.Cell(row, "id"))};
    if (buffer.name_hint.empty()) table_.Report(row, "id is empty");
    if (!ids_.insert(buffer.name_hint).second) {
      table_.Report(row, fmt::format("'{}' is the id of another buffer too", buffer.name_hint));
    }
    buffer.size_bytes = table_.Number<Bytes>(row, "size").value_or(0);
    if (!table_.Cell(row, "alignment").empty()) {
      buffer.alignment = table_.Number<Bytes>(row, "alignment").value_or(1);
    }
    ReadLifetime(row, buffer);
    ReadGaps(row, buffer);
    ReadPools(row, buffer);
    ReadPin(row, buffer);
    problem_.buffers.push_back(std::move(buffer));
  }

  void ReadLifetime(const Table::Row& row, BufferInfo& buffer) {
    const auto begin = table_.Number<int32_t>(row, "lower");
    const bool is_inclusive = table_.Has("end");
    const auto end = table_.Number<int32_t>(row, is_inclusive ? "end" : "upper");
    if (!begin || !end) return;
    if (is_inclusive && *end == INT32_MAX) {
      table_.Report(row, fmt::format("end is the last step there is: use at most {}", *end - 1));
      return;
    }
    buffer.lifetimes = {{*begin, is_inclusive ? *end + 1 : *end}};
    if (buffer.lifetimes[0].begin < buffer.lifetimes[0].end) return;
    table_.Report(
        row, fmt::format("lifetime [{}, {}) of '{}' holds no step: the end must be larger", *begin,
                         buffer.lifetimes[0].end, buffer.name_hint));
  }

  void ReadGaps(const Table::Row& row, BufferInfo& buffer) {
    for (std::string_view text : Split(table_.Cell(row, "gaps"), ' ')) {
      if (text.find('@') != std::string_view::npos) {
        table_.ReportUnsupported(
            row, fmt::format("gap '{}' leaves a window of the buffer in use; only gaps "
                             "without a window (a-b) are supported",
                             text));
        continue;
      }
      const size_t dash = text.find('-', 1);
      const auto begin = ParseInteger<int32_t>(text.substr(0, dash));
      const auto end = dash == std::string_view::npos
                           ? std::nullopt
                           : ParseInteger<int32_t>(text.substr(dash + 1));
      if (!begin || !end || *begin >= *end) {
        table_.Report(row, fmt::format("gap '{}' must be begin-end, the end exclusive", text));
        continue;
      }
      buffer.lifetimes = Without(buffer.lifetimes, {*begin, *end});
      if (buffer.lifetimes.empty()) table_.Report(row, "the gaps leave nothing of the lifetime");
    }
  }

  void ReadPools(const Table::Row& row, BufferInfo& buffer) {
    for (std::string_view name : Split(table_.Cell(row, "pool"), '|')) {
      buffer.pool_candidates.push_back(pool_ids_.find(name)->second);
    }
    for (size_t i = 0; buffer.pool_candidates.empty() && i < problem_.pools.size(); ++i) {
      buffer.pool_candidates.push_back(static_cast<PoolId>(i));
    }
    // The file states no alignment of a pool: it has the one that its buffers need.
    for (PoolId pool : buffer.pool_candidates) {
      Bytes& alignment = problem_.pools[Index(pool)].alignment;
      alignment = std::max(alignment, buffer.alignment);
    }
  }

  void ReadPin(const Table::Row& row, BufferInfo& buffer) {
    if (table_.Cell(row, "pin").empty()) return;
    const auto offset = table_.Number<Bytes>(row, "pin");
    if (offset) buffer.pinned = PoolAllocation{buffer.pool_candidates.front(), *offset};
  }

  std::string source_;
  Table table_;
  std::optional<Bytes> capacity_;
  PlanProblem problem_{};
  std::map<std::string, PoolId, std::less<>> pool_ids_{};
  std::set<std::string, std::less<>> ids_{};
};

class PlanReader {
 public:
  PlanReader(std::string_view text, std::string_view source, const PlanProblem& problem)
      : table_(text, source, kPlanColumns), problem_(problem) {}

  Result<Plan> Read() {
    table_.Require("id", "'id'");
    table_.Require("offset", "'offset': is this a plan?");
    if (!table_.ok()) return table_.TakeError();
    std::map<std::string, size_t, std::less<>> ids;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      ids.emplace(plan::NameOf(problem_, static_cast<BufferId>(i)), i);
    }
    Plan plan{.allocations = std::vector<PoolAllocation>(problem_.buffers.size()),
              .pool_sizes = std::vector<Bytes>(problem_.pools.size(), 0)};
    std::vector<bool> is_placed(problem_.buffers.size(), false);
    for (const Table::Row& row : table_.rows()) {
      const auto found = ids.find(table_.Cell(row, "id"));
      if (found == ids.end()) {
        table_.Report(row, fmt::format("the problem has no buffer '{}'", table_.Cell(row, "id")));
        continue;
      }
      if (is_placed[found->second]) {
        table_.Report(row, fmt::format("places buffer '{}' a second time", found->first));
      }
      is_placed[found->second] = true;
      ReadAllocation(row, found->second, plan);
    }
    for (size_t i = 0; i < is_placed.size(); ++i) {
      if (is_placed[i]) continue;
      table_.Report(
          fmt::format("has no line for {}", plan::WhereOf(problem_, static_cast<BufferId>(i))));
    }
    if (!table_.ok()) return table_.TakeError();
    return plan;
  }

 private:
  void ReadAllocation(const Table::Row& row, size_t buffer, Plan& plan) {
    const auto offset = table_.Number<Bytes>(row, "offset");
    const std::optional<PoolId> pool = PoolOf(row, problem_.buffers[buffer]);
    if (!offset || !pool) return;
    plan.allocations[buffer] = {*pool, *offset};
    const Bytes size = problem_.buffers[buffer].size_bytes;
    if (size == 0 || *offset > INT64_MAX - size) return;
    Bytes& used = plan.pool_sizes[Index(*pool)];
    used = std::max(used, *offset + size);
  }

  std::optional<PoolId> PoolOf(const Table::Row& row, const BufferInfo& buffer) {
    const std::string_view name = table_.Cell(row, "pool");
    if (name.empty() && buffer.pool_candidates.size() == 1) return buffer.pool_candidates.front();
    const auto found = std::ranges::find(problem_.pools, name, &PoolInfo::pool_name);
    if (found != problem_.pools.end()) {
      return static_cast<PoolId>(found - problem_.pools.begin());
    }
    table_.Report(row, name.empty() ? fmt::format("names no pool, and '{}' may go into several",
                                                  buffer.name_hint)
                                    : fmt::format("the problem has no pool '{}'", name));
    return std::nullopt;
  }

  Table table_;
  const PlanProblem& problem_;
};

// "4-7 9-10": what lies between the lifetimes.
std::string GapsOf(const BufferInfo& buffer) {
  std::string out;
  for (size_t i = 1; i < buffer.lifetimes.size(); ++i) {
    if (buffer.lifetimes[i - 1].end == buffer.lifetimes[i].begin) continue;
    out += fmt::format("{}{}-{}", out.empty() ? "" : " ", buffer.lifetimes[i - 1].end,
                       buffer.lifetimes[i].begin);
  }
  return out;
}

}  // namespace

Result<PlanProblem> ParseProblemCsv(std::string_view text, std::string_view source,
                                    std::optional<Bytes> capacity) {
  return ProblemReader(text, source, capacity).Read();
}

Result<Plan> ParsePlanCsv(std::string_view text, std::string_view source,
                          const PlanProblem& problem) {
  return PlanReader(text, source, problem).Read();
}

std::string PlanToCsv(const PlanProblem& problem, const Plan& plan) {
  const auto& buffers = problem.buffers;
  const bool has_alignment =
      std::ranges::any_of(buffers, [](const BufferInfo& b) { return b.alignment != 1; });
  const bool has_gaps =
      std::ranges::any_of(buffers, [](const BufferInfo& b) { return b.lifetimes.size() > 1; });
  const bool has_pools = problem.pools.size() != 1 || problem.pools[0].pool_name != kDefaultPool;
  std::string out = "id,lower,upper,size";
  if (has_alignment) out += ",alignment";
  if (has_gaps) out += ",gaps";
  if (has_pools) out += ",pool";
  out += ",offset\n";
  for (size_t i = 0; i < buffers.size(); ++i) {
    const BufferInfo& buffer = buffers[i];
    const auto [pool, offset] = plan.allocations[i];
    const bool is_timed = !buffer.lifetimes.empty();
    out += fmt::format("{},{},{},{}", Quoted(plan::NameOf(problem, static_cast<BufferId>(i))),
                       is_timed ? buffer.lifetimes.front().begin : 0,
                       is_timed ? buffer.lifetimes.back().end : 0, buffer.size_bytes);
    if (has_alignment) out += fmt::format(",{}", buffer.alignment);
    if (has_gaps) out += "," + GapsOf(buffer);
    if (has_pools) out += "," + Quoted(problem.pools[Index(pool)].pool_name);
    out += fmt::format(",{}\n", offset);
  }
  return out;
}

}  // namespace usmp
