"""Coefficients of the symplectic Gauss methods, and arrays of stages.

With a state of floats the stages are the four lanes of one v4d: one group.  With any other number type (dual
numbers) they follow each other: four groups.  The same kernel reads both ways,

    X                                         n numbers of each stage, of the type of stage_zero(y)
    segment(X, k * n, n)                      those of group k
    weights(rows, r, k, y)                    row r of the coefficients, for the stages of group k
    mixed(rows, r, X, j, n, k, y)             sum over stages l of row r + l times X_l[j]
    summed(rows, r, X, j, n, y)               the same with numbers of one row: sum of b_l X_l[j]
    odd(rows, X, j, n, k, y)                  `mixed` for the row FORCES, with differences to the first stage
    spread_of(rows, X, j, n, y)               sum of b_l (X_l[j] - X_1[j])
    at_stage(X, j, n, l, y)                   X_l[j]
    over_stages(x, y)                         sum of x over the stages of a group

where y, an array of the state, only selects the way.  Lanes that no stage needs hold the end of the step.
"""

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.core.jit import jit, overload
from poinsot.core.methods.implicit import stages as implicit
from poinsot.core.methods.implicit.stages import lagrange
from poinsot.core.numbers.arrays import Numbers, records, zero_in
from poinsot.core.numbers.generation import Implementation, Type
from poinsot.core.numbers.v4d import LANES as LANES
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.elementary.linear import eig, inverse, product
from poinsot.elementary.quadrature import about_middle, collocation, gauss_legendre

# Rows of the coefficients; each matrix has its columns in four rows.
ANGLES, NODE_ANGLES, T_INVERSE, FORCES, T, DOUBLE, EYE = range(0, 7 * LANES, LANES)
B, C, USED, STAGES, MEAN, ENDS, EXTRAPOLATION = range(7 * LANES, 7 * LANES + 7)
MOST = 8  # velocities at the ends of steps that are extrapolated; row EXTRAPOLATION + m for m + 1 of them
ROWS = EXTRAPOLATION + MOST * MOST
MATRICES = ROWS * LANES  # then, for each pair of stages, C, A and B of `newton` in the basis T: four numbers
COUPLINGS = 4


