"""Angles of any size to the first quadrant (Payne & Hanek 1983), in digits of 24 bits.

    x = x0 B^q + x1 B^(q-1) + x2 B^(q-2) + x3 B^(q-3),   B = 2^24             (1)
    2/pi = d1 / B + d2 / B^2 + ...                                            (2)
    2/pi x mod 4 = sum_c B^-c sum_i x_i d_(c+q-i),   c = 0, 1, ...            (3)

as columns c < 0 are multiples of 4.  Digits and their products, summed in a column, are exact in floats, and
so is carrying; what is left of the quarter turn is a sum of digits, as accurate as if x were small.
"""

import math

import numpy as np

from poinsot.elementary.double_double import add, multiply, two_sum
from poinsot.elementary.primitives import large_formula, nearest, where

BASE, ONE_OVER_BASE = 16777216.0, 5.960464477539063e-08
LAST = 7  # column: 3 digits may vanish, 4 are those of the result
HALF_PI, HALF_PI_LOW = 1.5707963267948966, 6.123233995736766e-17


def _two_over_pi(count: int) -> tuple[float, ...]:
    """`count` digits of 2/pi, from Machin's formula in integers."""
    one = 1 << (24 * count + 64)

    def arccot(n: int) -> int:
        total, term, k = 0, one // n, 0
        while term:
            total += (-1) ** k * (term // (2 * k + 1))
            term, k = term // (n * n), k + 1
        return total

    pi = 4 * (4 * arccot(5) - arccot(239))
    ratio = 2 * one * (1 << (24 * count)) // pi
    return tuple(float(ratio >> (24 * (count - j)) & 0xFFFFFF) for j in range(1, count + 1))


ZEROS = 4  # d_(-3) ... d_0 are zero
DIGITS = np.array((0.0, 0.0, 0.0, 0.0, *_two_over_pi(LAST + 44)))


@large_formula
def large_quarter(x: float) -> tuple[float, float, float]:
    """k = integer nearest to 2/pi x, -2 <= k <= 2 modulo 4, and x - k pi/2 in two parts, for |x| >= 1."""
    finite = abs(x) < math.inf
    size = where(finite, abs(x), 1.0)
    q = (math.frexp(size)[1] - 1) // 24
    y = math.ldexp(size, -24 * q)
    x0 = float(math.floor(y))
    y = (y - x0) * BASE
    x1 = float(math.floor(y))
    y = (y - x1) * BASE
    x2 = float(math.floor(y))
    x3 = (y - x2) * BASE  # (1)
    high, low, carry, digit, weight = 0.0, 0.0, 0.0, 0.0, math.ldexp(1.0, -24 * LAST)
    j = q + LAST + ZEROS - 1  # place of d_(c + q) for c = LAST
    while weight <= 1.0:  # c = LAST, ..., 0
        s = carry + (x0 * DIGITS[j] + x1 * DIGITS[j - 1]) + (x2 * DIGITS[j - 2] + x3 * DIGITS[j - 3])  # (3)
        carry = nearest(s * ONE_OVER_BASE)
        digit = s - carry * BASE
        if weight < 1.0:
            high, low = add(two_sum(digit * weight, high), (low, 0.0))
        weight, j = weight * BASE, j - 1
    more = nearest(high)
    k = digit + more
    head, tail = multiply(add((high - more, 0.0), (low, 0.0)), (HALF_PI, HALF_PI_LOW))
    sign = math.copysign(1.0, x)
    return sign * (k - 4.0 * nearest(0.25 * k)), where(finite, sign * head, math.nan), sign * tail
