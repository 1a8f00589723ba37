#include "plan/sections.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "plan/describe.h"

namespace usmp::plan {
namespace {

using Members = std::vector<std::vector<uint32_t>>;

// What is alive before an end that follows a begin: of the sets that are alive together, those that
// are contained in no other.
std::optional<Members> SectionsOfLifetimes(const PlanProblem& problem,
                                           const std::vector<Item>& items, size_t max_members) {
  std::vector<std::tuple<int32_t, bool, uint32_t>> events;  // an end sorts before a begin
  for (uint32_t i = 0; i < items.size(); ++i) {
    for (const Lifetime& steps : problem.conflicts.LifetimesOf(items[i].id)) {
      events.emplace_back(steps.begin, true, i);
      events.emplace_back(steps.end, false, i);
    }
  }
  std::ranges::sort(events);
  Members sections;
  std::vector<uint32_t> alive;
  bool has_begun = false;
  size_t members = 0;
  for (const auto& [step, begins, item] : events) {
    if (begins) {
      alive.push_back(item);
    } else {
      if (has_begun) {
        members += alive.size();
        if (members > max_members) return std::nullopt;
        sections.push_back(alive);
      }
      alive.erase(std::ranges::find(alive, item));
    }
    has_begun = begins;
  }
  return sections;
}

// Cliques of an explicit graph until every pair is in one: each grows from a pair that is in none.
std::optional<Members> SectionsOfPairs(const PlanProblem& problem, const std::vector<Item>& items,
                                       size_t max_members) {
  std::vector<uint32_t> item_of(problem.buffers.size(), UINT32_MAX);
  for (uint32_t i = 0; i < items.size(); ++i) item_of[Index(items[i].id)] = i;
  Members neighbors(items.size());
  for (uint32_t i = 0; i < items.size(); ++i) {
    for (BufferId other : problem.conflicts.ConflictsOf(items[i].id)) {
      if (item_of[Index(other)] != UINT32_MAX) neighbors[i].push_back(item_of[Index(other)]);
    }
    std::ranges::sort(neighbors[i]);
  }
  Members uncovered = neighbors;
  Members sections;
  size_t members = 0;
  for (uint32_t i = 0; i < items.size(); ++i) {
    if (neighbors[i].empty()) sections.push_back({i});
    while (!uncovered[i].empty()) {
      std::vector<uint32_t> clique = {i};
      std::vector<uint32_t> common = neighbors[i];
      for (uint32_t next = uncovered[i].front();; next = common.front()) {
        clique.push_back(next);
        std::vector<uint32_t> both;
        std::ranges::set_intersection(common, neighbors[next], std::back_inserter(both));
        common = std::move(both);
        if (common.empty()) break;
      }
      for (uint32_t a : clique) {
        std::erase_if(uncovered[a],
                      [&](uint32_t b) { return std::ranges::find(clique, b) != clique.end(); });
      }
      members += clique.size();
      if (members > max_members) return std::nullopt;
      sections.push_back(std::move(clique));
    }
  }
  return sections;
}

double LengthOf(const Conflicts& conflicts, BufferId id) {
  if (!conflicts.is_implied_by_lifetimes()) {
    return static_cast<double>(conflicts.ConflictsOf(id).size() + 1);
  }
  double steps = 0;
  for (const auto& [begin, end] : conflicts.LifetimesOf(id)) {
    steps += static_cast<double>(int64_t{end} - begin);
  }
  return steps;
}

// Offsets are sums of sizes, on top of a pin or of the bottom, rounded up to alignments.
Bytes UnitOf(const std::vector<Item>& items) {
  Bytes unit = 0;
  for (const Item& item : items) {
    unit = std::gcd(unit, item.size);
    if (item.alignment > 1) unit = std::gcd(unit, item.alignment);
    if (item.pin) unit = std::gcd(unit, *item.pin);
  }
  return std::max<Bytes>(unit, 1);
}

}  // namespace

Lists::Lists(const std::vector<std::vector<uint32_t>>& lists) {
  first_.reserve(lists.size() + 1);
  first_.push_back(0);
  for (const std::vector<uint32_t>& list : lists) {
    all_.insert(all_.end(), list.begin(), list.end());
    first_.push_back(static_cast<uint32_t>(all_.size()));
  }
}

std::optional<Sections> MakeSections(const PlanProblem& problem, std::span<const BufferId> ids,
                                     size_t max_members) {
  Sections out;
  for (BufferId id : ids) {
    const BufferInfo& buffer = problem.buffers[Index(id)];
    if (buffer.size_bytes == 0) continue;
    Item& item = out.items.emplace_back(
        Item{.id = id, .size = buffer.size_bytes, .alignment = buffer.alignment});
    if (buffer.pinned) item.pin = buffer.pinned->byte_offset;
    item.length = LengthOf(problem.conflicts, id);
  }
  const std::optional<Members> sections = problem.conflicts.is_implied_by_lifetimes()
                                              ? SectionsOfLifetimes(problem, out.items, max_members)
                                              : SectionsOfPairs(problem, out.items, max_members);
  if (!sections) return std::nullopt;
  Members sections_of(out.items.size());
  for (uint32_t s = 0; s < sections->size(); ++s) {
    for (uint32_t item : (*sections)[s]) sections_of[item].push_back(s);
  }
  out.items_of = Lists(*sections);
  out.sections_of = Lists(sections_of);
  out.unit = UnitOf(out.items);
  return out;
}

}  // namespace usmp::plan
