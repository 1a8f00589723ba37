#ifndef USMP_PLAN_FAILED_STATES_H_
#define USMP_PLAN_FAILED_STATES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace usmp::plan {

// 128 bits that stand for a state: two states with the same bits are taken for equal. Among 10^9
// states the chance that any two different ones agree is below 10^-20.
struct StateHash {
  uint64_t a = 0;
  uint64_t b = 0;
  friend bool operator==(const StateHash&, const StateHash&) = default;

  // Independent of the order in which the parts are added.
  void Add(uint64_t part) {
    const uint64_t mixed = Mix(part + 0x9E3779B97F4A7C15U);
    a += mixed;
    b ^= Mix(mixed ^ 0xD6E8FEB86659FD93U);
  }

 private:
  static uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
};

// States known to have no solution. Bounded: a newcomer replaces what is in its place.
class FailedStates {
 public:
  bool Contains(const StateHash& state) const {
    return !slots_.empty() && slots_[Slot(state)] == state;
  }

  void Insert(const StateHash& state) {
    if (inserted_ * 2 >= slots_.size() && slots_.size() < kMaxSlots) Grow();
    StateHash& slot = slots_[Slot(state)];
    inserted_ += slot == StateHash{} ? 1 : 0;
    slot = state;
  }

 private:
  static constexpr size_t kMaxSlots = size_t{1} << 21;  // 32 MiB

  size_t Slot(const StateHash& state) const { return state.a & (slots_.size() - 1); }

  void Grow() {
    std::vector<StateHash> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    inserted_ = 0;
    for (const StateHash& state : old) {
      if (state == StateHash{}) continue;
      StateHash& slot = slots_[Slot(state)];
      inserted_ += slot == StateHash{} ? 1 : 0;
      slot = state;
    }
  }

  std::vector<StateHash> slots_{};
  size_t inserted_ = 0;
};

}  // namespace usmp::plan

#endif  // USMP_PLAN_FAILED_STATES_H_
