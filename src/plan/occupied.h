// Which bytes of a pool are taken when: first fit among any number of buffers, without a list of
// who is in conflict with whom.
#ifndef USMP_PLAN_OCCUPIED_H_
#define USMP_PLAN_OCCUPIED_H_

#include <cstdint>
#include <span>
#include <vector>

#include "plan/timeline.h"

namespace usmp::plan {

struct ByteRange {
  Bytes begin = 0;
  Bytes end = 0;
};

// No buffer in hand may start between the two, which are allowed themselves.
struct NoStart {
  Bytes after = 0;
  Bytes before = 0;
};

// A segment tree over ranks. The bytes that buffers take are kept as unions of ranges, so that what
// lies side by side costs no more than one buffer.
class Occupied {
 public:
  explicit Occupied(uint32_t rank_count);

  // The lowest multiple of `alignment` from which `size` bytes are free during all of `life`, and
  // that avoids `forbidden` too (ascending by begin).
  Bytes LowestFree(std::span<const RankRange> life, Bytes size, Bytes alignment,
                   std::span<const NoStart> no_starts = {});
  void Take(std::span<const RankRange> life, ByteRange bytes);
  void Clear();
  // Ranges looked at or moved so far, and what else took as long.
  int64_t work() const { return work_; }

 private:
  using Union = std::vector<ByteRange>;  // ascending; two ranges never touch
  struct Cursor {
    const ByteRange* next;
    const ByteRange* end;
  };

  template <class Inside, class Above>
  void Visit(RankRange life, Inside inside, Above above) const;
  void AddCursor(const Union& taken);
  bool Advance(Cursor& cursor, Bytes size, Bytes alignment, Bytes& lowest);
  void Insert(Union& taken, ByteRange bytes);

  uint32_t leaves_;              // a power of two; node i has the children 2i and 2i + 1
  std::vector<Union> meeting_;   // by node: of the buffers alive at some rank of the node
  std::vector<Union> covering_;  // by node: of those that are alive at all ranks of the node
  std::vector<uint32_t> touched_{};
  std::vector<Cursor> cursors_{};
  int64_t work_ = 0;
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_OCCUPIED_H_
