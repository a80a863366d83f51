"""The loop by which the notebook sums dlog on se(3), as it stands and corrected.

    dlog(V) = 1 - ad/2 + sum_{j = 2, 4, ...} B_j/j! ad^j                                  (1)

The loop takes j = 2, 4, 6 ... and multiplies the power by ad once each time: with B_4/4! comes ad^3 and
with B_6/6! comes ad^4.  It ends when the sum no longer changes; entries below 1e-10 count as zero.
"""

from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

import poinsot as ps
from poinsot_papers.claims import Array

MAX_TERMS = 100  # for |V| < 2 pi the sum converges long before
CHOP = 1e-10  # threshold of Mathematica's Chop


@cache
def bernoulli(n: int) -> Fraction:
    """Return the Bernoulli number B_n, with B_1 = -1/2: sum_k C(n + 1, k) B_k = 0."""
    if n == 0:
        return Fraction(1)
    if n > 1 and n % 2:
        return Fraction(0)
    return -sum((comb(n + 1, k) * bernoulli(k) for k in range(n)), Fraction(0)) / (n + 1)


@cache
def ratio(n: int) -> float:
    """Return B_n / n!."""
    return float(bernoulli(n) / factorial(n))


class Sum(NamedTuple):
    """Sum of the series and the index at which it ended."""

    matrix: Array
    stop: int  # j at the end of the loop


def loop(V: ArrayLike, repaired: bool = False) -> Sum:
    """Sum (1) as the notebook does, or with the right powers."""
    ad = ps.se3.ad(V)
    power, before, total, j = ad, np.eye(6), np.eye(6) - ad / 2, 2
    while j <= MAX_TERMS and not np.array_equal(chopped(total), chopped(before)):
        power = power @ ad
        if repaired and j > 2:
            power = power @ ad
        before, total = total, total + ratio(j) * power
        j += 2
    return Sum(total, j)


def chopped(M: Array) -> Array:
    """Replace small entries by zero."""
    return np.where(np.abs(M) < CHOP, 0.0, M)
