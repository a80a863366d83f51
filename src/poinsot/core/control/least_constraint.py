"""The input that comes nearest to a wanted behavior: Gauss' principle of least constraint.

    plant M a + f = B u,     wanted M_ a + f_ = 0,     minimise  |a + M_^-1 f_|^2 / 2 in the metric M_  (1)
    L L^T = M_,    W = L^T M^-1 B,    y = L^T M^-1 f - L^-1 f_:      u = the shortest argmin |W u - y|  (2)

Where (2) breaks limits Z u <= b, it becomes a quadratic program (`quadratic_program`) with H = W^T W.  There,
factors of the metric (a diagonal d) may replace M_ by sqrt(d) M_ sqrt(d), whose root is sqrt(d) L:

    W = L^T sqrt(d) M^-1 B,          y = L^T sqrt(d) (M^-1 f - M_^-1 f_)                                (3)

If H is singular it is made definite by the smallest amount that rounding allows, which picks the shortest u.
"""

from functools import cache
from math import copysign, sqrt
from typing import Any

import numpy as np
from numba import float64, int64

from poinsot.core.control.quadratic_program import minimize
from poinsot.core.control.records import DECIDED, NOT_DEFINITE, NOT_FINITE, SINGULAR_PLANT, Limits
from poinsot.core.jit import called, entry, jit, ready
from poinsot.core.numbers import functions as functions  # compiles the primitives
from poinsot.core.numbers.arrays import Floats
from poinsot.elementary.matrices import (
    factor_cholesky,
    least_squares,
    rotate_singular,
    solve_lower,
    solve_square,
)

RANK = 1e-11  # relative: smaller singular values of W are zero
REGULAR = 1e-8  # relative to its column: with pivots above this, W has its full rank for sure
SINGULAR = 1e-7  # relative to its own diagonal element: a pivot of M_, at about the root of the rounding
DEFINITE = 1e-9  # relative: the term that makes H definite where the inputs are redundant


@jit
def over(limits: Limits, u: Any) -> Any:
    """Where inputs break Z u <= b or are not numbers, as bool or mask."""
    nu, total = u.size, u[0]
    for j in range(1, nu):
        total = total + u[j]
    found = total != total
    for row in range(limits.b.size):
        left = 0.0 * u[0]
        for j in range(nu):
            left = left + limits.Z[row * nu + j] * u[j]
        found = found | (left > limits.b[row])
    return found


@called
def finite(u: Floats) -> bool:
    """Return whether all numbers are finite."""
    zero = 0.0
    for j in range(u.size):
        zero += 0.0 * u[j]
    return zero == 0.0


@called
def clip(limits: Limits, u: Floats) -> None:
    """Move each input to its nearest admissible value."""
    for j in range(u.size):
        u[j] = limits.low[j] if u[j] < limits.low[j] else limits.high[j] if u[j] > limits.high[j] else u[j]


@called
def saturate(limits: Limits, u: Floats) -> None:
    """Move each input to its nearest admissible value, a tilting rotor by its tilt and thrust."""
    j = 0
    while j < u.size:
        low, high, cosine = limits.low[j], limits.high[j], limits.tilt[j]
        if cosine == 0.0:
            u[j] = low if u[j] < low else high if u[j] > high else u[j]
            j += 1
            continue
        c, s, sine = u[j], u[j + 1], limits.tilt[j + 1]
        thrust = sqrt(c * c + s * s)
        if c < thrust * cosine:
            c, s = thrust * cosine, copysign(thrust * sine, s)
        if thrust > high:
            c, s = c * (high / thrust), s * (high / thrust)
        if c < low:
            side = sqrt(high * high - low * low)
            side = min(side, low * sine / cosine) if cosine > 0.0 else side
            c, s = low, min(max(u[j + 1], -side), side)
        u[j], u[j + 1] = c, s
        j += 2


@called
def regular(R: Any, n: int) -> bool:
    """Return whether the triangle of n columns that `least_squares` leaves shows their full rank."""
    for j in range(n):
        square = 0.0
        for i in range(j + 1):
            square += R[i, j] * R[i, j]
        if not abs(R[j, j]) > REGULAR * sqrt(square):
            return False
    return True


