"""The input of the least constraint, compiled (`control.laws.least_constraint`, where limits do not act).

L L^T = M_,    W = L^T M^-1 B,    y = L^T M^-1 f - L^-1 f_:      u = the shortest argmin |W u - y|  (1)
"""

from typing import Any

import numpy as np

from poinsot.core.jit import called
from poinsot.core.numbers import functions as functions  # compiles the primitives
from poinsot.elementary.matrices import (
    factor_cholesky,
    least_squares,
    rotate_singular,
    solve_lower,
    solve_square,
)

RANK = 1e-11  # relative: smaller singular values of W are zero
REGULAR = 1e-8  # relative: with pivots above this, W has its full rank for sure
SINGULAR = 1e-7  # relative: the smallest pivot of M_


@called
def least(M: Any, f: Any, B: Any, M_: Any, f_: Any, u: Any) -> bool:
    """Write (1) to u; return False if a matrix is singular.  M, M_ and f_ (n, 1) are destroyed."""
    n, k = B.shape
    A = np.empty((n, k + 1))
    for i in range(n):
        A[i, k] = f[i]
        for j in range(k):
            A[i, j] = B[i, j]
    if solve_square(M, A) > 0 or factor_cholesky(M_) > 0:
        return False
    smallest, largest = M_[0, 0], M_[0, 0]
    for i in range(1, n):
        smallest, largest = min(smallest, M_[i, i]), max(largest, M_[i, i])
    if not smallest > SINGULAR * largest:
        return False
    solve_lower(M_, f_)
    W, y = np.empty((n, k)), np.empty(n)
    for i in range(n):
        for j in range(k + 1):
            total = 0.0
            for l in range(i, n):
                total += M_[l, i] * A[l, j]
            if j < k:
                W[i, j] = total
            else:
                y[i] = total - f_[i, 0]
    shortest(W, y, u)
    return True


@called
def regular(R: Any, n: int) -> bool:
    """Return whether the triangle of n columns that `least_squares` leaves shows their full rank."""
    smallest, largest = abs(R[0, 0]), abs(R[0, 0])
    for i in range(1, n):
        smallest, largest = min(smallest, abs(R[i, i])), max(largest, abs(R[i, i]))
    return bool(smallest > REGULAR * largest)


@called
def shortest(W: Any, y: Any, u: Any) -> None:
    """Write the shortest u with the smallest |W u - y| to u."""
    n, k = W.shape
    if k <= n:
        R, b, order = W.copy(), y.copy(), np.arange(k)
        least_squares(R, b, order, u)
        if regular(R, k):
            return
    V, largest = np.eye(k), 0.0
    rotate_singular(W, V)
    squares = np.zeros(k)
    for j in range(k):
        for i in range(n):
            squares[j] += W[i, j] * W[i, j]
        largest = max(largest, squares[j])
        u[j] = 0.0
    for j in range(k):
        if squares[j] > RANK * RANK * largest:
            part = 0.0
            for i in range(n):
                part += W[i, j] * y[i]
            for i in range(k):
                u[i] += V[i, j] * part / squares[j]
