#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "plan/csv.h"
#include "plan/describe.h"
#include "usmp/plan_io.h"

namespace usmp {
namespace {

using plan::CsvQuoted;
using plan::CsvTable;
using plan::Index;
using plan::ParseInteger;
using plan::Split;

constexpr char kDefaultPool[] = "ram";

// The columns of a problem, with MiniMalloc's spellings; `end` is the last step, not the one after
// it.
const CsvTable::Columns kProblemColumns = {{"id", "id"},
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
const CsvTable::Columns kPlanColumns = {
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
    for (const CsvTable::Row& row : table_.rows()) ReadRow(row);
    if (!table_.ok()) return table_.TakeError();
    problem_.conflicts = Conflicts::FromLifetimes(problem_.buffers);
    return plan::CheckedProblem(std::move(problem_), source_);
  }

 private:
  // In the order in which the file names them first.
  void NamePools() {
    for (const CsvTable::Row& row : table_.rows()) {
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

  void ReadRow(const CsvTable::Row& row) {
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

  void ReadLifetime(const CsvTable::Row& row, BufferInfo& buffer) {
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

  void ReadGaps(const CsvTable::Row& row, BufferInfo& buffer) {
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

  void ReadPools(const CsvTable::Row& row, BufferInfo& buffer) {
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

  void ReadPin(const CsvTable::Row& row, BufferInfo& buffer) {
    if (table_.Cell(row, "pin").empty()) return;
    const auto offset = table_.Number<Bytes>(row, "pin");
    if (offset) buffer.pinned = PoolAllocation{buffer.pool_candidates.front(), *offset};
  }

  std::string source_;
  CsvTable table_;
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
    for (const CsvTable::Row& row : table_.rows()) {
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
  void ReadAllocation(const CsvTable::Row& row, size_t buffer, Plan& plan) {
    const auto offset = table_.Number<Bytes>(row, "offset");
    const std::optional<PoolId> pool = PoolOf(row, problem_.buffers[buffer]);
    if (!offset || !pool) return;
    plan.allocations[buffer] = {*pool, *offset};
    const Bytes size = problem_.buffers[buffer].size_bytes;
    if (size == 0 || *offset > INT64_MAX - size) return;
    Bytes& used = plan.pool_sizes[Index(*pool)];
    used = std::max(used, *offset + size);
  }

  std::optional<PoolId> PoolOf(const CsvTable::Row& row, const BufferInfo& buffer) {
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

  CsvTable table_;
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
    out += fmt::format("{},{},{},{}", CsvQuoted(plan::NameOf(problem, static_cast<BufferId>(i))),
                       is_timed ? buffer.lifetimes.front().begin : 0,
                       is_timed ? buffer.lifetimes.back().end : 0, buffer.size_bytes);
    if (has_alignment) out += fmt::format(",{}", buffer.alignment);
    if (has_gaps) out += "," + GapsOf(buffer);
    if (has_pools) out += "," + CsvQuoted(problem.pools[Index(pool)].pool_name);
    out += fmt::format(",{}\n", offset);
  }
  return out;
}

}  // namespace usmp