def integrals(nodes: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """Their integrals from 0 to each of the ends."""
    return collocation(nodes, ends)


def couplings(s: int) -> NDArray[np.float64]:
    """Matrices C, A, B of `newton`, s x s each."""
    c, b = gauss_legendre(s)
    A = integrals(c, c)
    return np.array([np.diag(c - 0.5), A, product(((1 - A / b) * b[:, None]).T, A)])


def tableau(s: int) -> NDArray[np.float64]:
    """Rows of four numbers, one for each of s stages, and the matrices of `newton`."""
    c, b = gauss_legendre(s)
    idle = np.ones(LANES - s)
    places = np.concatenate([c, idle])
    nodes, vectors = eig(np.diag(c) - integrals(c, c))  # Lobatto's nodes without the last
    angles = integrals(c, places) - b / 2
    node_angles = integrals(c, np.concatenate([nodes.real, idle])) - b / 2
    angles[s:] = node_angles[s:] = b / 2
    back = inverse(vectors.real)
    rows = np.zeros((ROWS, LANES))

    def put(first: int, matrix: NDArray[np.float64]) -> None:
        rows[first : first + matrix.shape[1], : matrix.shape[0]] = matrix.T

    for first in (T, EYE):
        rows[first : first + LANES] = np.eye(LANES)
    put(ANGLES, angles)
    put(NODE_ANGLES, node_angles)
    put(T_INVERSE, back)
    put(FORCES, -(angles[:s] * b[:, None] / b).T)
    rows[FORCES, :s] = about_middle(c)  # the sum of the columns, see `odd`
    put(T, vectors.real)
    put(DOUBLE, lagrange(c, 2 * places))
    rows[B, :s], rows[C], rows[STAGES, 0] = b, places, s
    rows[MEAN, :s] = product(vectors.real.T, b)
    rows[ENDS] = np.concatenate([0.5 * back.sum(axis=1), idle])
    rows[USED, :s] = 1.0
    for m in range(MOST):
        put(EXTRAPOLATION + MOST * m, lagrange(-np.arange(m + 1.0), places))
    matrices = np.zeros((LANES, LANES, COUPLINGS))
    matrices[:s, :s, :3] = np.stack([product(back, x, vectors.real) for x in couplings(s)], -1)
    return np.concatenate([rows.ravel(), matrices.ravel()])


def groups(y: Numbers) -> int:
    """Number of groups of stages."""
    return LANES


def stage_zero(y: Numbers) -> float:
    """Zero of the number type of the stages."""
    return 0.0


def weights(rows: Numbers, r: int, k: int, y: Numbers) -> float:
    """Row r of the coefficients for group k."""
    return float(rows[LANES * r + k])


def mixed(rows: Numbers, r: int, X: Numbers, j: int, n: int, k: int, y: Numbers) -> float:
    """Sum over stages l of row r + l times X_l[j], for group k."""
    i = LANES * r + k
    return (
        rows[i] * X[j]
        + rows[i + LANES] * X[n + j]
        + rows[i + 2 * LANES] * X[2 * n + j]
        + rows[i + 3 * LANES] * X[3 * n + j]
    )


def summed(rows: Numbers, r: int, X: Numbers, j: int, n: int, y: Numbers) -> float:
    """Sum over stages l of the l-th number of row r times X_l[j]."""
    i = LANES * r
    return rows[i] * X[j] + rows[i + 1] * X[n + j] + rows[i + 2] * X[2 * n + j] + rows[i + 3] * X[3 * n + j]


def odd(rows: Numbers, X: Numbers, j: int, n: int, k: int, y: Numbers) -> float:
    """Sum over stages l of row FORCES + l times X_l[j], for group k (`odd` of `implicit.stages`)."""
    i, first = LANES * FORCES + k, X[j]
    return (
        rows[i] * first
        + rows[i + LANES] * (X[n + j] - first)
        + rows[i + 2 * LANES] * (X[2 * n + j] - first)
        + rows[i + 3 * LANES] * (X[3 * n + j] - first)
    )


def at_stage(X: Numbers, j: int, n: int, l: int, y: Numbers) -> float:
    """X_l[j]."""
    return X[l * n + j]


def over_stages(x: float, y: Numbers) -> float:
    """Sum of x over the stages of a group."""
    return x


@jit
def lanes_of(rows: Numbers) -> Numbers:
    """The coefficients as rows of four lanes."""
    return records(rows, 0, ROWS, from_lanes(0.0, 0.0, 0.0, 0.0))


def _weights_lanes(rows, r, k, y):  # type: ignore[no-untyped-def]
    return lanes_of(rows)[r]


def _mixed_lanes(rows, r, X, j, n, k, y):  # type: ignore[no-untyped-def]
    return implicit.mixed(lanes_of(rows), r, X[j])


def _summed_lanes(rows, r, X, j, n, y):  # type: ignore[no-untyped-def]
    return implicit.total(lanes_of(rows)[r] * X[j])


def _odd_lanes(rows, X, j, n, k, y):  # type: ignore[no-untyped-def]
    return implicit.odd(lanes_of(rows), FORCES, X[j])


def _in_lanes(y: Type) -> bool:
    return bool(y.dtype == float64)


@overload(groups)
def _groups(y: Type) -> Implementation:
    return (lambda y: 1) if _in_lanes(y) else (lambda y: LANES)


@overload(stage_zero)
def _stage_zero(y: Type) -> Implementation:
    return (lambda y: from_lanes(0.0, 0.0, 0.0, 0.0)) if _in_lanes(y) else (lambda y: zero_in(y))


@overload(weights)
def _weights(rows: Type, r: Type, k: Type, y: Type) -> Implementation:
    return _weights_lanes if _in_lanes(y) else weights


@overload(mixed)
def _mixed(rows: Type, r: Type, X: Type, j: Type, n: Type, k: Type, y: Type) -> Implementation:
    return _mixed_lanes if _in_lanes(y) else mixed


@overload(summed)
def _summed(rows: Type, r: Type, X: Type, j: Type, n: Type, y: Type) -> Implementation:
    return _summed_lanes if _in_lanes(y) else summed


@overload(odd)
def _odd(rows: Type, X: Type, j: Type, n: Type, k: Type, y: Type) -> Implementation:
    return _odd_lanes if _in_lanes(y) else odd


@overload(over_stages)
def _over_stages(x: Type, y: Type) -> Implementation:
    if _in_lanes(y):
        return lambda x, y: implicit.total(x)
    return over_stages


@overload(at_stage)
def _at_stage(X: Type, j: Type, n: Type, l: Type, y: Type) -> Implementation:
    return (lambda X, j, n, l, y: lane(X[j], l)) if _in_lanes(y) else at_stage


@jit
def spread_of(rows: Numbers, X: Numbers, j: int, n: int, y: Numbers) -> float:
    """Sum over stages l of b_l (X_l[j] - X_1[j])."""
    i, first = LANES * B, at_stage(X, j, n, 0, y)
    return (
        rows[i + 1] * (at_stage(X, j, n, 1, y) - first)
        + rows[i + 2] * (at_stage(X, j, n, 2, y) - first)
        + rows[i + 3] * (at_stage(X, j, n, 3, y) - first)
    )
