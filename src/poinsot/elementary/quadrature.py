"""Quadrature of Gauss-Legendre and of Radau on [0, 1], correctly rounded: computed with integers.

P_k(x) = ((2k - 1) x P_(k-1) - (k - 1) P_(k-2)) / k                       (1)
P_s(x_i) = 0,   b_i = 1 / ((1 - x_i^2) P_s'(x_i)^2),   c_i = (1 + x_i)/2  (2)
a_ij = integral from 0 to c_i of Lagrange's polynomial j                  (3)
P_(s-1)(x_i) = P_s(x_i)   for the nodes of Radau, the last of which is 1  (4)
"""

import itertools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

ONE = 1 << 130  # numbers are integer multiples of 2^-130


def _legendre(s: int, x: int) -> tuple[int, int]:
    """P_s and its derivative at x."""
    before, here = ONE, x
    for k in range(2, s + 1):
        before, here = here, ((2 * k - 1) * x * here // ONE - (k - 1) * before) // k  # (1)
    return here, s * (before - x * here // ONE) * ONE // (ONE - x * x // ONE)


def _nodes(s: int) -> list[tuple[float, float]]:
    """Nodes c and weights b in ascending order."""
    found = []
    for i in range(s):
        x = round(-1000 * math.cos(math.pi * (i + 0.75) / (s + 0.5))) * ONE // 1000
        for _ in range(5):  # from three digits to forty
            value, slope = _legendre(s, x)
            x = x - value * ONE // slope
        slope = _legendre(s, x)[1]
        weight = Fraction(ONE**3, (ONE - x * x // ONE) * slope**2)  # (2)
        found.append((float(Fraction(ONE + x, 2 * ONE)), float(weight)))
    return found


def gauss_legendre(s: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return nodes c in (0, 1) and weights b, whose sum is 1."""
    c, b = zip(*_nodes(s), strict=True)
    return np.array(c), np.array(b)


def radau(s: int) -> NDArray[np.float64]:
    """Return the nodes of Radau in (0, 1], with 1 as the last: s of them (4)."""

    def difference(x: int) -> int:
        return _legendre(s - 1, x)[0] - _legendre(s, x)[0] if s > 1 else ONE - x

    grid = [(k - 16 * s) * ONE // (16 * s) for k in range(1, 32 * s)]  # with one root in an interval
    found = []
    for low, high in itertools.pairwise(grid):
        if (difference(low) > 0) == (difference(high) > 0):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if (difference(low) > 0) == (difference(middle) > 0) else (low, middle)
        found.append(float(Fraction(ONE + low, 2 * ONE)))
    return np.array([*found, 1.0])


def about_middle(c: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return c - 1/2 for nodes that are symmetric about 1/2: odd to the last bit."""
    upper = np.maximum(c, c[::-1]) - 0.5  # exact
    return np.where(c < 0.5, -upper, upper)


def collocation(nodes: NDArray[np.float64], ends: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return the integrals of Lagrange's polynomials of the nodes (columns) from 0 to the ends (3)."""
    exact = [Fraction(float(x)) for x in nodes]
    columns = []
    for j, node in enumerate(exact):
        polynomial = [Fraction(1)]  # coefficients, the constant first
        for other in exact[:j] + exact[j + 1 :]:
            shifted = [Fraction(0), *polynomial]
            scaled = [*(other * x for x in polynomial), Fraction(0)]
            polynomial = [(a - b) / (node - other) for a, b in zip(shifted, scaled, strict=True)]
        columns.append(polynomial)
    places = exact if ends is None else [Fraction(float(x)) for x in ends]
    return np.array(
        [[float(sum(a * t ** (k + 1) / (k + 1) for k, a in enumerate(p))) for p in columns] for t in places]
    )
