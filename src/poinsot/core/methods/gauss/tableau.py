"""Coefficients of the Gauss methods in rows of four lanes, and sums with them; see `gauss`.

Sums are written with differences to the first stage,

    sum_l b_l x_l = x_1 + sum_l b_l (x_l - x_1),                                                   (1)
    sum_l (a_kl - b_l/2) x_l = (c_k - 1/2) x_1 + sum_l (a_kl - b_l/2) (x_l - x_1)                  (2)

so that equal stages have their own value as mean, and are odd about the middle of the step, to the last bit
((2) is `odd` of `implicit.stages`).
"""

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import jit
from poinsot.core.methods.implicit.stages import lagrange
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.v4d import LANES as LANES
from poinsot.core.numbers.v4d import lane
from poinsot.elementary.double_double import Double, two_sum
from poinsot.elementary.quadrature import about_middle, collocation, gauss_legendre

A, E1, E2, ODD, C, B, FACTS = 0, 4, 8, 16, 20, 21, 22  # rows of the tableau
ROWS = 23


def tableau(s: int, tolerance: float) -> NDArray[np.float64]:
    """Rows of four lanes.
    Columns of a, of the extrapolation from one and from two steps, and of (2); c; b; s and the tolerance."""
    c, b = gauss_legendre(s)
    a = collocation(c)

    once, twice = (
        lagrange(c, 1 + c),
        lagrange(np.concatenate([c - 1, c]), 1 + c),
    )  # at the stages of the next step
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
def exact_mean(rows: Numbers, x: float) -> Double:
    """(1), and the rounding of its first sum."""
    d = rows[B] * (x - lane(x, 0))
    return two_sum(lane(x, 0), lane(d, 1) + lane(d, 2) + lane(d, 3))
