#include "plan/one_pass.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "plan/describe.h"
#include "plan/occupied.h"
#include "support/align.h"

namespace usmp::plan {
namespace {

constexpr Bytes kNoEnd = Bytes{1} << 61;  // beyond every offset: CheckProblem sees to that
constexpr int kTries = 8;  // holes that are just large enough, before one with room for padding

// The free bytes of one pool at the current time.
class Holes {
 public:
  Holes() { Add({0, kNoEnd}); }

  // The smallest hole, or nearly, that has room for an aligned buffer.
  ByteRange BestFor(Bytes size, Bytes alignment) const {
    auto hole = by_size_.lower_bound({size, 0});
    for (int tries = 0; tries < kTries && hole != by_size_.end(); ++tries, ++hole) {
      const auto [length, begin] = *hole;
      if (AlignUp(begin, alignment) + size <= begin + length) return {begin, begin + length};
    }
    const auto [length, begin] = *by_size_.lower_bound({size + alignment - 1, 0});
    return {begin, begin + length};
  }

  // Bytes that are in one hole.
  void Take(ByteRange bytes) {
    const auto above = by_begin_.upper_bound(bytes.begin);
    const ByteRange hole = {std::prev(above)->first, std::prev(above)->second};
    Remove(hole);
    if (hole.begin < bytes.begin) Add({hole.begin, bytes.begin});
    if (bytes.end < hole.end) Add({bytes.end, hole.end});
  }

  void Free(ByteRange bytes) {
    const auto above = by_begin_.lower_bound(bytes.begin);
    std::optional<ByteRange> low;
    std::optional<ByteRange> high;
    if (above != by_begin_.begin() && std::prev(above)->second == bytes.begin) {
      low = {std::prev(above)->first, std::prev(above)->second};
    }
    if (above != by_begin_.end() && above->first == bytes.end) high = {above->first, above->second};
    if (low) Remove(*low);
    if (high) Remove(*high);
    Add({low ? low->begin : bytes.begin, high ? high->end : bytes.end});
  }

 private:
  void Add(ByteRange hole) {
    by_begin_.emplace(hole.begin, hole.end);
    by_size_.emplace(hole.end - hole.begin, hole.begin);
  }
  void Remove(ByteRange hole) {
    by_begin_.erase(hole.begin);
    by_size_.erase({hole.end - hole.begin, hole.begin});
  }

  std::map<Bytes, Bytes> by_begin_{};
  std::set<std::pair<Bytes, Bytes>> by_size_{};  // size, begin
};

struct Item {
  RankRange life{};
  BufferId id{};
};

class Pass {
 public:
  Pass(const PlanProblem& problem, const Timeline& timeline, const PassRule& rule)
      : problem_(problem),
        rule_(rule),
        holes_(problem.pools.size()),
        taken_(problem.pools.size()),
        result_{.allocations = std::vector<PoolAllocation>(problem.buffers.size()),
                .tally = {.pool_sizes = std::vector<Bytes>(problem.pools.size(), 0)}} {
    for (size_t i = 0; i < problem.buffers.size(); ++i) {
      Prepare(static_cast<BufferId>(i), timeline);
    }
    ReservePins();
    std::ranges::sort(items_, {}, [this](const Item& item) {
      const Bytes size = problem_.buffers[Index(item.id)].size_bytes;
      return std::tuple(item.life.begin, rule_.is_largest_first ? -size : -Bytes{item.life.end},
                        item.id);
    });
  }

  PassResult Run() {
    std::vector<Item> by_end = items_;
    std::ranges::sort(by_end, {}, [](const Item& item) { return item.life.end; });
    auto ending = by_end.begin();
    for (const Item& item : items_) {
      for (; ending->life.end <= item.life.begin; ++ending) Free(ending->id);
      Place(item);
    }
    return std::move(result_);
  }

 private:
  Bytes Size(BufferId id) const { return problem_.buffers[Index(id)].size_bytes; }

