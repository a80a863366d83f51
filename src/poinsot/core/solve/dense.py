"""Dense linear algebra of `elementary.matrices`, compiled: for mass matrices and loops of any size.

    product(A, B)             A B; B may be a vector
    cholesky(A)               L of A = L L^T; LinAlgError if A is not positive
    solve_lower(L, b)         L^-1 b, solve_upper(U, b): U^-1 b
    svd(A)                    U (m, k), s (k,), V^T (n, n) of any A (m, n), k = min(m, n), s descending
    least_squares(A, b)       the y with the smallest |A y - b|

The same bits on every machine, unlike LAPACK (see `poinsot.elementary`).
"""

from functools import cache

import numpy as np
from numba import float64, int64, void

from poinsot.core.jit import Compiled, entry, ready
from poinsot.core.numbers import functions as functions  # compiles the primitives
from poinsot.core.numbers.arrays import Floats
from poinsot.elementary import matrices

MATRIX = float64[:, ::1]
SIGNATURES = {
    "multiply": void(MATRIX, MATRIX, MATRIX),
    "factor_cholesky": int64(MATRIX),
    "solve_lower": void(MATRIX, MATRIX),
    "solve_upper": void(MATRIX, MATRIX),
    "rotate_singular": void(MATRIX, MATRIX),
    "least_squares": void(MATRIX, float64[::1], int64[::1], float64[::1]),
}
CALLS: dict[str, Compiled] = {
    "multiply": lambda A, B, C: matrices.multiply(A, B, C),
    "factor_cholesky": lambda A: matrices.factor_cholesky(A),
    "solve_lower": lambda L, B: matrices.solve_lower(L, B),
    "solve_upper": lambda U, B: matrices.solve_upper(U, B),
    "rotate_singular": lambda A, V: matrices.rotate_singular(A, V),
    "least_squares": lambda A, b, order, y: matrices.least_squares(A, b, order, y),
}


@cache
def _kernel(name: str) -> Compiled:
    return ready(entry(f"dense.{name}", SIGNATURES[name])(CALLS[name]))


def _copied(A: Floats) -> Floats:
    return np.array(A, dtype=float, order="C")


def _columns(b: Floats) -> Floats:
    """A copy of one vector or several as a matrix."""
    return _copied(b).reshape(len(b), -1)


def product(A: Floats, B: Floats) -> Floats:
    out = np.empty((A.shape[0], 1 if B.ndim == 1 else B.shape[1]))
    _kernel("multiply")(np.ascontiguousarray(A), _columns(B), out)
    return out.reshape(A.shape[0], *B.shape[1:])


def cholesky(A: Floats) -> Floats:
    L = _copied(A)
    if _kernel("factor_cholesky")(L):
        raise np.linalg.LinAlgError("matrix is not positive definite")
    return L


def solve_lower(L: Floats, b: Floats) -> Floats:
    x = _columns(b)
    _kernel("solve_lower")(np.ascontiguousarray(L), x)
    return x.reshape(b.shape)


def solve_upper(U: Floats, b: Floats) -> Floats:
    x = _columns(b)
    _kernel("solve_upper")(np.ascontiguousarray(U), x)
    return x.reshape(b.shape)


def svd(A: Floats) -> tuple[Floats, Floats, Floats]:
    US, V = _copied(A), np.eye(A.shape[1])
    _kernel("rotate_singular")(US, V)
    s = np.sqrt((US * US).sum(axis=0))
    order = np.argsort(-s, kind="stable")
    count = min(A.shape)
    s, US, V = s[order], US[:, order], V[:, order]
    return US[:, :count] / np.where(s > 0.0, s, 1.0)[:count], s[:count], V.T


def least_squares(A: Floats, b: Floats) -> Floats:
    y = np.zeros(A.shape[1])
    _kernel("least_squares")(_copied(A), _copied(b), np.arange(A.shape[1]), y)
    return y
