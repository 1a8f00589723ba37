#include "plan/order_search.h"

#include <algorithm>
#include <numeric>

#include "plan/describe.h"
#include "plan/luby.h"
#include "support/align.h"
#include "support/check.h"

namespace usmp::plan {
namespace {

constexpr int64_t kShortestRound = 100;  // conflicts
constexpr size_t kMaxClauses = 20'000;
constexpr double kBumpGrowth = 1.05;
constexpr double kMaxActivity = 1e100;

}  // namespace

OrderSearch::OrderSearch(std::vector<Item> items, std::vector<OrderedPair> pairs)
    : items_(std::move(items)),
      pairs_(std::move(pairs)),
      is_queued_(items_.size() * 2, 0),
      watchers_(pairs_.size() * 2),
      activity_(pairs_.size(), 0),
      phase_(pairs_.size(), 2),
      seen_(pairs_.size(), 0) {
  std::vector<std::vector<uint32_t>> pairs_of(items_.size());
  for (uint32_t p = 0; p < pairs_.size(); ++p) {
    pairs_of[pairs_[p].a].push_back(p);
    pairs_of[pairs_[p].b].push_back(p);
  }
  pairs_of_ = Lists(pairs_of);
  for (const Item& item : items_) {
    largest_alignment_ = std::max(largest_alignment_, item.alignment);
    unit_ = std::gcd(unit_, std::gcd(item.size, item.pin.value_or(0)));
    if (item.alignment > 1) unit_ = std::gcd(unit_, item.alignment);
  }
  for (const OrderedPair& pair : pairs_) {
    unit_ = std::gcd(unit_, std::gcd(pair.a_first, pair.b_first));
  }
}

OrderSearch::Arc OrderSearch::ArcOf(Literal literal) const {
  const OrderedPair& pair = pairs_[literal / 2];
  return literal % 2 == 0 ? Arc{pair.a, pair.b, pair.a_first} : Arc{pair.b, pair.a, pair.b_first};
}

bool OrderSearch::IsTrue(Literal literal) const {
  return assigned_[literal / 2].is_known && assigned_[literal / 2].literal == literal;
}

bool OrderSearch::IsFalse(Literal literal) const { return IsTrue(Not(literal)); }

Outcome OrderSearch::Run(Bytes capacity, int64_t last_restart, int64_t max_steps) {
  capacity_ = capacity;
  while (steps() < std::min(last_restart, max_steps)) {
    Reset();
    const Outcome outcome =
        RunRound(kShortestRound * Luby(static_cast<uint64_t>(++rounds_)), max_steps);
    if (outcome != Outcome::kOutOfSteps) return outcome;
    ForgetSome();
  }
  return Outcome::kOutOfSteps;
}

void OrderSearch::Reset() {
  lower_.assign(items_.size(), 0);
  upper_.assign(items_.size(), 0);
  for (uint32_t item = 0; item < items_.size(); ++item) {
    const auto& [id, size, alignment, pin, length] = items_[item];
    lower_[item] = pin.value_or(0);
    const Bytes last = capacity_ < size ? -1 : (capacity_ - size) & -alignment;
    upper_[item] = std::min(last, pin.value_or(last));
  }
  lower_entry_.assign(items_.size(), kNone);
  upper_entry_.assign(items_.size(), kNone);
  entries_.clear();
  assigned_.assign(pairs_.size(), {});
  trail_.clear();
  levels_.clear();
  next_literal_ = 0;
  queue_.clear();
  std::ranges::fill(is_queued_, 0);
  for (uint32_t item = 0; item < items_.size(); ++item) {
    Queue(item, false);
    Queue(item, true);
  }
}

Outcome OrderSearch::RunRound(int64_t max_conflicts, int64_t max_steps) {
  for (uint32_t item = 0; item < items_.size(); ++item) {
    if (lower_[item] > upper_[item]) return Outcome::kDoesNotFit;
  }
  if (!WatchAll()) return Outcome::kDoesNotFit;
  while (true) {
    ++steps_;
    if (!PropagateAll()) {
      if (!Learn()) return Outcome::kDoesNotFit;
      if (--max_conflicts <= 0 || steps() > max_steps) return Outcome::kOutOfSteps;
      continue;
    }
    const std::optional<Literal> next = Decide();
    lookups_ += pairs_.size();
    if (!next) return Outcome::kFits;
    levels_.push_back({entries_.size(), trail_.size()});
    Assign(*next, {});
  }
}

// The longer half of what was learned, when it is much.
void OrderSearch::ForgetSome() {
  if (clauses_.size() < kMaxClauses) return;
  std::ranges::stable_sort(clauses_, {}, [](const Clause& c) { return c.literals.size(); });
  clauses_.resize(kMaxClauses / 2);
}

// With nothing assigned yet. False if the clauses of one literal contradict each other.
bool OrderSearch::WatchAll() {
  for (std::vector<uint32_t>& list : watchers_) list.clear();
  for (uint32_t c = 0; c < clauses_.size(); ++c) {
    const Clause& clause = clauses_[c];
    if (clause.capacity < capacity_) continue;
    if (clause.literals.empty()) return false;
    if (clause.literals.size() == 1) {
      if (IsFalse(clause.literals[0])) return false;
      if (!IsTrue(clause.literals[0])) {
        Assign(clause.literals[0], {.clause = static_cast<int32_t>(c)});
      }
      continue;
    }
    watchers_[clause.literals[0]].push_back(c);
    watchers_[clause.literals[1]].push_back(c);
  }
  return true;
}

bool OrderSearch::Assign(Literal literal, const Reason& reason) {
  Assigned& assigned = assigned_[literal / 2];
  if (assigned.is_known) {
    if (assigned.literal == literal) return true;
    // Both orders are ruled out.
    conflict_.clear();
    if (reason.clause == kNone) {
      CollectCauses(reason.lower_entry, conflict_);
      CollectCauses(reason.upper_entry, conflict_);
    }
    conflict_.push_back(assigned.literal);
    return false;
  }
  assigned = {true, literal, static_cast<uint32_t>(levels_.size()), reason};
  trail_.push_back(literal);
  return true;
}

bool OrderSearch::PropagateAll() {
  size_t next_queued = 0;
  while (next_literal_ < trail_.size() || next_queued < queue_.size()) {
    if (next_queued < queue_.size()) {
      const uint32_t queued = queue_[next_queued++];
      is_queued_[queued] = 0;
      if (!PropagateBound(queued / 2, queued % 2 == 1)) return false;
      continue;
    }
    queue_.clear();
    next_queued = 0;
    const Literal literal = trail_[next_literal_++];
    if (!Apply(literal, false) || !Apply(literal, true) || !PropagateClauses(literal)) return false;
  }
  queue_.clear();
  return true;
}

bool OrderSearch::PropagateClauses(Literal literal) {
  const Literal is_false = Not(literal);
  std::vector<uint32_t>& list = watchers_[is_false];
  size_t kept = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const uint32_t c = list[i];
    std::vector<Literal>& of = clauses_[c].literals;
    ++lookups_;
    if (of[0] == is_false) std::swap(of[0], of[1]);
    const auto other = IsTrue(of[0]) ? of.end()
                                     : std::find_if(of.begin() + 2, of.end(),
                                                    [&](Literal l) { return !IsFalse(l); });
    if (!IsTrue(of[0]) && other != of.end()) {
      std::swap(of[1], *other);
      watchers_[of[1]].push_back(c);
      continue;
    }
    list[kept++] = c;
    if (IsTrue(of[0])) continue;
    if (IsFalse(of[0])) {
      conflict_.clear();
      for (Literal l : of) conflict_.push_back(Not(l));
      list.erase(list.begin() + static_cast<ptrdiff_t>(kept),
                 list.begin() + static_cast<ptrdiff_t>(i + 1));
      return false;
    }
    Assign(of[0], {.clause = static_cast<int32_t>(c)});
  }
  list.resize(kept);
  return true;
}

