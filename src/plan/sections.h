// One pool seen as sections: sets of items that are all in conflict with each other, and that
// together contain every conflict. Of lifetimes: what is alive at the moments that matter.
#ifndef USMP_PLAN_SECTIONS_H_
#define USMP_PLAN_SECTIONS_H_

#include <optional>
#include <span>
#include <vector>

#include "usmp/plan.h"

namespace usmp::plan {

// A buffer as the exact search sees it. Items have sizes above 0.
struct Item {
  BufferId id{};
  Bytes size = 0;
  Bytes alignment = 1;
  std::optional<Bytes> pin{};
  double length = 0;  // steps alive; of an explicit graph, the number of conflicts
};

// Many short lists in one piece of memory.
class Lists {
 public:
  explicit Lists(const std::vector<std::vector<uint32_t>>& lists);
  size_t size() const { return first_.size() - 1; }
  size_t total() const { return all_.size(); }
  uint32_t FirstOf(size_t list) const { return first_[list]; }
  std::span<const uint32_t> operator[](size_t list) const {
    return std::span(all_).subspan(first_[list], first_[list + 1] - first_[list]);
  }

 private:
  std::vector<uint32_t> first_{};
  std::vector<uint32_t> all_{};
};

struct Sections {
  std::vector<Item> items{};
  Lists items_of{{}};     // by section; the sections of lifetimes are in the order of time
  Lists sections_of{{}};  // by item, ascending
  Bytes unit = 1;         // divides every offset that a plan without waste can have, and its peak
};

// The buffers in `ids` in one pool, sizes of 0 left out. Nothing if there are more than
// `max_members` members over all sections. Overlaps are not looked at.
std::optional<Sections> MakeSections(const PlanProblem& problem, std::span<const BufferId> ids,
                                     size_t max_members);

}  // namespace usmp::plan

#endif  // USMP_PLAN_SECTIONS_H_
