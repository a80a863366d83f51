"""A small convex quadratic program in NumPy: a witness of the compiled one (Goldfarb and Idnani 1983).

    minimise  (u - u0)^T H (u - u0) / 2    subject to    Z u <= b,      H positive definite             (1)

It starts at u0 and adds violated rows one at a time; a row whose multiplier would become negative is
dropped.  With the active rows N (as columns) and H = L L^T, J = L^-T Q, R from L^-1 N = Q (R, 0),

    direction of u     z = -J2 J2^T n,      of the multipliers     r = R^-1 J1^T n                      (2)
    step               t = min(-(slack) / (z . n), smallest lambda_i / r_i with r_i > 0)                (3)

Every added row lowers the dual gap, so that the method ends; without a feasible point (2) has no solution
with z = 0 and r <= 0.
"""

from typing import NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array

TOLERANCE = 1e-13  # relative: a row that is violated by less is satisfied
PARALLEL = 1e-11  # relative: a direction shorter than this is zero


class Optimum(NamedTuple):
    """Solution of (1)."""

    u: Array
    active: tuple[int, ...]  # rows of Z that hold with equality
    multipliers: Array  # one for each row of Z


def minimise(H: Array, u0: Array, Z: Array, b: Array) -> Optimum:
    """Return the solution of (1); raise a ModelError if no point satisfies the rows."""
    n, m = len(u0), len(b)
    L = np.linalg.cholesky(H)
    Linv = np.linalg.solve(L, np.eye(n))
    sizes = np.maximum(np.linalg.norm(Z, axis=1), np.finfo(float).tiny)
    Zn, bn = Z / sizes[:, None], b / sizes  # rows of length one
    scale = np.maximum(1.0, np.abs(bn))
    u, lam = np.array(u0, dtype=float), np.zeros(0)
    active: list[int] = []
    for _ in range(50 * (m + n) + 50):
        slack = Zn @ u - bn
        slack[active] = 0.0
        worst = int(np.argmax(slack / scale)) if m else 0
        if not m or slack[worst] <= TOLERANCE * scale[worst]:
            u, lam = _polished(H, u0, Zn[active], bn[active], u, lam)
            found = np.zeros(m)
            found[active] = lam / sizes[active]
            return Optimum(u, tuple(active), found)
        normal, added = Zn[worst], 0.0
        while True:
            z, r = _directions(Linv, Zn[active], normal)
            length = float(-z @ normal)
            drop = [(lam[i] / r[i], i) for i in range(len(active)) if r[i] > PARALLEL * (1 + abs(r).max())]
            partial, out = min(drop, default=(np.inf, -1))
            full = (Zn[worst] @ u - bn[worst]) / length if length > PARALLEL * _size(Linv, normal) else np.inf
            if full == partial == np.inf:
                raise ModelError(
                    "the limits of the inputs exclude each other: no input satisfies all of them"
                )
            t = min(full, partial)
            lam, added = lam - t * r, added + t
            if full < np.inf:
                u = u + t * z
            if t == full:
                active, lam = [*active, worst], np.append(lam, added)
                break
            active.pop(out)
            lam = np.delete(lam, out)
    raise ModelError("the limits of the inputs could not be satisfied: the active-set method did not end")


def _size(Linv: Array, normal: Array) -> float:
    w = Linv @ normal
    return float(w @ w)


def _directions(Linv: Array, N: Array, normal: Array) -> tuple[Array, Array]:
    """Return the directions (2) of u and of the multipliers of the active rows."""
    w = Linv @ normal
    if not len(N):
        return -Linv.T @ w, np.zeros(0)
    Q, R = np.linalg.qr(Linv @ N.T)
    r = np.linalg.solve(R, Q.T @ w)
    return -Linv.T @ (w - Q @ (Q.T @ w)), r


def _polished(H: Array, u0: Array, N: Array, b: Array, u: Array, lam: Array) -> tuple[Array, Array]:
    """Return the solution and multipliers with these rows active, to rounding: one correction of both."""
    k, n = N.shape
    if not k:
        return u, lam
    K = np.block([[H, N.T], [N, np.zeros((k, k))]])
    miss = np.concatenate([H @ (u0 - u) - N.T @ lam, b - N @ u])
    step = np.linalg.solve(K, miss)
    return u + step[:n], lam + step[n:]