// What follows for the pairs of an item from its new bound.
bool OrderSearch::PropagateBound(uint32_t item, bool is_upper) {
  lookups_ += pairs_of_[item].size();
  for (uint32_t p : pairs_of_[item]) {
    // The order in which this bound counts: with this item below for its lower bound.
    const Literal literal = 2 * p + ((pairs_[p].a == item) == is_upper ? 1 : 0);
    if (IsFalse(literal)) continue;
    if (IsTrue(literal)) {
      if (!Apply(literal, is_upper)) return false;
      continue;
    }
    const Arc arc = ArcOf(literal);
    if (lower_[arc.lower] + arc.distance <= upper_[arc.upper]) continue;
    const Reason reason = {.lower_entry = lower_entry_[arc.lower],
                           .upper_entry = upper_entry_[arc.upper]};
    if (!Assign(Not(literal), reason)) return false;
  }
  return true;
}

bool OrderSearch::Apply(Literal literal, bool to_upper) {
  const Arc arc = ArcOf(literal);
  return to_upper ? ReduceUpper(arc, literal) : RaiseLower(arc, literal);
}

bool OrderSearch::RaiseLower(const Arc& arc, Literal literal) {
  const Bytes value = AlignUp(lower_[arc.lower] + arc.distance, items_[arc.upper].alignment);
  if (value <= lower_[arc.upper]) return true;
  if (IsCycle(arc, value, literal)) return false;
  entries_.push_back({.item = arc.upper,
                      .is_upper = false,
                      .old = lower_[arc.upper],
                      .value = value,
                      .old_entry = lower_entry_[arc.upper],
                      .cause = lower_entry_[arc.lower],
                      .literal = literal});
  lower_entry_[arc.upper] = static_cast<int32_t>(entries_.size()) - 1;
  lower_[arc.upper] = value;
  Queue(arc.upper, false);
  return CheckBounds(arc.upper);
}

