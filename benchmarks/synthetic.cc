#include "synthetic.h"

#include <algorithm>
#include <string>

#include "plan/random.h"

namespace usmp::benchmarks {
namespace {

using plan::Random;

class Maker {
 public:
  explicit Maker(size_t buffers) { problem_.buffers.reserve(buffers); }

  void Add(Bytes size, int64_t begin, int64_t end) {
    problem_.buffers.push_back(
        {.name_hint = std::to_string(problem_.buffers.size()),
         .size_bytes = size,
         .alignment = 16,
         .pool_candidates = {PoolId(0)},
         .lifetimes = {{static_cast<int32_t>(begin), static_cast<int32_t>(end)}}});
  }
  size_t count() const { return problem_.buffers.size(); }

  PlanProblem Take() {
    problem_.pools = {{.pool_name = "ram"}};
    problem_.conflicts = Conflicts::FromLifetimes(problem_.buffers);
    return std::move(problem_);
  }

 private:
  PlanProblem problem_{};
};

PlanProblem Chain(size_t buffers, uint64_t seed) {
  Random random(seed);
  Maker maker(buffers);
  for (int64_t step = 0; maker.count() < buffers; ++step) {
    const Bytes channels = 8 << random.Below(5);
    const Bytes side = 4 << random.Below(4);
    const int64_t skip = random.Below(4) == 0 ? static_cast<int64_t>(random.Below(12)) : 0;
    maker.Add(channels * side * side, step, step + 2 + skip);
    if (random.Below(2) == 0)
      maker.Add(16 * static_cast<Bytes>(1 + random.Below(256)), step, step + 1);
  }
  return maker.Take();
}

PlanProblem Transformer(size_t buffers, uint64_t seed) {
  constexpr int64_t kPerLayer = 12;
  constexpr Bytes kWidth = Bytes{64} * 1024;
  Random random(seed);
  Maker maker(buffers);
  const auto layers = static_cast<int64_t>(buffers / kPerLayer + 1);
  const int64_t end = 2 * layers * kPerLayer;
  for (int64_t layer = 0; layer < layers && maker.count() < buffers; ++layer) {
    const int64_t step = layer * kPerLayer;
    const int64_t back = end - step;
    const Bytes width = kWidth + 64 * static_cast<Bytes>(random.Below(64));
    maker.Add(width, step, step + kPerLayer + 1);  // the residual
    maker.Add(width, step + 1, step + 5);          // normalized
    for (int64_t head = 0; head < 3; ++head) maker.Add(width, step + 2 + head, step + 6);
    maker.Add(4 * width, step + 5, step + 8);  // scores
    maker.Add(4 * width, step + 7, step + 9);  // weights of attention
    maker.Add(width, step + 8, step + 11);
    maker.Add(4 * width, step + 9, step + 11);  // wide part
    maker.Add(4 * width, step + 10, step + 12);
    maker.Add(width / 16, step + 3, back - 3);         // kept for the way back
    maker.Add(width, back - 4, back - 2 + kPerLayer);  // the gradient
  }
  return maker.Take();
}

PlanProblem Unstructured(size_t buffers, uint64_t seed) {
  constexpr size_t kAlive = 1000;
  Random random(seed);
  Maker maker(buffers);
  const size_t longest = std::min<size_t>(kAlive * 2, buffers);
  while (maker.count() < buffers) {
    const auto begin = static_cast<int64_t>(random.Below(buffers));
    const auto life = static_cast<int64_t>(1 + random.Below(longest));
    maker.Add(16 * static_cast<Bytes>(1 + random.Below(4096)), begin, begin + life);
  }
  return maker.Take();
}

constexpr Synthetic kProblems[] = {
    {"chain", Chain}, {"transformer", Transformer}, {"random", Unstructured}};

}  // namespace

std::span<const Synthetic> SyntheticProblems() { return kProblems; }

}  // namespace usmp::benchmarks
