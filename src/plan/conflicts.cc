#include <algorithm>

#include "support/check.h"
#include "support/interval.h"
#include "usmp/plan.h"

namespace usmp {
namespace {

size_t Index(BufferId id) { return static_cast<size_t>(id); }

// Both ascending. True if any two of their intervals share a step.
bool AnyOverlap(std::span<const Lifetime> a, std::span<const Lifetime> b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (Overlaps(a[i], b[j])) return true;
    (a[i].end <= b[j].end ? i : j) += 1;
  }
  return false;
}

void SortUnique(std::vector<BufferId>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

Conflicts Conflicts::FromLifetimes(std::span<const BufferInfo> buffers) {
  Conflicts out;
  for (size_t i = 0; i < buffers.size(); ++i) {
    out.lifetimes_.push_back(buffers[i].lifetimes);
    for (const Lifetime& steps : buffers[i].lifetimes) {
      out.by_begin_.push_back({steps, static_cast<BufferId>(i)});
    }
  }
  std::ranges::stable_sort(out.by_begin_, {}, [](const Interval& x) { return x.steps.begin; });
  out.latest_end_.resize(out.by_begin_.size());
  auto fill = [&out](auto& self, size_t first, size_t last) -> int32_t {
    if (first == last) return INT32_MIN;
    const size_t middle = first + (last - first) / 2;
    const int32_t children = std::max(self(self, first, middle), self(self, middle + 1, last));
    return out.latest_end_[middle] = std::max(children, out.by_begin_[middle].steps.end);
  };
  fill(fill, 0, out.by_begin_.size());
  return out;
}

Conflicts Conflicts::FromPairs(size_t buffer_count,
                               std::span<const std::pair<BufferId, BufferId>> pairs) {
  Conflicts out;
  out.from_lifetimes_ = false;
  out.neighbors_.resize(buffer_count);
  for (const auto& [a, b] : pairs) {
    USMP_CHECK(Index(a) < buffer_count && Index(b) < buffer_count && a != b);
    out.neighbors_[Index(a)].push_back(b);
    out.neighbors_[Index(b)].push_back(a);
  }
  for (std::vector<BufferId>& ids : out.neighbors_) SortUnique(ids);
  return out;
}

bool Conflicts::AreInConflict(BufferId a, BufferId b) const {
  if (a == b) return false;
  if (from_lifetimes_) return AnyOverlap(lifetimes_[Index(a)], lifetimes_[Index(b)]);
  return std::ranges::binary_search(neighbors_[Index(a)], b);
}

void Conflicts::CollectMeeting(const Lifetime& steps, size_t first, size_t last,
                               std::vector<BufferId>& found) const {
  while (first < last) {
    const size_t middle = first + (last - first) / 2;
    if (latest_end_[middle] <= steps.begin) return;
    CollectMeeting(steps, first, middle, found);
    if (by_begin_[middle].steps.begin >= steps.end) return;
    if (Overlaps(by_begin_[middle].steps, steps)) found.push_back(by_begin_[middle].id);
    first = middle + 1;
  }
}

std::vector<BufferId> Conflicts::ConflictsOf(BufferId id) const {
  if (!from_lifetimes_) return neighbors_[Index(id)];
  std::vector<BufferId> found;
  for (const Lifetime& steps : lifetimes_[Index(id)]) {
    CollectMeeting(steps, 0, by_begin_.size(), found);
  }
  SortUnique(found);
  std::erase(found, id);
  return found;
}

std::vector<BufferId> Conflicts::AliveAt(int32_t step) const {
  std::vector<BufferId> found;
  CollectMeeting({step, step + 1}, 0, by_begin_.size(), found);
  SortUnique(found);
  return found;
}

size_t Conflicts::buffer_count() const {
  return from_lifetimes_ ? lifetimes_.size() : neighbors_.size();
}

std::span<const Lifetime> Conflicts::LifetimesOf(BufferId id) const {
  if (!from_lifetimes_) return {};
  return lifetimes_[Index(id)];
}

}  // namespace usmp
