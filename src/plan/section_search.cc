#include "plan/section_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "plan/luby.h"
#include "support/align.h"
#include "support/check.h"

namespace usmp::plan {
namespace {

constexpr Bytes kNever = std::numeric_limits<Bytes>::max();
constexpr int64_t kShortestRound = 1000;  // nodes
constexpr int kMaxDepth = 4000;           // of the recursion: about 2 MB of stack

}  // namespace

SectionSearch::SectionSearch(const Sections& sections, uint64_t seed)
    : s_(sections),
      n_(sections.items.size()),
      random_(seed),
      low_(n_, 0),
      floor_(sections.items_of.size(), 0),
      rest_(floor_.size(), 0),
      open_(floor_.size(), 0),
      position_(sections.sections_of.total()),
      is_placed_(n_, 0),
      twin_(n_),
      key_(n_, 0),
      weight_(floor_.size(), 1.0),
      is_dirty_(floor_.size(), 0),
      final_stamp_(n_, 0),
      support_stamp_(n_, 0),
      tops_stamp_(floor_.size(), 0),
      is_final_(n_, 0),
      support_(n_, 0),
      tops_(floor_.size()) {
  members_.resize(s_.items_of.total());
  std::map<std::tuple<std::vector<uint32_t>, Bytes, Bytes, Bytes>, uint32_t> kinds;
  for (uint32_t item = 0; item < n_; ++item) {
    const Item& what = s_.items[item];
    low_[item] = what.pin.value_or(0);
    const auto in = s_.sections_of[item];
    twin_[item] =
        kinds
            .try_emplace({{in.begin(), in.end()}, what.size, what.alignment, what.pin.value_or(-1)},
                         item)
            .first->second;
    for (size_t i = 0; i < in.size(); ++i) {
      position_[s_.sections_of.FirstOf(item) + i] = s_.items_of.FirstOf(in[i]) + open_[in[i]];
      members_[s_.items_of.FirstOf(in[i]) + open_[in[i]]++] = item;
      rest_[in[i]] += what.size;
    }
  }
  load_ = rest_;
}

Outcome SectionSearch::Run(Bytes capacity, int64_t last_restart, int64_t max_steps) {
  capacity_ = capacity;
  UndoTo(0);
  max_steps_ = max_steps;
  while (steps() < std::min(last_restart, max_steps)) {
    const int64_t round = rounds_[capacity]++;
    StartRound(round);
    last_node_ = nodes_ + kShortestRound * Luby(static_cast<uint64_t>(round) + 1);
    const Outcome outcome = SolveAll();
    if (outcome != Outcome::kOutOfSteps) return outcome;
    UndoTo(0);
  }
  return Outcome::kOutOfSteps;
}

// Any single rule takes very long on some problems: they take turns.
void SectionSearch::StartRound(int64_t round) {
  constexpr Rule kRules[] = {Rule::kLowestFailing, Rule::kLowestFirst, Rule::kOftenFailing,
                             Rule::kLeastSlack,    Rule::kLowestFirst, Rule::kLowestFailing,
                             Rule::kLowest,        Rule::kLowestFirst};
  constexpr int kKinds[] = {0, 3, 1, 2};
  rule_ = kRules[round % 8];
  const int kind = round < 4 ? kKinds[round] : static_cast<int>(random_.Below(4));
  const int64_t noise = round < 8 ? 1 : static_cast<int64_t>(400 + random_.Below(2000));
  for (uint32_t item = 0; item < n_; ++item) {
    key_[item] = Rank(item, kind) + static_cast<int64_t>(random_.Below(static_cast<size_t>(noise)));
  }
}

// In thousandths. Logarithms, so that a factor counts the same everywhere.
int64_t SectionSearch::Rank(uint32_t item, int kind) const {
  const auto in = s_.sections_of[item];
  const double length = std::log(s_.items[item].length);
  const double sections = std::log(static_cast<double>(in.size()));
  const double size = std::log(static_cast<double>(s_.items[item].size));
  double rank = 0;
  if (kind == 0) rank = length * 4 + size * 0.1;
  if (kind == 1) rank = length + size;
  if (kind == 2) rank = sections * 0.1 + size * 4;
  if (kind == 3) {
    Bytes load = 0;
    for (uint32_t s : in) load = std::max(load, load_[s]);
    rank = 100 * static_cast<double>(load) / static_cast<double>(capacity_) + length + size;
  }
  return std::llround(rank * 1000);
}

Outcome SectionSearch::SolveAll() {
  for (uint32_t s = 0; s < floor_.size(); ++s) MarkDirty(s);
  if (!Propagate()) return Outcome::kDoesNotFit;
  scratch_.resize(n_);
  for (uint32_t item = 0; item < n_; ++item) scratch_[item] = item;
  std::ranges::stable_sort(scratch_, {},
                           [&](uint32_t item) { return s_.sections_of[item].front(); });
  const Outcome outcome = SolveParts({0, n_});
  scratch_.clear();
  return outcome;
}

// What is still to come falls apart where no item reaches from one section to the next.
Outcome SectionSearch::SolveParts(Range items) {
  struct Part {
    Bytes slack = kNever;
    Range items{};
  };
  std::vector<Part> parts;
  const size_t mark = scratch_.size();
  uint32_t end = 0;
  for (size_t i = items.first; i < items.last; ++i) {
    const uint32_t item = scratch_[i];
    if (is_placed_[item] != 0) continue;
    const auto in = s_.sections_of[item];
    if (parts.empty() || in.front() >= end) parts.push_back({kNever, {scratch_.size(), 0}});
    scratch_.push_back(item);
    Part& part = parts.back();
    part.items.last = scratch_.size();
    end = std::max(end, in.back() + 1);
  }
  lookups_ += items.last - items.first;
  // What is most likely to fail comes first.
  for (Part& part : parts) {
    if (parts.size() > 1) part.slack = LeastSlack(part.items);
  }
  std::ranges::stable_sort(parts, {}, [](const Part& part) {
    return std::pair(part.slack, part.items.last - part.items.first);
  });
  for (const Part& part : parts) {
    const Outcome outcome = SolvePart(part.items);
    if (outcome != Outcome::kFits) return outcome;
  }
  scratch_.resize(mark);
  return Outcome::kFits;
}

Bytes SectionSearch::LeastSlack(Range items) const {
  Bytes least = kNever;
  for (size_t i = items.first; i < items.last; ++i) {
    for (uint32_t s : s_.sections_of[scratch_[i]]) {
      least = std::min(least, capacity_ - floor_[s] - rest_[s]);
    }
  }
  return least;
}

Outcome SectionSearch::SolvePart(Range items) {
  ++nodes_;
  if (nodes_ > last_node_ || steps() > max_steps_ || depth_ == kMaxDepth)
    return Outcome::kOutOfSteps;
  if (items.last - items.first == 1) {
    return Place(scratch_[items.first]) ? Outcome::kFits : Outcome::kDoesNotFit;
  }
  const StateHash hash = HashOf(items);
  if (failed_.Contains(hash)) return Outcome::kDoesNotFit;
  const std::optional<Choice> choice = Choose(items);
  ++depth_;
  const Outcome outcome = choice ? Branch(items, *choice) : Outcome::kDoesNotFit;
  --depth_;
  if (outcome == Outcome::kDoesNotFit) failed_.Insert(hash);
  return outcome;
}

Outcome SectionSearch::Branch(Range items, const Choice& choice) {
  const Bytes floor = floor_[choice.section];
  const size_t list = scratch_.size();
  const uint32_t first = s_.items_of.FirstOf(choice.section);
  for (uint32_t i = first; i < first + open_[choice.section]; ++i) {
    if (low_[members_[i]] == floor) scratch_.push_back(members_[i]);
  }
  const size_t list_end = scratch_.size();
  std::sort(scratch_.begin() + static_cast<ptrdiff_t>(list), scratch_.end(),
            [&](uint32_t a, uint32_t b) { return key_[a] != key_[b] ? key_[a] > key_[b] : a < b; });
  const size_t mark = trail_.size();
  for (size_t i = list; i < list_end; ++i) {
    const uint32_t item = scratch_[i];
    const bool has_twin = std::any_of(scratch_.begin() + static_cast<ptrdiff_t>(list),
                                      scratch_.begin() + static_cast<ptrdiff_t>(i),
                                      [&](uint32_t other) { return twin_[other] == twin_[item]; });
    if (has_twin) continue;
    const Outcome outcome = Place(item) ? SolveParts(items) : Outcome::kDoesNotFit;
    if (outcome != Outcome::kDoesNotFit) return outcome;
    UndoTo(mark);
    scratch_.resize(list_end);
  }
  if (!choice.may_waste) return Outcome::kDoesNotFit;
  ++node_;
  std::vector<Bytes> supports;
  for (size_t i = list; i < list_end; ++i) supports.push_back(NextSupport(scratch_[i]));
  bool is_possible = true;
  for (size_t i = list; i < list_end && is_possible; ++i) {
    is_possible = Raise(scratch_[i], supports[i - list]);
  }
  if (!is_possible) {
    for (uint32_t s : dirty_) is_dirty_[s] = 0;
    dirty_.clear();
  }
  const Outcome outcome = is_possible && Propagate() ? SolveParts(items) : Outcome::kDoesNotFit;
  if (outcome == Outcome::kDoesNotFit) UndoTo(mark);
  return outcome;
}

std::optional<SectionSearch::Choice> SectionSearch::Choose(Range items) {
  ++node_;
  uint32_t first = UINT32_MAX;
  uint32_t last = 0;
  for (size_t i = items.first; i < items.last; ++i) {
    const auto in = s_.sections_of[scratch_[i]];
    first = std::min(first, in.front());
    last = std::max(last, in.back() + 1);
  }
  std::optional<Choice> best;
  double best_score = std::numeric_limits<double>::max();
  for (uint32_t s = first; s < last; ++s) {
    if (open_[s] == 0) continue;
    Bytes next_level = kNever;
    const int on_floor = CountOnFloor(s, next_level);
    if (on_floor < 0) continue;
    const bool may_waste =
        next_level != kNever && next_level - floor_[s] <= capacity_ - floor_[s] - rest_[s];
    const int choices = on_floor + (may_waste ? 1 : 0);
    if (choices == 0) {
      weight_[s] += 1;
      return std::nullopt;
    }
    const double score = ScoreOf(s, choices);
    if (best && score >= best_score) continue;
    best_score = score;
    best = Choice{s, may_waste};
    if (choices == 1) break;
  }
  USMP_CHECK(best);  // the sections with the lowest floor of all are never passed over
  return best;
}

double SectionSearch::ScoreOf(uint32_t section, int choices) const {
  const double share = static_cast<double>(floor_[section]) / static_cast<double>(capacity_);
  const double slack = static_cast<double>(capacity_ - floor_[section] - rest_[section]) /
                       static_cast<double>(capacity_);
  switch (rule_) {
    case Rule::kLeastSlack:
      return choices + slack / 2;
    case Rule::kLowest:
      return choices + share / 2;
    case Rule::kOftenFailing:
      return choices / weight_[section];
    case Rule::kLowestFailing:
      return (choices - 0.99) / weight_[section] * (1 + 0.1 * share);
    case Rule::kLowestFirst:
      return share * 1e6 + choices;
  }
  return 0;
}

// How many items could lie on the floor of a section; negative if something could still go below
// one of them. `next_level`: where the floor would be if none of them did.
int SectionSearch::CountOnFloor(uint32_t section, Bytes& next_level) {
  const Bytes floor = floor_[section];
  const uint32_t first = s_.items_of.FirstOf(section);
  const uint32_t last = first + open_[section];
  int count = 0;
  lookups_ += open_[section];
  for (uint32_t i = first; i < last; ++i) {
    const uint32_t item = members_[i];
    if (low_[item] != floor) {
      next_level = std::min(next_level, low_[item]);
      continue;
    }
    if (!IsFinal(item)) return -1;
    ++count;
  }
  if (capacity_ - floor - rest_[section] <= 0) {
    next_level = kNever;
    return count;
  }
  for (uint32_t i = first; i < last && next_level > floor; ++i) {
    const uint32_t item = members_[i];
    if (low_[item] != floor) continue;
    if (s_.items[item].pin) {
      next_level = kNever;
      return count;
    }
    next_level = std::min(next_level, NextSupport(item));
  }
  return count;
}

bool SectionSearch::IsFinal(uint32_t item) {
  if (final_stamp_[item] == node_) return is_final_[item] != 0;
  final_stamp_[item] = node_;
  const auto in = s_.sections_of[item];
  lookups_ += in.size();
  is_final_[item] = std::ranges::all_of(in, [&](uint32_t s) { return floor_[s] >= low_[item]; });
  return is_final_[item] != 0;
}

// The least offset above its present one on which an item can rest: the end of another one to come.
Bytes SectionSearch::NextSupport(uint32_t item) {
  if (support_stamp_[item] == node_) return support_[item];
  support_stamp_[item] = node_;
  Bytes least = kNever;
  for (uint32_t s : s_.sections_of[item]) {
    const Tops& tops = TopsOf(s);
    least = std::min(least, tops.item_of_least == item ? tops.second : tops.least);
  }
  lookups_ += s_.sections_of[item].size();
  if (least != kNever) least = AlignUp(least, s_.items[item].alignment);
  return support_[item] = least;
}

const SectionSearch::Tops& SectionSearch::TopsOf(uint32_t section) {
  Tops& tops = tops_[section];
  if (tops_stamp_[section] == node_) return tops;
  tops_stamp_[section] = node_;
  tops = {kNever, kNever, 0};
  const uint32_t first = s_.items_of.FirstOf(section);
  lookups_ += open_[section];
  for (uint32_t i = first; i < first + open_[section]; ++i) {
    const uint32_t item = members_[i];
    const Bytes top = low_[item] + s_.items[item].size;
    if (top < tops.least) {
      tops = {top, tops.least, item};
    } else {
      tops.second = std::min(tops.second, top);
    }
  }
  return tops;
}

StateHash SectionSearch::HashOf(Range items) const {
  StateHash hash;
  hash.Add(static_cast<uint64_t>(capacity_) ^ 0xA5A5A5A5U);
  for (size_t i = items.first; i < items.last; ++i) {
    const uint32_t item = scratch_[i];
    hash.Add(static_cast<uint64_t>(low_[item]) * 0x9E3779B97F4A7C15U + item * 0xC2B2AE3D27D4EB4FU);
  }
  return hash;
}

bool SectionSearch::Place(uint32_t item) {
  const auto in = s_.sections_of[item];
  const Bytes size = s_.items[item].size;
  const Bytes top = low_[item] + size;
  if (top > capacity_) return false;
  trail_.push_back({static_cast<uint32_t>(n_ + floor_.size() + item), 0});
  is_placed_[item] = 1;
  for (size_t i = 0; i < in.size(); ++i) {
    const uint32_t s = in[i];
    rest_[s] -= size;
    // The items to come stay together at the front.
    uint32_t& here = position_[s_.sections_of.FirstOf(item) + i];
    const uint32_t last = s_.items_of.FirstOf(s) + --open_[s];
    const uint32_t moved = members_[last];
    if (moved != item) {
      const auto of_moved = s_.sections_of[moved];
      const auto at = std::ranges::lower_bound(of_moved, s) - of_moved.begin();
      position_[s_.sections_of.FirstOf(moved) + static_cast<size_t>(at)] = here;
      members_[here] = moved;
      members_[last] = item;
      here = last;
    }
    Set(static_cast<uint32_t>(n_ + s), floor_[s], std::max(floor_[s], top));
    MarkDirty(s);
  }
  return Propagate();
}

bool SectionSearch::Raise(uint32_t item, Bytes low) {
  if (low <= low_[item]) return true;
  const Item& what = s_.items[item];
  if (what.pin || low > capacity_ - what.size) return false;
  low = AlignUp(low, what.alignment);
  const Bytes old = low_[item];
  Set(item, low_[item], low);
  for (uint32_t s : s_.sections_of[item]) {
    if (old <= floor_[s]) MarkDirty(s);
  }
  return true;
}

bool SectionSearch::Propagate() {
  for (size_t i = 0; i < dirty_.size(); ++i) {
    const uint32_t s = dirty_[i];
    is_dirty_[s] = 0;
    if (UpdateSection(s)) continue;
    weight_[s] += 1;
    for (uint32_t left : dirty_) is_dirty_[left] = 0;
    dirty_.clear();
    return false;
  }
  dirty_.clear();
  return true;
}

bool SectionSearch::UpdateSection(uint32_t section) {
  const uint32_t first = s_.items_of.FirstOf(section);
  const uint32_t last = first + open_[section];
  if (first == last) return true;
  lookups_ += open_[section];
  Bytes least = kNever;
  for (uint32_t i = first; i < last; ++i) least = std::min(least, low_[members_[i]]);
  if (least > floor_[section]) {
    Set(static_cast<uint32_t>(n_ + section), floor_[section], least);
  }
  const Bytes floor = floor_[section];
  if (floor + rest_[section] > capacity_) return false;
  if (least == floor) return true;
  for (uint32_t i = first; i < last; ++i) {
    if (low_[members_[i]] < floor && !Raise(members_[i], floor)) return false;
  }
  MarkDirty(section);  // alignments may have lifted all above the floor
  return true;
}

void SectionSearch::MarkDirty(uint32_t section) {
  if (is_dirty_[section] != 0) return;
  is_dirty_[section] = 1;
  dirty_.push_back(section);
}

void SectionSearch::Set(uint32_t index, Bytes& value, Bytes to) {
  if (value == to) return;
  trail_.push_back({index, value});
  value = to;
}

void SectionSearch::UndoTo(size_t mark) {
  while (trail_.size() > mark) {
    const auto [index, old] = trail_.back();
    trail_.pop_back();
    if (index < n_) {
      low_[index] = old;
    } else if (index < n_ + floor_.size()) {
      floor_[index - n_] = old;
    } else {
      const auto item = static_cast<uint32_t>(index - n_ - floor_.size());
      is_placed_[item] = 0;
      for (uint32_t s : s_.sections_of[item]) {
        rest_[s] += s_.items[item].size;
        ++open_[s];
      }
    }
  }
}

}  // namespace usmp::plan
