"""A small convex quadratic program by the dual active-set method (Goldfarb and Idnani 1983).

    minimise  (u - u0)^T H (u - u0) / 2    subject to    Z u <= b,      H positive definite             (1)

It starts at u0 and adds violated rows one at a time; a row whose multiplier would become negative is
dropped.  With H = L L^T, the normal n of the row that is added, and the active rows as columns of N,

    A = L^-1 N,   w = L^-1 n:      r = argmin |A r - w|,      z = -L^-T (w - A r)                       (2)
    step          t = min(slack / |w - A r|^2, smallest lambda_i / r_i with r_i > 0)                    (3)

u moves by t z, the multipliers of the active rows by -t r.  Every added row lowers the dual gap, so that the
method ends; where no point is feasible, (3) is infinite.  A row that depends on the active ones (w = A r) and
is violated by their rounding alone is satisfied, until one of them is dropped.  All tolerances are relative
to the numbers of a row, so that the units of u do not matter.  The result is corrected once to rounding,

    [[H, N], [N^T, 0]] (du, dlambda) = (H (u0 - u) - N lambda, b - N^T u)                               (4)
"""

from math import sqrt
from typing import Any

import numpy as np

from poinsot.core.control.records import DECIDED, ENDLESS, EXCLUDED, NOT_DEFINITE
from poinsot.core.jit import called
from poinsot.core.numbers import functions as functions  # compiles the primitives
from poinsot.core.numbers.arrays import Floats
from poinsot.elementary.matrices import factor_cholesky, least_squares, solve_lower, solve_square

TOLERANCE = 1e-13  # relative: a row that is violated by less is satisfied
DEPENDENT = 1e-10  # relative: so is a row that depends on the active ones, which are off by their rounding
PARALLEL = 1e-11  # relative: a direction shorter than this is zero
ACTIVE, SATISFIED = 1.0, -1.0  # marks of rows
TINY = 2.2250738585072014e-308


@called
def _directions(inverse: Any, N: Any, order: Any, count: int, worst: int, z: Floats, r: Floats) -> Any:
    """Write (2) to z and r; return |w - A r|^2 and |w|^2."""
    n = inverse.shape[0]
    A, w, rest = np.empty((n, count)), np.zeros(n), np.zeros(n)
    for i in range(n):
        for j in range(i + 1):
            w[i] += inverse[i, j] * N[worst, j]
        for k in range(count):
            A[i, k] = 0.0
            for j in range(i + 1):
                A[i, k] += inverse[i, j] * N[order[k], j]
    if count > 0:
        least_squares(A.copy(), w.copy(), np.arange(count), r)
    free, whole = 0.0, 0.0
    for i in range(n):
        rest[i] = w[i]
        for k in range(count):
            rest[i] -= A[i, k] * r[k]
        free, whole = free + rest[i] * rest[i], whole + w[i] * w[i]
    for j in range(n):
        z[j] = 0.0
        for i in range(j, n):
            z[j] -= inverse[i, j] * rest[i]
    return free, whole


@called
def _correct(H: Any, u0: Floats, N: Any, c: Floats, order: Any, count: int, u: Floats, lam: Floats) -> None:
    """Correct u and the multipliers by (4)."""
    n = u.size
    K, miss = np.zeros((n + count, n + count)), np.zeros((n + count, 1))
    for i in range(n):
        for j in range(n):
            K[i, j] = H[i, j]
            miss[i, 0] += H[i, j] * (u0[j] - u[j])
    for k in range(count):
        row = order[k]
        miss[n + k, 0] = c[row]
        for j in range(n):
            K[n + k, j] = K[j, n + k] = N[row, j]
            miss[j, 0] -= N[row, j] * lam[k]
            miss[n + k, 0] -= N[row, j] * u[j]
    if solve_square(K, miss) == 0:
        for i in range(n):
            u[i] += miss[i, 0]
        for k in range(count):
            lam[k] += miss[n + k, 0]


