// Is there a placement of one pool within a capacity? Exact search over which of two is the lower.
#ifndef USMP_PLAN_ORDER_SEARCH_H_
#define USMP_PLAN_ORDER_SEARCH_H_

#include <optional>
#include <span>
#include <vector>

#include "plan/fit_search.h"
#include "plan/placement.h"
#include "plan/sections.h"

namespace usmp::plan {

// Two items that cannot be anywhere: `b` is at least `a_first` above `a`, or `a` at least `b_first`
// above `b`.
struct OrderedPair {
  uint32_t a = 0;
  uint32_t b = 0;
  Bytes a_first = 0;
  Bytes b_first = 0;
};

// For overlaps of any distance and arbitrary conflict graphs. Every pair is given an order, which
// bounds the one's offset by the other's; what follows from the orders so far is propagated. A
// contradiction is traced back to the orders that cause it, which are never combined again
// (clause learning, as in satisfiability solvers, over difference constraints). When no pair is
// violated with every item at its lower bound, these are the offsets.
class OrderSearch : public FitSearch {
 public:
  OrderSearch(std::vector<Item> items, std::vector<OrderedPair> pairs);

  Outcome Run(Bytes capacity, int64_t last_restart, int64_t max_steps) override;
  const std::vector<Bytes>& offsets() const override { return lower_; }
  int64_t steps() const override { return steps_ + static_cast<int64_t>(lookups_ / 64); }
  // Divides every offset and every peak that a placement without waste can have.
  Bytes unit() const { return unit_; }

 private:
  // 2 * pair: a below b; 2 * pair + 1: b below a.
  using Literal = uint32_t;
  static constexpr int32_t kNone = -1;

  // A bound that was tightened.
  struct Entry {
    uint32_t item = 0;
    bool is_upper = false;
    Bytes old = 0;
    Bytes value = 0;
    int32_t old_entry = kNone;  // of the same bound
    int32_t cause = kNone;      // the bound of the other item that it follows from
    Literal literal = 0;        // and the order
  };
  // Why a literal holds: a clause, or the bounds of two items that rule the other order out;
  // neither for a decision.
  struct Reason {
    int32_t clause = kNone;
    int32_t lower_entry = kNone;
    int32_t upper_entry = kNone;
  };
  struct Assigned {
    bool is_known = false;
    Literal literal = 0;
    uint32_t level = 0;
    Reason reason{};
  };
  struct Clause {  // at least one of its literals holds
    std::vector<Literal> literals{};
    Bytes capacity = 0;  // for this capacity and smaller ones
  };
  struct Arc {
    uint32_t lower = 0;
    uint32_t upper = 0;
    Bytes distance = 0;
  };

  static Literal Not(Literal literal) { return literal ^ 1U; }
  Arc ArcOf(Literal literal) const;
  bool IsTrue(Literal literal) const;
  bool IsFalse(Literal literal) const;

  void Reset();
  Outcome RunRound(int64_t max_conflicts, int64_t max_steps);
  void ForgetSome();
  bool WatchAll();
  // These are false after a contradiction: conflict_ then holds literals that are true now and can
  // never all be.
  bool Assign(Literal literal, const Reason& reason);
  bool PropagateAll();
  bool PropagateClauses(Literal literal);
  bool PropagateBound(uint32_t item, bool is_upper);
  bool Apply(Literal literal, bool to_upper);
  bool RaiseLower(const Arc& arc, Literal literal);
  bool ReduceUpper(const Arc& arc, Literal literal);
  bool IsCycle(const Arc& arc, Bytes value, Literal literal);
  void Queue(uint32_t item, bool is_upper);
  bool CheckBounds(uint32_t item);
  void CollectCauses(int32_t entry, std::vector<Literal>& out) const;
  void ReasonOf(Literal literal, std::vector<Literal>& out) const;
  std::optional<Literal> Decide() const;
  // False if the conflict needs no decision at all.
  bool Learn();
  void Backtrack(uint32_t level);
  void Bump(uint32_t pair);

  std::vector<Item> items_;
  std::vector<OrderedPair> pairs_;
  Lists pairs_of_{{}};
  Bytes largest_alignment_ = 1;
  Bytes unit_ = 0;
  Bytes capacity_ = 0;
  int64_t steps_ = 0;
  uint64_t lookups_ = 0;
  int64_t rounds_ = 0;

  std::vector<Bytes> lower_, upper_;                // by item
  std::vector<int32_t> lower_entry_, upper_entry_;  // by item: the last Entry of its bound
  std::vector<Entry> entries_{};
  std::vector<Assigned> assigned_;  // by pair
  std::vector<Literal> trail_{};
  struct Level {
    size_t entries = 0;
    size_t literals = 0;
  };
  std::vector<Level> levels_{};
  size_t next_literal_ = 0;        // of trail_, not propagated yet
  std::vector<uint32_t> queue_{};  // 2 * item, 1 more for its upper bound
  std::vector<uint8_t> is_queued_;
  std::vector<Clause> clauses_{};
  std::vector<std::vector<uint32_t>> watchers_;  // by literal: clauses to look at when it is false
  std::vector<Literal> conflict_{};
  std::vector<double> activity_;  // by pair
  double bump_ = 1;
  std::vector<uint8_t> phase_;  // by pair: 0 and 1: the order it had last; 2: none yet
  std::vector<uint8_t> seen_;   // by pair
};

// Nothing if there are more than `max_pairs`.
std::optional<OrderSearch> MakeOrderSearch(const PlanProblem& problem,
                                           const std::vector<Item>& items, size_t max_pairs);

}  // namespace usmp::plan

#endif  // USMP_PLAN_ORDER_SEARCH_H_
