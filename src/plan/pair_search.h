// Is there a placement within a capacity? Exact search over pairs: it takes everything that a
// problem can hold, and is fast where each buffer meets few others.
#ifndef USMP_PLAN_PAIR_SEARCH_H_
#define USMP_PLAN_PAIR_SEARCH_H_

#include <vector>

#include "plan/fit_search.h"
#include "plan/placement.h"
#include "plan/random.h"

namespace usmp::plan {

// Every pair of buffers in one pool that may not lie as it likes gets an order: which of the two
// is the lower one. Orders are differences of offsets, and of all placements that keep a set of
// them one has every buffer at its least offset. So a placement is found where the least offsets
// are legal; until then, the search decides one more pair that they violate. Before pairs, it
// decides in which pool each buffer is.
class PairSearch : public FitSearch {
 public:
  // Nothing above `max_cost`: sizes times indices of the chosen candidates, summed.
  PairSearch(const Neighborhood& neighborhood, uint64_t seed);
  bool IsTooLarge() const { return pairs_.size() > kMaxPairs; }
  void SetMaxCost(Bytes max_cost) { max_cost_ = max_cost; }

  // The capacity bounds the sum of the workspace pools.
  Outcome Run(Bytes capacity, int64_t max_steps) override;
  // By BufferId, and the pools beside them.
  const std::vector<Bytes>& offsets() const override { return low_; }
  const std::vector<PoolId>& pools() const { return pool_; }
  int64_t steps() const override { return nodes_ + lookups_ / 64; }

 private:
  static constexpr size_t kMaxPairs = 6'000;  // bounds the recursion

  enum class Order : uint8_t { kOpen, kFirstBelow, kSecondBelow };

  struct Pair {
    BufferId first{};
    BufferId second{};
    Bytes if_first_below = 0;  // the least offset(second) - offset(first)
    Bytes if_second_below = 0;
  };
  struct Change {
    enum class Kind : uint8_t { kLow, kHigh, kOrder, kPool, kPeak } kind{};
    size_t index = 0;
    Bytes old = 0;
  };

  Outcome Solve();
  Outcome ChoosePool(BufferId id);
  Outcome ChooseOrder(size_t pair);
  Outcome TryOrder(size_t pair, Order order);
  std::optional<BufferId> NextWithoutPool() const;
  std::optional<size_t> WorstPair();

  bool PutInto(BufferId id, PoolId pool);
  bool Decide(size_t pair, Order order);
  bool Propagate();
  bool Visit(BufferId id);
  bool Update(size_t pair);
  bool Raise(BufferId id, Bytes low);
  bool Lower(BufferId id, Bytes high);
  bool RaisePeak(BufferId id);
  bool IsActive(const Pair& pair) const;
  void Start(Bytes capacity);
  void Set(Change::Kind kind, size_t index, Bytes& value, Bytes to);
  void UndoTo(size_t mark);

  const PlanProblem& problem_;
  std::vector<Pair> pairs_{};
  std::vector<std::vector<uint32_t>> pairs_of_;  // by BufferId
  std::vector<BufferId> by_size_{};              // descending; those with a choice of pools
  Random random_;
  Bytes max_cost_ = INT64_MAX;
  Bytes capacity_ = 0;
  Bytes cost_ = 0;
  Bytes peak_sum_ = 0;
  int64_t nodes_ = 0;
  int64_t lookups_ = 0;
  int64_t last_node_ = 0;
  int64_t max_steps_ = 0;
  int64_t round_ = 0;

  std::vector<PoolId> pool_;  // by BufferId; kNoPool if undecided
  std::vector<Bytes> low_;    // by BufferId: it is here or above
  std::vector<Bytes> high_;   // by BufferId: it is here or below
  std::vector<Bytes> peak_;   // by PoolId: at least
  std::vector<Order> order_;  // by pair
  std::vector<double> weight_;  // by pair: how often it failed
  std::vector<Change> trail_{};
  std::vector<BufferId> dirty_{};
  std::vector<uint8_t> is_dirty_;
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_PAIR_SEARCH_H_