@called
def _slack(N: Any, c: Floats, u: Floats, u0: Floats, i: int) -> Any:
    """How far u is beyond row i, and the size of the numbers in it."""
    slack, size = -c[i], abs(c[i])
    for j in range(u.size):
        slack += N[i, j] * u[j]
        size += abs(N[i, j]) * max(abs(u[j]), abs(u0[j]))
    return slack, size


@called
def _worst(N: Any, c: Floats, active: Floats, u: Floats, u0: Floats) -> int:
    """The row that is violated most for its size, or -1."""
    worst, most = -1, TOLERANCE
    for i in range(c.size):
        if active[i] == 0.0:
            slack, size = _slack(N, c, u, u0, i)
            if slack > most * size:
                worst, most = i, slack / size
    return worst


@called
def minimize(H: Any, Z: Any, b: Floats, u: Floats, active: Floats, multipliers: Floats) -> int:
    """Replace u = u0 by the solution of (1); write 1 to `active` for its rows, and the multipliers."""
    (rows, n), L, inverse = Z.shape, H.copy(), np.eye(H.shape[0])
    if factor_cholesky(L) > 0:
        return NOT_DEFINITE
    solve_lower(L, inverse)
    N, c, sizes = np.empty((rows, n)), np.empty(rows), np.empty(rows)  # rows of length one
    for i in range(rows):
        square = 0.0
        for j in range(n):
            square += Z[i, j] * Z[i, j]
        sizes[i] = max(sqrt(square), TINY)
        c[i], active[i], multipliers[i] = b[i] / sizes[i], 0.0, 0.0
        for j in range(n):
            N[i, j] = Z[i, j] / sizes[i]
    u0, order, lam = u.copy(), np.zeros(n + 1, dtype=np.int64), np.zeros(n + 1)
    z, r, count = np.empty(n), np.zeros(n + 1), 0
    worst, added = _worst(N, c, active, u, u0), 0.0
    for _ in range(100 * (rows + n) + 100):
        if worst < 0:
            _correct(H, u0, N, c, order, count, u, lam)
            for i in range(rows):
                active[i] = max(active[i], 0.0)
            for k in range(count):
                multipliers[order[k]] = lam[k] / sizes[order[k]]
            return DECIDED
        slack, size = _slack(N, c, u, u0, worst)
        free, whole = _directions(inverse, N, order, count, worst, z, r)
        dependent = count == n or free <= PARALLEL * whole
        if dependent and added == 0.0 and slack > DEPENDENT * size:  # is it the rounding of a large H^-1?
            _correct(H, u0, N, c, order, count, u, lam)
            slack, size = _slack(N, c, u, u0, worst)
        if dependent and added == 0.0 and slack <= DEPENDENT * size:
            active[worst] = SATISFIED
            worst = _worst(N, c, active, u, u0)
            continue
        largest = 0.0
        for k in range(count):
            largest = max(largest, abs(r[k]))
        partial, out = np.inf, -1
        for k in range(count):
            if r[k] > PARALLEL * (1.0 + largest) and lam[k] / r[k] < partial:
                partial, out = lam[k] / r[k], k
        full = np.inf if dependent else slack / free
        t = min(full, partial)
        if t == np.inf:
            return EXCLUDED
        added += t
        for k in range(count):
            lam[k] -= t * r[k]
        if full < np.inf:
            for j in range(n):
                u[j] += t * z[j]
        if t == full:
            order[count], lam[count], active[worst] = worst, added, ACTIVE
            worst, added, count = _worst(N, c, active, u, u0), 0.0, count + 1
        else:
            active[order[out]], count = 0.0, count - 1
            for k in range(out, count):
                order[k], lam[k] = order[k + 1], lam[k + 1]
            for i in range(rows):
                active[i] = max(active[i], 0.0)
    return ENDLESS