bool OrderSearch::ReduceUpper(const Arc& arc, Literal literal) {
  const Bytes value = (upper_[arc.upper] - arc.distance) & -items_[arc.lower].alignment;
  if (value >= upper_[arc.lower]) return true;
  entries_.push_back({.item = arc.lower,
                      .is_upper = true,
                      .old = upper_[arc.lower],
                      .value = value,
                      .old_entry = upper_entry_[arc.lower],
                      .cause = upper_entry_[arc.upper],
                      .literal = literal});
  upper_entry_[arc.lower] = static_cast<int32_t>(entries_.size()) - 1;
  upper_[arc.lower] = value;
  Queue(arc.lower, true);
  return CheckBounds(arc.lower);
}

// Does the lower bound follow from an earlier one of the same item, so that it would rise forever?
// Rounding to alignments can lift it once, by less than the largest of them.
bool OrderSearch::IsCycle(const Arc& arc, Bytes value, Literal literal) {
  for (int32_t e = lower_entry_[arc.lower]; e != kNone;
       e = entries_[static_cast<size_t>(e)].cause) {
    const Entry& entry = entries_[static_cast<size_t>(e)];
    ++lookups_;
    if (entry.item != arc.upper || value - entry.value < largest_alignment_) continue;
    conflict_ = {literal};
    for (int32_t i = lower_entry_[arc.lower]; i != e; i = entries_[static_cast<size_t>(i)].cause) {
      conflict_.push_back(entries_[static_cast<size_t>(i)].literal);
    }
    return true;
  }
  return false;
}

void OrderSearch::Queue(uint32_t item, bool is_upper) {
  const uint32_t queued = 2 * item + (is_upper ? 1 : 0);
  if (is_queued_[queued] != 0) return;
  is_queued_[queued] = 1;
  queue_.push_back(queued);
}

bool OrderSearch::CheckBounds(uint32_t item) {
  if (lower_[item] <= upper_[item]) return true;
  conflict_.clear();
  CollectCauses(lower_entry_[item], conflict_);
  CollectCauses(upper_entry_[item], conflict_);
  return false;
}

void OrderSearch::CollectCauses(int32_t entry, std::vector<Literal>& out) const {
  for (; entry != kNone; entry = entries_[static_cast<size_t>(entry)].cause) {
    out.push_back(entries_[static_cast<size_t>(entry)].literal);
  }
}

// The literals that `literal` follows from.
void OrderSearch::ReasonOf(Literal literal, std::vector<Literal>& out) const {
  const Reason& reason = assigned_[literal / 2].reason;
  out.clear();
  if (reason.clause == kNone) {
    CollectCauses(reason.lower_entry, out);
    CollectCauses(reason.upper_entry, out);
    return;
  }
  for (Literal other : clauses_[static_cast<size_t>(reason.clause)].literals) {
    if (other != literal) out.push_back(Not(other));
  }
}

// A pair that is violated where the items are now; of those the one most often in conflicts, then
// the one lowest in memory.
std::optional<OrderSearch::Literal> OrderSearch::Decide() const {
  std::optional<uint32_t> best;
  Bytes best_offset = 0;
  for (uint32_t p = 0; p < pairs_.size(); ++p) {
    if (assigned_[p].is_known) continue;
    const auto& [a, b, a_first, b_first] = pairs_[p];
    const Bytes above = lower_[b] - lower_[a];
    if (above >= a_first || -above >= b_first) continue;
    const Bytes offset = std::min(lower_[a], lower_[b]);
    if (best && (activity_[p] < activity_[*best] ||
                 (activity_[p] == activity_[*best] && offset >= best_offset))) {
      continue;
    }
    best = p;
    best_offset = offset;
  }
  if (!best) return std::nullopt;
  if (phase_[*best] < 2) return 2 * *best + phase_[*best];
  // The order that lifts the other item less; of equal ones, the larger item below.
  const auto& [a, b, a_first, b_first] = pairs_[*best];
  const Bytes lift_b = lower_[a] + a_first - lower_[b];
  const Bytes lift_a = lower_[b] + b_first - lower_[a];
  const bool a_below = lift_b != lift_a ? lift_b < lift_a : items_[a].size >= items_[b].size;
  return 2 * *best + (a_below ? 0 : 1);
}

