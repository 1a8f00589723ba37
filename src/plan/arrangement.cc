#include "plan/arrangement.h"

#include <algorithm>

#include "plan/describe.h"

namespace usmp::plan {
namespace {

constexpr int64_t kLookupsPerStep = 64;

}  // namespace

Arrangement::Arrangement(const Neighborhood& neighborhood, std::vector<BufferId> order)
    : problem_(neighborhood.problem()),
      placement_(neighborhood),
      position_(problem_.buffers.size(), 0),
      old_allocations_(problem_.buffers.size()) {
  Reset(std::move(order));
}

void Arrangement::Reset(std::vector<BufferId> order) {
  std::erase_if(order, [this](BufferId id) { return problem_.buffers[Index(id)].pinned; });
  order_ = std::move(order);
  for (size_t i = 0; i < order_.size(); ++i) {
    position_[Index(order_[i])] = i;
    placement_.Remove(order_[i]);
  }
  after_.assign(order_.size() + 1, {});
  tried_.assign(order_.size() + 1, {});
  Tally& start = tried_[0];
  start.pool_sizes.assign(problem_.pools.size(), 0);
  for (size_t i = 0; i < problem_.buffers.size(); ++i) {
    const auto& pinned = problem_.buffers[i].pinned;
    if (pinned) start.Add(problem_, static_cast<BufferId>(i), *pinned);
  }
  PlaceFrom(0, nullptr);
  after_ = tried_;
}

bool Arrangement::IsBeyondPool(BufferId id) const {
  return ExcessOf(problem_, id, placement_.At(id)) > 0;
}

PoolAllocation Arrangement::Choose(BufferId id) {
  return ChoosePool(problem_, id, [&](PoolId pool) { return placement_.LowestOffset(id, pool); });
}

Tally Arrangement::Judge(std::span<const PoolAllocation> allocations) const {
  Tally tally{.pool_sizes = std::vector<Bytes>(problem_.pools.size(), 0)};
  for (size_t i = 0; i < allocations.size(); ++i) {
    tally.Add(problem_, static_cast<BufferId>(i), allocations[i]);
  }
  return tally;
}

bool Arrangement::PlaceFrom(size_t first, const Score* limit) {
  const int64_t lookups = placement_.lookups();
  bool is_within_limit = true;
  for (size_t i = first; i < order_.size() && is_within_limit; ++i) {
    Tally& tally = tried_[i + 1];
    tally = tried_[i];
    const PoolAllocation where = Choose(order_[i]);
    placement_.Place(order_[i], where);
    tally.Add(problem_, order_[i], where);
    ++steps_;
    is_within_limit = limit == nullptr || tally.score <= *limit;
  }
  steps_ += (placement_.lookups() - lookups) / kLookupsPerStep;
  return is_within_limit;
}

bool Arrangement::Move(size_t from, size_t to, const Score& limit) {
  const auto [first, last] = std::minmax(from, to);
  const std::vector<BufferId> old_order(order_.begin() + static_cast<ptrdiff_t>(first),
                                        order_.begin() + static_cast<ptrdiff_t>(last) + 1);
  const auto begin = order_.begin() + static_cast<ptrdiff_t>(first);
  const auto end = order_.begin() + static_cast<ptrdiff_t>(last) + 1;
  std::rotate(begin, from < to ? begin + 1 : end - 1, end);
  return TryFrom(first, last, old_order, limit);
}

bool Arrangement::Swap(size_t a, size_t b, const Score& limit) {
  const auto [first, last] = std::minmax(a, b);
  const std::vector<BufferId> old_order(order_.begin() + static_cast<ptrdiff_t>(first),
                                        order_.begin() + static_cast<ptrdiff_t>(last) + 1);
  std::swap(order_[a], order_[b]);
  return TryFrom(first, last, old_order, limit);
}

bool Arrangement::TryFrom(size_t first, size_t last, const std::vector<BufferId>& old_order,
                          const Score& limit) {
  for (size_t i = first; i < order_.size(); ++i) {
    old_allocations_[Index(order_[i])] = placement_.At(order_[i]);
    placement_.Remove(order_[i]);
    position_[Index(order_[i])] = i;
  }
  tried_[first] = after_[first];
  if (!PlaceFrom(first, &limit)) {
    Restore(first, last, old_order);
    return false;
  }
  std::copy(tried_.begin() + static_cast<ptrdiff_t>(first), tried_.end(),
            after_.begin() + static_cast<ptrdiff_t>(first));
  return true;
}

void Arrangement::Restore(size_t first, size_t last, const std::vector<BufferId>& old_order) {
  std::ranges::copy(old_order, order_.begin() + static_cast<ptrdiff_t>(first));
  for (size_t i = first; i < order_.size(); ++i) {
    placement_.Place(order_[i], old_allocations_[Index(order_[i])]);
    if (i <= last) position_[Index(order_[i])] = i;
  }
}

}  // namespace usmp::plan
