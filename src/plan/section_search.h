// Is there a placement of one pool within a capacity? Exact search over sections.
#ifndef USMP_PLAN_SECTION_SEARCH_H_
#define USMP_PLAN_SECTION_SEARCH_H_

#include <map>
#include <vector>

#include "plan/failed_states.h"
#include "plan/fit_search.h"
#include "plan/random.h"
#include "plan/sections.h"

namespace usmp::plan {

// Every placement that fits can be pushed down until each item rests on another one, on the bottom
// or on its pin; only those are searched. Of each section the search knows its floor, below which
// nothing more can go, and what is still to come. Either one of the items that could lie on the
// floor of a section does, or all of them move up to what they can rest on next, and the bytes
// between are wasted. It branches where the fewest choices are left.
//
// What fails is remembered for the capacity, over all calls. docs/planning.md tells the idea.
class SectionSearch : public FitSearch {
 public:
  SectionSearch(const Sections& sections, uint64_t seed);

  // Restarts have other rules and orders.
  Outcome Run(Bytes capacity, int64_t last_restart, int64_t max_steps) override;
  // By item.
  const std::vector<Bytes>& offsets() const override { return low_; }
  int64_t steps() const override { return nodes_ + static_cast<int64_t>(lookups_ / 64); }

 private:
  // In what order sections are branched on; the fewest choices first if nothing else is said.
  enum class Rule : uint8_t { kLeastSlack, kLowest, kOftenFailing, kLowestFailing, kLowestFirst };

  struct Change {
    uint32_t index =
        0;  // of an item's low, of a section's floor (behind them), or of an item placed
    Bytes old = 0;
  };
  struct Choice {
    uint32_t section = 0;
    bool may_waste = false;
  };
  struct Range {  // of scratch_
    size_t first = 0;
    size_t last = 0;
  };
  struct Tops {  // of the items to come of a section: their least ends
    Bytes least = 0;
    Bytes second = 0;
    uint32_t item_of_least = 0;
  };

  void StartRound(int64_t round);
  int64_t Rank(uint32_t item, int kind) const;
  Outcome SolveAll();
  Outcome SolveParts(Range items);
  Bytes LeastSlack(Range items) const;
  Outcome SolvePart(Range items);
  Outcome Branch(Range items, const Choice& choice);
  // Nothing if some section has no choice left.
  std::optional<Choice> Choose(Range items);
  double ScoreOf(uint32_t section, int choices) const;
  int CountOnFloor(uint32_t section, Bytes& next_level);
  bool IsFinal(uint32_t item);
  Bytes NextSupport(uint32_t item);
  const Tops& TopsOf(uint32_t section);
  StateHash HashOf(Range items) const;

  bool Place(uint32_t item);
  bool Raise(uint32_t item, Bytes low);
  bool Propagate();
  bool UpdateSection(uint32_t section);
  void MarkDirty(uint32_t section);
  void Set(uint32_t index, Bytes& value, Bytes to);
  void UndoTo(size_t mark);

  const Sections& s_;
  size_t n_;
  Bytes capacity_ = 0;
  Rule rule_ = Rule::kLeastSlack;
  Random random_;
  FailedStates failed_{};
  int64_t nodes_ = 0;
  uint64_t lookups_ = 0;
  int64_t last_node_ = 0;  // of this round
  int64_t max_steps_ = 0;
  int depth_ = 0;
  std::map<Bytes, int64_t> rounds_{};  // by capacity: how many were begun

  std::vector<Bytes> low_;          // by item: it is here or above; of a placed one, where it is
  std::vector<Bytes> floor_;        // by section
  std::vector<Bytes> rest_;         // by section: the bytes of the items to come
  std::vector<uint32_t> open_;      // by section: how many items are to come
  std::vector<uint32_t> members_;   // of all sections: the items to come first
  std::vector<uint32_t> position_;  // by place in sections_of: where in members_
  std::vector<uint8_t> is_placed_;
  std::vector<uint32_t> twin_;  // equal for items that can be exchanged
  std::vector<int64_t> key_;    // by item: larger ones are tried first
  std::vector<double> weight_;  // by section: how often it failed
  std::vector<Bytes> load_;     // by section
  std::vector<Change> trail_{};
  std::vector<uint32_t> dirty_{};
  std::vector<uint8_t> is_dirty_;
  std::vector<uint32_t> scratch_{};  // a stack of item lists

  // Valid where the stamp is that of the node.
  uint64_t node_ = 0;
  std::vector<uint64_t> final_stamp_, support_stamp_, tops_stamp_;
  std::vector<uint8_t> is_final_;
  std::vector<Bytes> support_;
  std::vector<Tops> tops_;
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_SECTION_SEARCH_H_
