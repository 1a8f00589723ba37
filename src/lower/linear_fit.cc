#include "lower/linear_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "support/check.h"

namespace usmp::lower {
namespace {

constexpr int kMaxShift = 24;

struct Problem {
  std::span<const int8_t> table;  // rows of b_count values, one for each a
  int32_t b_count = 0;
  int32_t b_first = 0;  // of b; a starts at -128
  int32_t min = 0, max = 0;
};

struct Bounds {
  int64_t lowest = std::numeric_limits<int64_t>::min();
  int64_t highest = std::numeric_limits<int64_t>::max();
};

// The offsets with which the multipliers give the table's values. A value at an end of the range
// bounds the offset from one side only: the clamp does the rest.
Bounds FeasibleOffsets(const Problem& problem, int64_t a_multiplier, int64_t b_multiplier,
                       int shift) {
  Bounds bounds;
  for (int32_t i = 0; i < 256 && bounds.lowest <= bounds.highest; ++i) {
    const int8_t* row = problem.table.data() + static_cast<ptrdiff_t>(i) * problem.b_count;
    int64_t sum = a_multiplier * (i - 128) + b_multiplier * problem.b_first;
    for (int32_t j = 0; j < problem.b_count; ++j, sum += b_multiplier) {
      const int64_t floor = (int64_t{row[j]} * (int64_t{1} << shift)) - sum;
      if (row[j] > problem.min) bounds.lowest = std::max(bounds.lowest, floor);
      if (row[j] < problem.max) {
        bounds.highest = std::min(bounds.highest, floor + (int64_t{1} << shift) - 1);
      }
    }
  }
  return bounds;
}

std::optional<LinearFormula> TryMultipliers(const Problem& problem, int64_t a_multiplier,
                                            int64_t b_multiplier, int shift) {
  const Bounds bounds = FeasibleOffsets(problem, a_multiplier, b_multiplier, shift);
  if (bounds.lowest > bounds.highest) return std::nullopt;
  const int64_t offset = std::clamp<int64_t>(0, bounds.lowest, bounds.highest);
  const int64_t reach = (std::abs(a_multiplier) + std::abs(b_multiplier)) * 128;
  if (reach > std::numeric_limits<int32_t>::max() ||
      reach + std::abs(offset) > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return LinearFormula{static_cast<int32_t>(a_multiplier), static_cast<int32_t>(b_multiplier),
                       static_cast<int32_t>(offset), shift};
}

std::optional<LinearFormula> Fit(const Problem& problem, double a_ratio, double b_ratio) {
  constexpr int64_t kNeighbors[] = {0, 1, -1};
  const bool has_b = problem.b_count > 1;
  int tried = 0;
  for (int shift = kMaxShift; shift > 0 && tried < 3; --shift) {
    const double reach = std::ldexp((std::abs(a_ratio) + std::abs(b_ratio)) * 128 + 1, shift);
    if (!(reach < 2147483648.0)) continue;
    ++tried;
    const int64_t a = std::llround(std::ldexp(a_ratio, shift));
    const int64_t b = std::llround(std::ldexp(b_ratio, shift));
    for (int64_t a_step : kNeighbors) {
      for (int64_t b_step : kNeighbors) {
        if (!has_b && b_step != 0) continue;
        if (auto formula = TryMultipliers(problem, a + a_step, b + b_step, shift)) return formula;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<LinearFormula> FitBinary(std::span<const int8_t> table, double a_ratio,
                                       double b_ratio, int32_t min, int32_t max) {
  USMP_CHECK(table.size() == 65536);
  return Fit({.table = table, .b_count = 256, .b_first = -128, .min = min, .max = max}, a_ratio,
             b_ratio);
}

std::optional<LinearFormula> FitUnary(std::span<const int8_t> table, double ratio, int32_t min,
                                      int32_t max) {
  USMP_CHECK(table.size() == 256);
  return Fit({.table = table, .b_count = 1, .b_first = 0, .min = min, .max = max}, ratio, 0.0);
}

}  // namespace usmp::lower
