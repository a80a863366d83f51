"""Rotations on NumPy arrays: matrices (..., 3, 3) and rotation vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad compose inverse apply`.  `dexp(x)`, `dexpinv(x)`, `Ad(R)`
and `ad(x)` give matrices; with a second argument, the matrix times that vector.  `dexp` is the
space form, d exp(x) = hat(dexp(x) dx) exp(x); the body form is `dexp(-x)`.
"""

from numpy.typing import ArrayLike

from poinsot.core.lie import so3 as core
from poinsot.lie.batch import MATRIX, VECTOR, Array, batched, checked, operator_of

hat = batched("so3.hat", core.hat, [VECTOR], MATRIX)
vee = batched("so3.vee", core.vee, [MATRIX], VECTOR)
exp = batched("so3.exp", core.exp, [VECTOR], MATRIX)
log = batched("so3.log", core.log, [MATRIX], VECTOR)
cay = batched("so3.cay", core.cay, [VECTOR], MATRIX)
compose = batched("so3.compose", core.compose, [MATRIX, MATRIX], MATRIX)
inverse = batched("so3.inverse", core.inverse, [MATRIX], MATRIX)
apply = batched("so3.apply", core.apply, [MATRIX, VECTOR], VECTOR)
dexp = operator_of("so3.dexp", core.dexp, VECTOR, VECTOR)
dexpinv = operator_of("so3.dexpinv", core.dexpinv, VECTOR, VECTOR)
ad = operator_of("so3.ad", core.ad, VECTOR, VECTOR)


def Ad(R: ArrayLike, x: ArrayLike | None = None) -> Array:
    """The matrix of Ad_R, which is R itself, or R x."""
    return checked("so3.Ad", R, (3, 3)).copy() if x is None else apply(R, x)
