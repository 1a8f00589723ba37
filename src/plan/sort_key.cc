#include "plan/sort_key.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "plan/describe.h"

namespace usmp::plan {
namespace {

constexpr int kLogBits = 16;
constexpr int kPressureBits = 20;
constexpr int kLifeBits = 10;
constexpr int64_t kCriticalFirst = int64_t{1} << 50;  // above every weighted sum

// log2(x) in 1/65536, within 1 %: the mantissa by a parabola. x > 0.
int32_t Log2(int64_t x) {
  const auto value = static_cast<uint64_t>(x);
  const int exponent = static_cast<int>(std::bit_width(value)) - 1;
  const uint64_t mantissa =
      exponent <= kLogBits ? value << (kLogBits - exponent) : value >> (exponent - kLogBits);
  const auto fraction = static_cast<int64_t>(mantissa - (uint64_t{1} << kLogBits));
  const int64_t bow = fraction * ((int64_t{1} << kLogBits) - fraction) >> kLogBits;
  return static_cast<int32_t>((int64_t{exponent} << kLogBits) + fraction +
                              (bow * 22486 >> kLogBits));
}

// x / whole in 1/2^bits, 0 <= x <= whole.
int32_t Share(int64_t x, int64_t whole, int bits) {
  const int shift =
      std::max(static_cast<int>(std::bit_width(static_cast<uint64_t>(whole))) - 40, 0);
  return static_cast<int32_t>(((x >> shift) << bits) / std::max<int64_t>(whole >> shift, 1));
}

// The bytes alive at every rank, and the most within a range.
class Pressure {
 public:
  Pressure(const PlanProblem& problem, const Timeline& timeline)
      : leaves_(std::bit_ceil(std::max(timeline.rank_count(), 1U))), most_(size_t{2} * leaves_) {
    std::vector<Bytes> change(size_t{leaves_} + 1, 0);
    for (size_t i = 0; i < problem.buffers.size(); ++i) {
      for (const RankRange& range : timeline.Of(static_cast<BufferId>(i))) {
        change[range.begin] += problem.buffers[i].size_bytes;
        change[range.end] -= problem.buffers[i].size_bytes;
      }
    }
    Bytes sum = 0;
    for (uint32_t rank = 0; rank < leaves_; ++rank) most_[leaves_ + rank] = sum += change[rank];
    for (uint32_t i = leaves_ - 1; i > 0; --i)
      most_[i] = std::max(most_[size_t{2} * i], most_[size_t{2} * i + 1]);
  }

  Bytes Greatest() const { return most_[1]; }

  Bytes Within(RankRange range) const {
    Bytes most = 0;
    uint32_t left = range.begin + leaves_;
    for (uint32_t right = range.end + leaves_; left < right; left /= 2, right /= 2) {
      if ((left & 1) != 0) most = std::max(most, most_[left++]);
      if ((right & 1) != 0) most = std::max(most, most_[--right]);
    }
    return most;
  }

 private:
  uint32_t leaves_;
  std::vector<Bytes> most_;  // by node of a binary tree; the root is 1
};

// How many steps; of an explicit graph, how many pairs. At least 1.
int64_t LifeOf(const PlanProblem& problem, const Timeline& timeline, BufferId id) {
  int64_t life = 0;
  if (problem.conflicts.is_implied_by_lifetimes()) {
    for (const auto& [begin, end] : problem.conflicts.LifetimesOf(id)) life += int64_t{end} - begin;
  } else {
    for (const auto& [begin, end] : timeline.Of(id)) life += int64_t{end} - begin;
  }
  return std::max<int64_t>(life, 1);
}

void Nudge(int32_t& weight, Random& random) {
  const auto spread = std::abs(weight) / 4 + 26;
  weight += static_cast<int32_t>(random.Below(2 * static_cast<size_t>(spread) + 1)) - spread;
}

int32_t Up(Random& random, int32_t most) {
  return static_cast<int32_t>(random.Below(static_cast<size_t>(most)));
}

}  // namespace

Weights RandomWeights(Random& random) {
  const int32_t within = random.Below(4) == 0 ? -1 : (1 << kPressureBits) >> random.Below(14);
  return {.critical = {within, Up(random, 1536), Up(random, 1536) - 205},
          .size = Up(random, 1536),
          .life = Up(random, 1536) - 205,
          .pressure = random.Below(2) == 0 ? 0 : Up(random, 20480),
          .long_life = random.Below(2) == 0 ? 0 : Up(random, 20480),
          .long_from = Up(random, 1024)};
}

Weights Mutated(const Weights& weights, Random& random) {
  Weights out = weights;
  for (int32_t* weight : {&out.critical.size, &out.critical.life, &out.size, &out.life,
                          &out.pressure, &out.long_life}) {
    if (random.Below(2) == 0) Nudge(*weight, random);
  }
  if (random.Below(3) == 0) out.long_from = Up(random, 1024);
  if (random.Below(3) == 0) Nudge(out.critical.within, random);
  return out;
}

SortKeys::SortKeys(const PlanProblem& problem, const Timeline& timeline) {
  const Pressure pressure(problem, timeline);
  int64_t longest = 1;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    longest = std::max(longest, LifeOf(problem, timeline, static_cast<BufferId>(i)));
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto id = static_cast<BufferId>(i);
    const BufferInfo& buffer = problem.buffers[i];
    if (buffer.size_bytes == 0 || buffer.pinned) continue;
    Bytes most = 1;
    for (const RankRange& range : timeline.Of(id)) most = std::max(most, pressure.Within(range));
    const int64_t life = LifeOf(problem, timeline, id);
    features_.push_back(
        {.id = id,
         .log_size = Log2(buffer.size_bytes),
         .log_life = Log2(life),
         .log_pressure = Log2(most),
         .life = Share(life, longest, kLifeBits),
         .pressure = Share(most, std::max<Bytes>(pressure.Greatest(), 1), kPressureBits)});
  }
}

std::vector<BufferId> SortKeys::Order(const Weights& weights) const {
  std::vector<std::pair<int64_t, BufferId>> keys;
  keys.reserve(features_.size());
  for (const Features& f : features_) {
    const bool is_critical = f.pressure >= (1 << kPressureBits) - weights.critical.within;
    int64_t key = 0;
    if (is_critical) {
      key = kCriticalFirst + int64_t{weights.critical.size} * f.log_size +
            int64_t{weights.critical.life} * f.log_life;
    } else {
      key = int64_t{weights.size} * f.log_size + int64_t{weights.life} * f.log_life +
            int64_t{weights.pressure} * f.log_pressure;
    }
    if (f.life > weights.long_from) key += int64_t{weights.long_life} << kLogBits;
    keys.emplace_back(-key, f.id);
  }
  std::ranges::sort(keys);
  std::vector<BufferId> order;
  order.reserve(keys.size());
  for (const auto& [key, id] : keys) order.push_back(id);
  return order;
}

}  // namespace usmp::plan
