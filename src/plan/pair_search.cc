#include "plan/pair_search.h"

#include <algorithm>

#include "plan/describe.h"
#include "plan/luby.h"
#include "support/align.h"

namespace usmp::plan {
namespace {

constexpr PoolId kNoPool{UINT32_MAX};
constexpr int64_t kShortestRound = 300;  // nodes

Bytes CostOf(const BufferInfo& buffer, PoolId pool) {
  const auto chosen = std::ranges::find(buffer.pool_candidates, pool);
  return buffer.size_bytes * (chosen - buffer.pool_candidates.begin());
}

}  // namespace

PairSearch::PairSearch(const Neighborhood& neighborhood, uint64_t seed)
    : problem_(neighborhood.problem()),
      pairs_of_(problem_.buffers.size()),
      random_(seed),
      pool_(problem_.buffers.size(), kNoPool),
      low_(problem_.buffers.size(), 0),
      high_(problem_.buffers.size(), 0),
      peak_(problem_.pools.size(), 0),
      is_dirty_(problem_.buffers.size(), 0) {
  for (size_t i = 0; i < problem_.buffers.size() && !IsTooLarge(); ++i) {
    const auto id = static_cast<BufferId>(i);
    by_size_.push_back(id);
    for (const Neighbor& neighbor : neighborhood.Of(id)) {
      if (neighbor.id < id) continue;
      pairs_of_[i].push_back(static_cast<uint32_t>(pairs_.size()));
      pairs_of_[Index(neighbor.id)].push_back(static_cast<uint32_t>(pairs_.size()));
      pairs_.push_back({id, neighbor.id, neighbor.below, neighbor.above});
    }
  }
  std::ranges::stable_sort(by_size_, std::greater{},
                           [&](BufferId id) { return problem_.buffers[Index(id)].size_bytes; });
  order_.assign(pairs_.size(), Order::kOpen);
  weight_.assign(pairs_.size(), 1.0);
}

Outcome PairSearch::Run(Bytes capacity, int64_t max_steps) {
  while (steps() < max_steps) {
    Start(capacity);
    max_steps_ = max_steps;
    last_node_ = nodes_ + kShortestRound * Luby(static_cast<uint64_t>(++round_));
    const Outcome outcome = Solve();
    if (outcome != Outcome::kOutOfSteps) return outcome;
  }
  return Outcome::kOutOfSteps;
}

void PairSearch::Start(Bytes capacity) {
  capacity_ = capacity;
  cost_ = 0;
  peak_sum_ = 0;
  trail_.clear();
  dirty_.clear();
  std::ranges::fill(is_dirty_, uint8_t{0});
  std::ranges::fill(pool_, kNoPool);
  std::ranges::fill(low_, 0);
  std::ranges::fill(high_, INT64_MAX / 4);
  std::ranges::fill(peak_, 0);
  std::ranges::fill(order_, Order::kOpen);
}

Outcome PairSearch::Solve() {
  ++nodes_;
  if (nodes_ > last_node_ || steps() > max_steps_) return Outcome::kOutOfSteps;
  if (const std::optional<BufferId> id = NextWithoutPool()) return ChoosePool(*id);
  const std::optional<size_t> pair = WorstPair();
  return pair ? ChooseOrder(*pair) : Outcome::kFits;
}

std::optional<BufferId> PairSearch::NextWithoutPool() const {
  const auto next = std::ranges::find(by_size_, kNoPool, [&](BufferId id) { return pool_[Index(id)]; });
  if (next == by_size_.end()) return std::nullopt;
  return *next;
}

Outcome PairSearch::ChoosePool(BufferId id) {
  const BufferInfo& buffer = problem_.buffers[Index(id)];
  const size_t mark = trail_.size();
  for (PoolId pool : buffer.pool_candidates) {
    if (buffer.pinned && buffer.pinned->pool != pool) continue;
    if (problem_.pools[Index(pool)].alignment < buffer.alignment) continue;
    const Bytes cost = cost_;
    cost_ += CostOf(buffer, pool);
    const Outcome outcome =
        cost_ <= max_cost_ && PutInto(id, pool) ? Solve() : Outcome::kDoesNotFit;
    if (outcome != Outcome::kDoesNotFit) return outcome;
    cost_ = cost;
    UndoTo(mark);
  }
  return Outcome::kDoesNotFit;
}

Outcome PairSearch::ChooseOrder(size_t pair) {
  const auto& [first, second, if_first_below, if_second_below] = pairs_[pair];
  // Where the upper one ends lower is tried first, later also the other way round.
  const Bytes first_below = low_[Index(first)] + if_first_below - low_[Index(second)];
  const Bytes second_below = low_[Index(second)] + if_second_below - low_[Index(first)];
  const bool is_turned = round_ > 2 && random_.Below(8) == 0;
  const bool starts_with_first = (first_below <= second_below) != is_turned;
  const Order order = starts_with_first ? Order::kFirstBelow : Order::kSecondBelow;
  const Outcome outcome = TryOrder(pair, order);
  if (outcome != Outcome::kDoesNotFit) return outcome;
  return TryOrder(pair, starts_with_first ? Order::kSecondBelow : Order::kFirstBelow);
}

Outcome PairSearch::TryOrder(size_t pair, Order order) {
  const size_t mark = trail_.size();
  const bool is_possible = Decide(pair, order) && Propagate();
  if (!is_possible) weight_[pair] += 1;
  const Outcome outcome = is_possible ? Solve() : Outcome::kDoesNotFit;
  if (outcome == Outcome::kDoesNotFit) UndoTo(mark);
  return outcome;
}

bool PairSearch::IsActive(const Pair& pair) const {
  const PoolId pool = pool_[Index(pair.first)];
  return pool != kNoPool && pool == pool_[Index(pair.second)];
}

// The open pair, violated by the least offsets, that has the least room left.
std::optional<size_t> PairSearch::WorstPair() {
  std::optional<size_t> worst;
  double least = 0;
  lookups_ += static_cast<int64_t>(pairs_.size());
  for (size_t i = 0; i < pairs_.size(); ++i) {
    if (order_[i] != Order::kOpen || !IsActive(pairs_[i])) continue;
    const auto& [first, second, if_first_below, if_second_below] = pairs_[i];
    const Bytes up = low_[Index(second)] - low_[Index(first)];
    if (up >= if_first_below || -up >= if_second_below) continue;
    const Bytes room = high_[Index(second)] - low_[Index(first)] - if_first_below +
                       high_[Index(first)] - low_[Index(second)] - if_second_below;
    const double score = static_cast<double>(room + 1) / weight_[i];
    if (worst && score >= least) continue;
    worst = i;
    least = score;
  }
  return worst;
}

bool PairSearch::PutInto(BufferId id, PoolId pool) {
  const BufferInfo& buffer = problem_.buffers[Index(id)];
  trail_.push_back({Change::Kind::kPool, Index(id), 0});
  pool_[Index(id)] = pool;
  if (buffer.size_bytes == 0) return true;
  const PoolInfo& info = problem_.pools[Index(pool)];
  Bytes room = info.size_hint_bytes.value_or(INT64_MAX / 4);
  if (info.kind == PoolKind::kWorkspace) {
    room = std::min(room, capacity_ - peak_sum_ + peak_[Index(pool)]);
  }
  if (!Lower(id, room - buffer.size_bytes) || !RaisePeak(id)) return false;
  if (buffer.pinned && (!Raise(id, buffer.pinned->byte_offset) ||
                        !Lower(id, buffer.pinned->byte_offset))) {
    return false;
  }
  if (is_dirty_[Index(id)] == 0) {
    is_dirty_[Index(id)] = 1;
    dirty_.push_back(id);
  }
  return Propagate();
}

bool PairSearch::Decide(size_t pair, Order order) {
  trail_.push_back({Change::Kind::kOrder, pair, 0});
  order_[pair] = order;
  return Update(pair);
}

bool PairSearch::Propagate() {
  for (size_t i = 0; i < dirty_.size(); ++i) {
    const BufferId id = dirty_[i];
    is_dirty_[Index(id)] = 0;
    if (Visit(id)) continue;
    for (BufferId left : dirty_) is_dirty_[Index(left)] = 0;
    dirty_.clear();
    return false;
  }
  dirty_.clear();
  return true;
}

bool PairSearch::Visit(BufferId id) {
  lookups_ += static_cast<int64_t>(pairs_of_[Index(id)].size());
  for (uint32_t pair : pairs_of_[Index(id)]) {
    if (!IsActive(pairs_[pair]) || Update(pair)) continue;
    weight_[pair] += 1;
    return false;
  }
  return true;
}

// What the order of a pair says of its two buffers; and, while it is open, whether one is left.
bool PairSearch::Update(size_t pair) {
  const auto& [first, second, if_first_below, if_second_below] = pairs_[pair];
  if (order_[pair] == Order::kOpen) {
    const bool may_first = low_[Index(first)] + if_first_below <= high_[Index(second)];
    const bool may_second = low_[Index(second)] + if_second_below <= high_[Index(first)];
    if (may_first && may_second) return true;
    if (!may_first && !may_second) return false;
    trail_.push_back({Change::Kind::kOrder, pair, 0});
    order_[pair] = may_first ? Order::kFirstBelow : Order::kSecondBelow;
  }
  if (order_[pair] == Order::kFirstBelow) {
    return Raise(second, low_[Index(first)] + if_first_below) &&
           Lower(first, high_[Index(second)] - if_first_below);
  }
  return Raise(first, low_[Index(second)] + if_second_below) &&
         Lower(second, high_[Index(first)] - if_second_below);
}

bool PairSearch::Raise(BufferId id, Bytes low) {
  if (low <= low_[Index(id)]) return true;
  low = AlignUp(low, problem_.buffers[Index(id)].alignment);
  Set(Change::Kind::kLow, Index(id), low_[Index(id)], low);
  return low <= high_[Index(id)] && RaisePeak(id);
}

bool PairSearch::Lower(BufferId id, Bytes high) {
  if (high >= high_[Index(id)]) return true;
  if (high < low_[Index(id)]) return false;  // no negative numbers are aligned
  high -= high % problem_.buffers[Index(id)].alignment;
  Set(Change::Kind::kHigh, Index(id), high_[Index(id)], high);
  return low_[Index(id)] <= high;
}

bool PairSearch::RaisePeak(BufferId id) {
  const size_t pool = Index(pool_[Index(id)]);
  if (problem_.pools[pool].kind != PoolKind::kWorkspace) return true;
  const Bytes end = low_[Index(id)] + problem_.buffers[Index(id)].size_bytes;
  if (end <= peak_[pool]) return true;
  peak_sum_ += end - peak_[pool];
  trail_.push_back({Change::Kind::kPeak, pool, peak_[pool]});
  peak_[pool] = end;
  return peak_sum_ <= capacity_;
}

void PairSearch::Set(Change::Kind kind, size_t index, Bytes& value, Bytes to) {
  trail_.push_back({kind, index, value});
  value = to;
  if (is_dirty_[index] != 0) return;
  is_dirty_[index] = 1;
  dirty_.push_back(static_cast<BufferId>(index));
}

void PairSearch::UndoTo(size_t mark) {
  for (BufferId left : dirty_) is_dirty_[Index(left)] = 0;
  dirty_.clear();
  while (trail_.size() > mark) {
    const auto [kind, index, old] = trail_.back();
    trail_.pop_back();
    switch (kind) {
      case Change::Kind::kLow:
        low_[index] = old;
        break;
      case Change::Kind::kHigh:
        high_[index] = old;
        break;
      case Change::Kind::kOrder:
        order_[index] = Order::kOpen;
        break;
      case Change::Kind::kPool:
        pool_[index] = kNoPool;
        break;
      case Change::Kind::kPeak:
        peak_sum_ -= peak_[index] - old;
        peak_[index] = old;
        break;
    }
  }
}

}  // namespace usmp::plan