// Resolves the conflict with the reasons of its literals until one literal of the last level is
// left (the first unique implication point), goes back to where that one is forced the other way.
bool OrderSearch::Learn() {
  uint32_t level = 0;
  for (Literal l : conflict_) level = std::max(level, assigned_[l / 2].level);
  if (level == 0) return false;
  std::vector<Literal> learned = {0};
  std::vector<Literal> work = std::move(conflict_);
  std::vector<uint32_t> to_clear;
  size_t open = 0;
  size_t next = levels_.size() > level ? levels_[level].literals : trail_.size();
  Literal pivot = 0;
  while (true) {
    for (Literal l : work) {
      const uint32_t at = assigned_[l / 2].level;
      if (seen_[l / 2] != 0 || at == 0) continue;
      seen_[l / 2] = 1;
      to_clear.push_back(l / 2);
      Bump(l / 2);
      if (at == level) {
        ++open;
      } else {
        learned.push_back(Not(l));
      }
    }
    do {
      pivot = trail_[--next];
    } while (seen_[pivot / 2] == 0);
    if (--open == 0) break;
    ReasonOf(pivot, work);
  }
  learned[0] = Not(pivot);
  for (uint32_t pair : to_clear) seen_[pair] = 0;
  bump_ *= kBumpGrowth;
  const auto level_of = [&](Literal l) { return assigned_[l / 2].level; };
  const auto second =
      std::max_element(learned.begin() + 1, learned.end(),
                       [&](Literal x, Literal y) { return level_of(x) < level_of(y); });
  const uint32_t back = second == learned.end() ? 0 : level_of(*second);
  if (second != learned.end()) std::iter_swap(learned.begin() + 1, second);
  Backtrack(back);
  const auto clause = static_cast<uint32_t>(clauses_.size());
  if (learned.size() > 1) {
    watchers_[learned[0]].push_back(clause);
    watchers_[learned[1]].push_back(clause);
  }
  clauses_.push_back({learned, capacity_});
  Assign(learned[0], {.clause = static_cast<int32_t>(clause)});
  return true;
}

void OrderSearch::Backtrack(uint32_t level) {
  for (uint32_t queued : queue_) is_queued_[queued] = 0;
  queue_.clear();
  if (levels_.size() <= level) return;
  while (entries_.size() > levels_[level].entries) {
    const Entry& entry = entries_.back();
    (entry.is_upper ? upper_ : lower_)[entry.item] = entry.old;
    (entry.is_upper ? upper_entry_ : lower_entry_)[entry.item] = entry.old_entry;
    entries_.pop_back();
  }
  while (trail_.size() > levels_[level].literals) {
    phase_[trail_.back() / 2] = trail_.back() % 2;
    assigned_[trail_.back() / 2].is_known = false;
    trail_.pop_back();
  }
  levels_.resize(level);
  next_literal_ = trail_.size();
}

void OrderSearch::Bump(uint32_t pair) {
  activity_[pair] += bump_;
  if (activity_[pair] < kMaxActivity) return;
  for (double& activity : activity_) activity /= kMaxActivity;
  bump_ /= kMaxActivity;
}

std::optional<OrderSearch> MakeOrderSearch(const PlanProblem& problem,
                                           const std::vector<Item>& items, size_t max_pairs) {
  const Neighborhood neighborhood(problem);
  std::vector<uint32_t> item_of(problem.buffers.size(), UINT32_MAX);
  for (uint32_t i = 0; i < items.size(); ++i) item_of[Index(items[i].id)] = i;
  std::vector<OrderedPair> pairs;
  for (uint32_t i = 0; i < items.size(); ++i) {
    for (const Neighbor& neighbor : neighborhood.Of(items[i].id)) {
      const uint32_t other = item_of[Index(neighbor.id)];
      if (other == UINT32_MAX || other < i) continue;
      // A Neighbor tells how far below and above the other item this one has to be.
      pairs.push_back({i, other, neighbor.below, neighbor.above});
      if (pairs.size() > max_pairs) return std::nullopt;
    }
  }
  return OrderSearch(items, std::move(pairs));
}

}  // namespace usmp::plan
