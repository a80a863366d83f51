"""Coefficients of the Gauss methods in rows of four lanes, and sums with them; see `gauss`."""

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.v4d import LANES as LANES
from poinsot.core.numbers.v4d import lane
from poinsot.elementary.quadrature import collocation, gauss_legendre

A, E1, E2, C, B, FACTS = 0, 4, 8, 16, 17, 18  # rows of the tableau
ROWS = 19


def tableau(s: int, tolerance: float) -> NDArray[np.float64]:
    """Rows of four lanes: columns of a, of the extrapolation from one and two steps; c; b; s, tolerance."""
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
def total(x: float) -> float:
    """Sum of the lanes."""
    return lane(x, 0) + lane(x, 1) + lane(x, 2) + lane(x, 3)