@called
def shortest(W: Any, y: Floats, u: Floats) -> int:
    """Write the shortest u with the smallest |W u - y| to u; return the rank of W, which is destroyed."""
    n, k = W.shape
    if k <= n:
        R, b, order = W.copy(), y.copy(), np.arange(k)
        least_squares(R, b, order, u)
        if regular(R, k):
            return int(k)
    V, largest, rank = np.eye(k), 0.0, 0
    rotate_singular(W, V)
    squares = np.zeros(k)
    for j in range(k):
        for i in range(n):
            squares[j] += W[i, j] * W[i, j]
        largest = max(largest, squares[j])
        u[j] = 0.0
    for j in range(k):
        if squares[j] > RANK * RANK * largest:
            part, rank = 0.0, rank + 1
            for i in range(n):
                part += W[i, j] * y[i]
            for i in range(k):
                u[i] += V[i, j] * part / squares[j]
    return rank


@called
def _weigh(L: Any, A: Any, W: Any, y: Floats) -> None:
    """Write L^T times the columns of A to W, and to y for the last one."""
    n, k = W.shape
    for i in range(n):
        for j in range(k + 1):
            total = 0.0
            for l in range(i, n):
                total += L[l, i] * A[l, j]
            if j < k:
                W[i, j] = total
            else:
                y[i] = total


@called
def within_limits(W: Any, redundant: bool, limits: Limits, u: Floats, active: Floats) -> int:
    """Replace u, the best input without limits, by the best one within them; W is that of (2) or (3)."""
    n, k = W.shape
    H, trace = np.zeros((k, k)), 0.0
    for i in range(k):
        for j in range(k):
            for l in range(n):
                H[i, j] += W[l, i] * W[l, j]
        trace += H[i, i]
    for i in range(k):
        H[i, i] += DEFINITE * trace / k if redundant else 0.0
    rows = limits.b.size
    return minimize(H, limits.Z.reshape((rows, k)), limits.b, u, active, np.empty(rows))


@called
def least_constraint(
    M: Any, f: Floats, B: Any, M_: Any, f_: Floats, factors: Floats, limits: Limits, u: Floats, active: Floats
) -> int:
    """Write the input to u, and 1 to `active` for the limits that act."""
    n, k = B.shape
    A, L, g = np.empty((n, k + 1)), M_.copy(), np.empty((n, 1))
    for i in range(n):
        A[i, k], g[i, 0] = f[i], f_[i]
        for j in range(k):
            A[i, j] = B[i, j]
    for row in range(active.size):
        active[row] = 0.0
    if factor_cholesky(L) > 0:
        return NOT_DEFINITE
    for i in range(n):
        if not L[i, i] > SINGULAR * sqrt(M_[i, i]):
            return NOT_DEFINITE
    if solve_square(M.copy(), A) > 0:
        return SINGULAR_PLANT
    solve_lower(L, g)
    W, y = np.empty((n, k)), np.empty(n)
    _weigh(L, A, W, y)
    for i in range(n):
        y[i] -= g[i, 0]
    full = W.copy()
    rank = shortest(W, y, u)
    if not finite(u):
        return NOT_FINITE
    if active.size == 0 or not over(limits, u):
        return DECIDED
    if factors.size > 0:
        for i in range(n - 1, -1, -1):  # M_^-1 f_
            for l in range(i + 1, n):
                g[i, 0] -= L[l, i] * g[l, 0]
            g[i, 0] /= L[i, i]
        for i in range(n):
            root = sqrt(factors[i])
            A[i, k] = root * (A[i, k] - g[i, 0])
            for j in range(k):
                A[i, j] = root * A[i, j]
        _weigh(L, A, full, y)
        shortest(full.copy(), y, u)
    status = within_limits(full, rank < k, limits, u, active)
    clip(limits, u)
    return status if finite(u) else NOT_FINITE


def _solve(M, f, B, M_, f_, Z, b, u, active):  # type: ignore[no-untyped-def]
    n, k = f.size, u.size
    limits = Limits(Z, b, np.full(k, -np.inf), np.full(k, np.inf), np.zeros(k))
    shaped = M.reshape((n, n)), B.reshape((n, k)), M_.reshape((n, n))
    return least_constraint(shaped[0], f, shaped[1], shaped[2], f_, np.empty(0), limits, u, active)


X = float64[::1]
_entry = entry("control.least_constraint", int64(X, X, X, X, X, X, X, X, X))(_solve)


@cache
def solver() -> Any:
    """Return solve(M, f, B, M_, f_, Z, b, u, active) -> status; all arrays are flat."""
    return ready(_entry)
