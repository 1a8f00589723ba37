"""The integer arithmetic of TensorFlow Lite's reference kernels, double rounding, on numpy arrays.

Independent of the C++ and C of this project: the expected outputs of the samples come from here.
"""
import math

import numpy as np

INT32_MAX = 2 ** 31 - 1


def doubling_high_multiply(a, b):
    """a * b / 2^31, ties to +infinity; the one overflow saturates."""
    a, b = np.asarray(a, np.int64), np.asarray(b, np.int64)
    return np.minimum((a * b + (1 << 30)) >> 31, INT32_MAX)


def rounding_shift_right(x, exponent):
    """x / 2^exponent, ties away from zero. `exponent` may be an array."""
    mask = (np.int64(1) << np.asarray(exponent, np.int64)) - 1
    return (x >> exponent) + ((x & mask) > (mask >> 1) + (x < 0))


def quantize_multiplier(real):
    """real = multiplier / 2^31 * 2^shift."""
    if real == 0:
        return 0, 0
    fraction, shift = math.frexp(real)
    multiplier = math.floor(fraction * 2 ** 31 + .5)
    if multiplier == 2 ** 31:
        multiplier, shift = multiplier // 2, shift + 1
    return (0, 0) if shift < -31 else (multiplier, shift)


def requantize(x, multiplier, shift):
    """x * multiplier * 2^(shift - 31); multiplier and shift may be arrays over the last dimension."""
    shift = np.asarray(shift, np.int64)
    scaled = np.asarray(x, np.int64) << np.maximum(shift, 0)
    return rounding_shift_right(doubling_high_multiply(scaled, multiplier), np.maximum(-shift, 0))


def _saturating_shift_left(x, exponent):
    return np.clip(np.asarray(x, np.int64) << exponent, -2 ** 31, INT32_MAX)


def _exp_near_zero(y):
    """exp(y) for y in [-1/4, 0), both with 31 fraction bits: a polynomial around -1/8."""
    x = y + (1 << 28)
    x2 = doubling_high_multiply(x, x)
    x3, x4 = doubling_high_multiply(x2, x), doubling_high_multiply(x2, x2)
    cubic = doubling_high_multiply(rounding_shift_right(x4, 2) + x3, 715827883) + x2
    term = 1895147668  # exp(-1/8)
    return term + doubling_high_multiply(term, x + rounding_shift_right(cubic, 1))


def exp_on_negative_values(a):
    """exp(a) with 31 fraction bits; a <= 0 has 26."""
    quarter = 1 << 24
    near = (a & (quarter - 1)) - quarter
    result, rest = _exp_near_zero(near << 5), near - a
    factors = [1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242]
    for exponent, factor in enumerate(factors, start=-2):  # exp(-2^exponent)
        hit = (rest & (1 << (26 + exponent))) != 0
        result = np.where(hit, doubling_high_multiply(result, factor), result)
    return np.where(a == 0, INT32_MAX, result)


def one_over_one_plus_x(a):
    """1 / (1 + a) for a in [0, 1), both with 31 fraction bits: three Newton steps."""
    half = (a + INT32_MAX + 1) // 2
    x = 1515870810 + doubling_high_multiply(half, -1010580540)
    for _ in range(3):
        error = (1 << 29) - doubling_high_multiply(half, x)
        x = x + _saturating_shift_left(doubling_high_multiply(x, error), 2)
    return _saturating_shift_left(x, 1)


def softmax(x, scale):
    """int8 logits [n, classes] -> int8 probabilities of scale 1/256 and zero point -128."""
    multiplier, shift = quantize_multiplier(min(float(scale) * 2 ** 26, INT32_MAX))
    smallest = -math.floor(31 * 2 ** 26 / 2 ** shift)
    diff = x.astype(np.int64) - x.max(axis=1, keepdims=True)
    counted = diff >= smallest
    exps = exp_on_negative_values(doubling_high_multiply(np.where(counted, diff, 0) << shift, multiplier))
    total = np.where(counted, rounding_shift_right(exps, 12), 0).sum(axis=1, keepdims=True)
    headroom = 32 - np.vectorize(lambda v: int(v).bit_length())(total)
    reciprocal = one_over_one_plus_x((total << headroom) - (1 << 31))
    scaled = doubling_high_multiply(reciprocal, exps)
    out = rounding_shift_right(scaled, 12 - headroom + 31 - 8) - 128
    return np.where(counted, np.clip(out, -128, 127), -128).astype(np.int8)
