#include "plan/occupied.h"

#include <algorithm>
#include <bit>

#include "support/align.h"

namespace usmp::plan {
namespace {

constexpr int64_t kWorkOfNode = 4;  // ranges that could be looked at while one comes from memory

}  // namespace

Occupied::Occupied(uint32_t rank_count)
    : leaves_(std::bit_ceil(std::max(rank_count, 1U))),
      meeting_(size_t{2} * leaves_),
      covering_(size_t{2} * leaves_) {}

// `inside` for the fewest nodes that make up `life`, `above` for all that have one of them below.
template <class Inside, class Above>
void Occupied::Visit(RankRange life, Inside inside, Above above) const {
  const uint32_t first = life.begin + leaves_;
  const uint32_t last = life.end + leaves_ - 1;
  for (uint32_t left = first, right = last + 1; left < right; left /= 2, right /= 2) {
    if ((left & 1) != 0) inside(left++);
    if ((right & 1) != 0) inside(--right);
  }
  // A node is above if the life has a border within it.
  for (int level = 1; first >> level != 0; ++level) {
    const uint32_t left = first >> level;
    const uint32_t right = last >> level;
    if (left << level != first) above(left);
    const bool ends_within = (right + 1) << level != last + 1;
    if (ends_within && (left != right || left << level == first)) above(right);
  }
}

void Occupied::AddCursor(const Union& taken) {
  if (!taken.empty()) cursors_.push_back({taken.data(), taken.data() + taken.size()});
}

// Raises `lowest` above what is in the way; false if nothing is.
bool Occupied::Advance(Cursor& cursor, Bytes size, Bytes alignment, Bytes& lowest) {
  if (cursor.next == cursor.end) return false;
  if (cursor.next->end <= lowest) {
    work_ += std::bit_width(static_cast<size_t>(cursor.end - cursor.next));
    cursor.next = std::ranges::upper_bound(cursor.next, cursor.end, lowest, {}, &ByteRange::end);
  }
  const Bytes start = lowest;
  for (; cursor.next != cursor.end && cursor.next->begin < lowest + size; ++cursor.next) {
    lowest = AlignUp(cursor.next->end, alignment);
    ++work_;
  }
  return lowest != start;
}

Bytes Occupied::LowestFree(std::span<const RankRange> life, Bytes size, Bytes alignment,
                           std::span<const NoStart> no_starts) {
  cursors_.clear();
  for (const RankRange& range : life) {
    Visit(
        range, [this](uint32_t node) { AddCursor(meeting_[node]); },
        [this](uint32_t node) { AddCursor(covering_[node]); });
  }
  work_ +=
      kWorkOfNode * static_cast<int64_t>(cursors_.size()) + static_cast<int64_t>(no_starts.size());
  Bytes lowest = 0;
  while (true) {
    // Until nothing has been in the way for one whole turn.
    for (size_t i = 0, quiet = 0; quiet < cursors_.size();
         i = i + 1 == cursors_.size() ? 0 : i + 1) {
      quiet = Advance(cursors_[i], size, alignment, lowest) ? 1 : quiet + 1;
    }
    const auto barrier = std::ranges::find_if(no_starts, [lowest](const NoStart& range) {
      return range.after < lowest && lowest < range.before;
    });
    if (barrier == no_starts.end()) return lowest;
    lowest = AlignUp(barrier->before, alignment);
  }
}

void Occupied::Insert(Union& taken, ByteRange bytes) {
  const auto first = std::ranges::lower_bound(taken, bytes.begin, {}, &ByteRange::end);
  if (first == taken.end() || first->begin > bytes.end) {
    work_ += (taken.end() - first) / 16 + 1;
    taken.insert(first, bytes);
    return;
  }
  auto last = first;
  for (; last != taken.end() && last->begin <= bytes.end; ++last) {
    bytes.end = std::max(bytes.end, last->end);
  }
  bytes.begin = std::min(bytes.begin, first->begin);
  *first = bytes;
  if (last - first > 1) work_ += (taken.end() - first) / 16;
  taken.erase(first + 1, last);
}

void Occupied::Take(std::span<const RankRange> life, ByteRange bytes) {
  auto add = [&](uint32_t node) {
    work_ += kWorkOfNode;
    if (meeting_[node].empty()) touched_.push_back(node);
    Insert(meeting_[node], bytes);
  };
  for (const RankRange& range : life) {
    Visit(
        range,
        [&](uint32_t node) {
          add(node);
          Insert(covering_[node], bytes);
        },
        add);
  }
}

void Occupied::Clear() {
  for (uint32_t node : touched_) {
    meeting_[node].clear();
    covering_[node].clear();
  }
  touched_.clear();
}

}  // namespace usmp::plan
