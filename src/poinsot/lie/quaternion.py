"""Unit quaternions on NumPy arrays: (..., 4), scalar first; tangent vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad compose inverse apply`, and `matrix`, `from_matrix`.
`exp` takes the rotation vector (not half of it); `log` gives it, |u| <= pi; `hat(u) = (0, u/2)` is
the element whose quaternion exponential is `exp(u)`.  q and -q are the same rotation.
"""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.lie import quaternion as core
from poinsot.lie import so3
from poinsot.lie.batch import MATRIX, QUATERNION, VECTOR, Array, batched, checked

exp = batched("quaternion.exp", core.exp, [VECTOR], QUATERNION)
log = batched("quaternion.log", core.log, [QUATERNION], VECTOR)
cay = batched("quaternion.cay", core.cay, [VECTOR], QUATERNION)
compose = batched("quaternion.compose", core.compose, [QUATERNION, QUATERNION], QUATERNION)
inverse = batched("quaternion.inverse", core.inverse, [QUATERNION], QUATERNION)
apply = batched("quaternion.apply", core.apply, [QUATERNION, VECTOR], VECTOR)
matrix = batched("quaternion.matrix", core.matrix, [QUATERNION], MATRIX)
from_matrix = batched("quaternion.from_matrix", core.from_matrix, [MATRIX], QUATERNION)
dexp, dexpinv, ad = so3.dexp, so3.dexpinv, so3.ad


def hat(u: ArrayLike) -> Array:
    """(0, u/2)."""
    u = checked("quaternion.hat", u, (3,))
    return np.concatenate([np.zeros_like(u[..., :1]), u / 2], axis=-1)


def vee(q: ArrayLike) -> Array:
    """The inverse of `hat`."""
    return 2 * checked("quaternion.vee", q, (4,))[..., 1:]


def Ad(q: ArrayLike, x: ArrayLike | None = None) -> Array:
    """The matrix of Ad_q, which is R(q), or R(q) x."""
    return matrix(checked("quaternion.Ad", q, (4,))) if x is None else apply(q, x)
