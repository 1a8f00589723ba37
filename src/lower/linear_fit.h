// Integer formulas in place of chains of requantizations.
//
// A quantized operator of one or two bytes is a function on 256 or 65536 points. Where
// clamp((a * a_multiplier + b * b_multiplier + offset) >> shift) in 32 bits takes the reference's
// value on every one of them, it is the operator: faster, shorter, and byte for byte equal. The
// search tries multipliers next to the real ratios; the proof is that all points are tried.
#ifndef USMP_LOWER_LINEAR_FIT_H_
#define USMP_LOWER_LINEAR_FIT_H_

#include <cstdint>
#include <optional>
#include <span>

namespace usmp::lower {

struct LinearFormula {
  int32_t a_multiplier = 0;
  int32_t b_multiplier = 0;  // 0 for one operand
  int32_t offset = 0;
  int32_t shift = 0;
};

// table[(a + 128) * 256 + (b + 128)] is the value for a and b, clamped to [min, max]; a_ratio and
// b_ratio are about how much it grows with each. No sum of the formula leaves int32.
std::optional<LinearFormula> FitBinary(std::span<const int8_t> table, double a_ratio,
                                       double b_ratio, int32_t min, int32_t max);

// table[a + 128] is the value for a.
std::optional<LinearFormula> FitUnary(std::span<const int8_t> table, double ratio, int32_t min,
                                      int32_t max);

}  // namespace usmp::lower

#endif  // USMP_LOWER_LINEAR_FIT_H_
