"""Rigid motions on NumPy arrays: poses (..., 4, 4), twists (..., 6) with the angular part first.

`hat vee exp log cay dexp dexpinv Ad ad compose inverse apply`.  `dexp(x)`, `dexpinv(x)`, `Ad(T)` and
`ad(x)` give 6x6 matrices; with a second argument, the matrix times that twist.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.lie import se3 as core
from poinsot.lie.batch import POSE, TWIST, VECTOR, Array, batched, checked, operator_of


def _flat(name: str, T: ArrayLike) -> Array:
    """(..., 4, 4) as rows (R, p) of 12 numbers."""
    T = checked(name, T, (4, 4))
    return np.concatenate([T[..., :3, :3].reshape(*T.shape[:-2], 9), T[..., :3, 3]], axis=-1)


def _pose(rows: Array) -> Array:
    T = np.zeros((*rows.shape[:-1], 4, 4))
    T[..., :3, :3] = rows[..., :9].reshape(*rows.shape[:-1], 3, 3)
    T[..., :3, 3] = rows[..., 9:]
    T[..., 3, 3] = 1.0
    return T


_exp = batched("se3.exp", core.exp, [TWIST], POSE)
_log = batched("se3.log", core.log, [POSE], TWIST)
_cay = batched("se3.cay", core.cay, [TWIST], POSE)
_compose = batched("se3.compose", core.compose, [POSE, POSE], POSE)
_inverse = batched("se3.inverse", core.inverse, [POSE], POSE)
_apply = batched("se3.apply", core.apply, [POSE, VECTOR], VECTOR)
_Ad: Callable[..., Array] = operator_of("se3.Ad", core.Ad, POSE, TWIST)
ad = operator_of("se3.ad", core.ad, TWIST, TWIST)
dexp = operator_of("se3.dexp", core.dexp, TWIST, TWIST)
dexpinv = operator_of("se3.dexpinv", core.dexpinv, TWIST, TWIST)


def hat(x: ArrayLike) -> Array:
    """The 4x4 matrix of a twist (w, v)."""
    x = checked("se3.hat", x, (6,))
    T = np.zeros((*x.shape[:-1], 4, 4))
    w1, w2, w3 = x[..., 0], x[..., 1], x[..., 2]
    T[..., 0, 1], T[..., 0, 2], T[..., 1, 2] = -w3, w2, -w1
    T[..., 1, 0], T[..., 2, 0], T[..., 2, 1] = w3, -w2, w1
    T[..., :3, 3] = x[..., 3:]
    return T


def vee(X: ArrayLike) -> Array:
    """The twist of a 4x4 matrix: half the axial vector of its upper block, and its last column."""
    X = checked("se3.vee", X, (4, 4))
    w = [X[..., 2, 1] - X[..., 1, 2], X[..., 0, 2] - X[..., 2, 0], X[..., 1, 0] - X[..., 0, 1]]
    return np.concatenate([np.stack(w, axis=-1) / 2, X[..., :3, 3]], axis=-1)


def exp(x: ArrayLike) -> Array:
    return _pose(_exp(x))


def log(T: ArrayLike) -> Array:
    return _log(_flat("se3.log", T))


def cay(x: ArrayLike) -> Array:
    return _pose(_cay(x))


def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """a b: first b, then a."""
    return _pose(_compose(_flat("se3.compose", a), _flat("se3.compose", b)))


def inverse(T: ArrayLike) -> Array:
    return _pose(_inverse(_flat("se3.inverse", T)))


def apply(T: ArrayLike, x: ArrayLike) -> Array:
    """R x + p."""
    return _apply(_flat("se3.apply", T), x)


def Ad(T: ArrayLike, x: ArrayLike | None = None) -> Array:
    """The 6x6 matrix of Ad_T, or Ad_T x."""
    return _Ad(_flat("se3.Ad", T), x)
