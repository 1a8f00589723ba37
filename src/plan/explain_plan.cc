// What makes a plan as large as it is, and what would make it smaller.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "plan/describe.h"
#include "plan/lower_bound.h"
#include "usmp/plan.h"

namespace usmp {
namespace {

using plan::Bound;
using plan::Index;
using plan::QuotedName;

constexpr size_t kMaxNamed = 12;
constexpr size_t kMaxTried = 8;   // buffers whose changes are tried
constexpr size_t kMaxListed = 5;  // changes
constexpr size_t kLarge = 5'000;  // buffers: planning it again and again would take minutes

struct Change {
  std::string what{};
  Bytes peak = 0;
};

class Explainer {
 public:
  Explainer(const PlanProblem& problem, const Plan& plan, const PlanOptions& options)
      : problem_(problem),
        plan_(plan),
        options_(options),
        peak_(WorkspaceBytes(problem, plan)),
        bound_(std::max(plan.lower_bound_bytes, LowerBound(problem))) {
    std::vector<bool> in_workspace;
    for (const PoolAllocation& where : plan.allocations) {
      in_workspace.push_back(problem.pools[Index(where.pool)].kind == PoolKind::kWorkspace);
    }
    heaviest_ = plan::FindHeaviestMoment(problem, in_workspace);
    std::ranges::stable_sort(heaviest_.alive, std::greater{},
                             [&](BufferId id) { return problem_.buffers[Index(id)].size_bytes; });
  }

  std::string Run() {
    std::string text = Peak() + Gap();
    if (problem_.buffers.size() > kLarge) return text;
    return text + Changes();
  }

 private:
  std::string Peak() const {
    const std::string where =
        heaviest_.step ? fmt::format("at step {}", *heaviest_.step) : "in conflict with each other";
    return fmt::format("The plan needs {} bytes. Most are alive {}: {} bytes in {} buffers: {}.\n",
                       peak_, where, heaviest_.bytes, heaviest_.alive.size(),
                       plan::ListSizes(problem_, heaviest_.alive, kMaxNamed));
  }

  std::string Gap() const {
    if (peak_ <= bound_) {
      if (bound_ <= heaviest_.bytes) return "No plan needs less: it has no fragmentation.\n";
      return fmt::format(
          "No plan needs less, although that is {} bytes more than are alive at once: {}.\n",
          peak_ - heaviest_.bytes,
          plan_.proof == Proof::kExhausted ? "the search has shown that this fragmentation cannot "
                                             "be avoided"
                                           : "alignments, pins or bounded pools need them");
    }
    std::string text =
        fmt::format("No plan needs less than {} bytes; the {} above that are undecided: ", bound_,
                    peak_ - bound_);
    if (heaviest_.bytes > bound_) {
      return text + "buffers may overlap, so that the bound may be weak. More steps may decide.\n";
    }
    return text + "fragmentation that a better plan may avoid, or not. More steps may decide.\n";
  }

  std::string Changes() {
    for (size_t i = 0; i < heaviest_.alive.size() && i < kMaxTried; ++i) {
      TryChangesOf(heaviest_.alive[i]);
    }
    std::ranges::stable_sort(changes_, {}, &Change::peak);
    std::string text;
    for (size_t i = 0; i < changes_.size() && i < kMaxListed; ++i) {
      text += fmt::format("  {} bytes ({} less) if {}\n", changes_[i].peak,
                          peak_ - changes_[i].peak, changes_[i].what);
    }
    if (text.empty()) return "No change of one buffer that was tried makes it smaller.\n";
    return "It would need\n" + text;
  }

  void TryChangesOf(BufferId id) {
    const BufferInfo& buffer = problem_.buffers[Index(id)];
    if (buffer.pinned) return;
    const std::string name = QuotedName(problem_, id);
    if (heaviest_.step && problem_.conflicts.is_implied_by_lifetimes()) {
      Try(id, fmt::format("{} were not alive at step {}", name, *heaviest_.step),
          [&](BufferInfo& changed) { RemoveStep(changed, *heaviest_.step); });
    }
    Try(id, fmt::format("{} had half its size, {} bytes", name, buffer.size_bytes / 2),
        [](BufferInfo& changed) { changed.size_bytes /= 2; });
    if (buffer.alignment > 1) {
      Try(id, fmt::format("{} needed no alignment", name),
          [](BufferInfo& changed) { changed.alignment = 1; });
    }
    Try(id, fmt::format("{} were in one more pool, of {} bytes", name, buffer.size_bytes),
        [](BufferInfo& changed) { changed.size_bytes = 0; });
  }

  static void RemoveStep(BufferInfo& buffer, int32_t step) {
    std::vector<Lifetime> left;
    for (const Lifetime& life : buffer.lifetimes) {
      const Lifetime before = {life.begin, std::min(life.end, step)};
      const Lifetime after = {std::max(life.begin, step + 1), life.end};
      if (before.begin < before.end) left.push_back(before);
      if (after.begin < after.end) left.push_back(after);
    }
    if (left.empty()) buffer.size_bytes = 0;  // it was alive nowhere else
    if (!left.empty()) buffer.lifetimes = std::move(left);
  }

  // Without the overlaps of the buffer, which are those of what it was.
  template <class Edit>
  void Try(BufferId id, std::string what, Edit edit) {
    PlanProblem changed = problem_;
    edit(changed.buffers[Index(id)]);
    std::erase_if(changed.overlaps, [id](const Overlap& overlap) {
      return overlap.lower == id || overlap.upper == id;
    });
    if (changed.conflicts.is_implied_by_lifetimes()) {
      changed.conflicts = Conflicts::FromLifetimes(changed.buffers);
    }
    const Result<Plan> plan = MakePlan(changed, Algorithms().front(), options_);
    if (!plan) return;
    const Bytes peak = WorkspaceBytes(changed, *plan);
    if (peak < peak_) changes_.push_back({std::move(what), peak});
  }

  const PlanProblem& problem_;
  const Plan& plan_;
  PlanOptions options_;
  Bytes peak_;
  Bytes bound_;
  Bound heaviest_{};
  std::vector<Change> changes_{};
};

}  // namespace

Result<std::string> ExplainPlan(const PlanProblem& problem, const Plan& plan,
                                const PlanOptions& options) {
  if (Result<void> verified = VerifyPlan(problem, plan); !verified) return Fail(verified.error());
  return Explainer(problem, plan, options).Run();
}

}  // namespace usmp