  void Prepare(BufferId id, const Timeline& timeline) {
    const BufferInfo& buffer = problem_.buffers[Index(id)];
    if (buffer.pinned) {
      Record(id, *buffer.pinned);
    } else if (buffer.size_bytes == 0 || timeline.Of(id).empty()) {
      Record(id, {*std::ranges::find_if(buffer.pool_candidates,
                                        [&](PoolId pool) { return CanHold(problem_, pool, id); }),
                  0});
    } else {
      const std::span<const RankRange> life = timeline.Of(id);
      const RankRange hull = {life.front().begin, life.back().end};
      const uint32_t ranks = timeline.rank_count();
      items_.push_back(
          {rule_.is_backwards ? RankRange{ranks - hull.end, ranks - hull.begin} : hull, id});
    }
  }

  // Pinned buffers may lie in each other's bytes.
  void ReservePins() {
    std::vector<std::vector<ByteRange>> reserved(problem_.pools.size());
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      const auto& pin = problem_.buffers[i].pinned;
      const Bytes size = problem_.buffers[i].size_bytes;
      if (!pin || size == 0) continue;
      reserved[Index(pin->pool)].push_back({pin->byte_offset, pin->byte_offset + size});
    }
    for (size_t pool = 0; pool < reserved.size(); ++pool) {
      std::ranges::sort(reserved[pool], {}, &ByteRange::begin);
      Bytes end = 0;
      for (ByteRange bytes : reserved[pool]) {
        bytes.begin = std::max(bytes.begin, end);
        if (bytes.begin < bytes.end) holes_[pool].Take(bytes);
        end = std::max(end, bytes.end);
      }
    }
  }

  void Record(BufferId id, PoolAllocation where) {
    result_.allocations[Index(id)] = where;
    result_.tally.Add(problem_, id, where);
  }

  void Free(BufferId id) {
    const auto [pool, offset] = result_.allocations[Index(id)];
    holes_[Index(pool)].Free({offset, offset + Size(id)});
    taken_[Index(pool)].erase(offset);
  }

  void Place(const Item& item) {
    std::optional<PoolAllocation> best;
    Bytes least = 0;
    for (PoolId pool : problem_.buffers[Index(item.id)].pool_candidates) {
      if (!CanHold(problem_, pool, item.id)) continue;
      const PoolAllocation where = {pool, OffsetIn(pool, item)};
      const Bytes excess = ExcessOf(problem_, item.id, where);
      if (best && excess >= least) continue;
      best = where;
      least = excess;
      if (excess == 0) break;
    }
    const Bytes offset = best->byte_offset;
    holes_[Index(best->pool)].Take({offset, offset + Size(item.id)});
    taken_[Index(best->pool)].emplace(offset, item);
    Record(item.id, *best);
  }

  Bytes OffsetIn(PoolId pool, const Item& item) const {
    const BufferInfo& buffer = problem_.buffers[Index(item.id)];
    const ByteRange hole = holes_[Index(pool)].BestFor(buffer.size_bytes, buffer.alignment);
    const Bytes low = AlignUp(hole.begin, buffer.alignment);
    if (hole.end == kNoEnd || !rule_.is_beside_same_end) return low;
    const Bytes high = (hole.end - buffer.size_bytes) & -buffer.alignment;
    const auto above = taken_[Index(pool)].lower_bound(hole.begin);
    const uint32_t after_low = above == taken_[Index(pool)].begin()
                                   ? UINT32_MAX
                                   : TimeBetween(item, std::prev(above)->second);
    const uint32_t after_high =
        above == taken_[Index(pool)].end() ? UINT32_MAX : TimeBetween(item, above->second);
    return after_high < after_low ? high : low;
  }

  static uint32_t TimeBetween(const Item& a, const Item& b) {
    return a.life.end > b.life.end ? a.life.end - b.life.end : b.life.end - a.life.end;
  }

  const PlanProblem& problem_;
  PassRule rule_;
  std::vector<Item> items_{};                 // in the order of placement
  std::vector<Holes> holes_;                  // by PoolId
  std::vector<std::map<Bytes, Item>> taken_;  // by PoolId, then by offset: what is alive
  PassResult result_;
};

}  // namespace

PassResult PlaceInOnePass(const PlanProblem& problem, const Timeline& timeline,
                          const PassRule& rule) {
  return Pass(problem, timeline, rule).Run();
}

}  // namespace usmp::plan
