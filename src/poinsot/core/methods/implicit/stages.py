"""Sums over stages that are the lanes of a v4d, with coefficients in rows of four lanes.

mixed       sum over stages l of row k + l times x_l
odd         the same with differences to the first stage: if all x_l are equal, it is odd about the middle of
            the step to the last bit, and the mean of the velocities has no rounding that is the same in
            each step.  The first row has the sum of all.                                          (1)
lagrange    coefficients of the extrapolation of a polynomial
"""

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.v4d import lane


def lagrange(nodes: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lagrange's polynomials of the nodes, one in each column, at the places `at`."""
    return np.array([[np.prod([(t - m) / (x - m) for m in nodes if m != x]) for x in nodes] for t in at])


@jit
def mixed(rows: Numbers, k: int, x: float) -> float:
    """Sum over l of rows[k + l] (lane l of x)."""
    return (
        rows[k] * lane(x, 0) + rows[k + 1] * lane(x, 1) + rows[k + 2] * lane(x, 2) + rows[k + 3] * lane(x, 3)
    )


@jit
def odd(rows: Numbers, k: int, x: float) -> float:
    """(1)."""
    first = lane(x, 0)
    d = x - first
    return rows[k] * first + rows[k + 1] * lane(d, 1) + rows[k + 2] * lane(d, 2) + rows[k + 3] * lane(d, 3)


@jit
def total(x: float) -> float:
    """Sum of the lanes."""
    return lane(x, 0) + lane(x, 1) + lane(x, 2) + lane(x, 3)
