"""Coefficients of the Gauss methods in rows of four lanes, and sums with them; see `gauss`.

Sums are written with differences to the first stage,

    sum_l b_l x_l = x_1 + sum_l b_l (x_l - x_1),                                                   (1)
    sum_l (a_kl - b_l/2) x_l = (c_k - 1/2) x_1 + sum_l (a_kl - b_l/2) (x_l - x_1)                  (2)

so that equal stages have their own value as mean, and are odd about the middle of the step, to the last bit.
"""

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.v4d import LANES as LANES
from poinsot.core.numbers.v4d import lane
from poinsot.elementary.double_double import Double, two_sum
from poinsot.elementary.quadrature import about_middle, collocation, gauss_legendre

A, E1, E2, ODD, C, B, FACTS = 0, 4, 8, 16, 20, 21, 22  # rows of the tableau
ROWS = 23


def tableau(s: int, tolerance: float) -> NDArray[np.float64]:
    """Rows of four lanes.

    Columns of a, of the extrapolation from one and from two steps, and of (2); c; b; s and the tolerance.
    """
    c, b = gauss_legendre(s)
    a = collocation(c)

    def extrapolated(nodes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of Lagrange's polynomials of the nodes at the stages of the next step."""
        return np.array(
            [[np.prod([(1 + ck - m) / (node - m) for m in nodes if m != node]) for node in nodes] for ck in c]
        )

    once, twice = extrapolated(c), extrapolated(np.concatenate([c - 1, c]))
    rows = np.zeros((ROWS, LANES))
    rows[A : A + s, :s], rows[E1 : E1 + s, :s] = a.T, once.T
    rows[E2 : E2 + s, :s], rows[E2 + 4 : E2 + 4 + s, :s] = twice[:, :s].T, twice[:, s:].T
    rows[ODD : ODD + s, :s] = (a - b / 2).T
    rows[ODD, :s] = about_middle(c)
    rows[C, :s], rows[B, :s] = c, b
    rows[:B, s:] = rows[:B, s - 1 : s]
    rows[FACTS, :2] = s, tolerance
    return rows


@jit
def mixed(rows: Numbers, k: int, x: float) -> float:
    """Sum over l of rows[k + l] (lane l of x)."""
    return (
        rows[k] * lane(x, 0) + rows[k + 1] * lane(x, 1) + rows[k + 2] * lane(x, 2) + rows[k + 3] * lane(x, 3)
    )


@jit
def exact_mean(rows: Numbers, x: float) -> Double:
    """(1), and the rounding of its first sum."""
    d = rows[B] * (x - lane(x, 0))
    return two_sum(lane(x, 0), lane(d, 1) + lane(d, 2) + lane(d, 3))


@jit
def odd(rows: Numbers, x: float) -> float:
    """(2)."""
    first = lane(x, 0)
    d = x - first
    return (
        rows[ODD] * first
        + rows[ODD + 1] * lane(d, 1)
        + rows[ODD + 2] * lane(d, 2)
        + rows[ODD + 3] * lane(d, 3)
    )


@jit
def total(x: float) -> float:
    """Sum of the lanes."""
    return lane(x, 0) + lane(x, 1) + lane(x, 2) + lane(x, 3)
