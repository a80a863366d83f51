"""Rigid motions on NumPy arrays: poses (..., 4, 4), twists (..., 6) with the angular part first.

`hat vee exp log cay dexp dexpinv Ad ad coAd coad compose inverse apply`.  `dexp(x)`, `dexpinv(x)`, `Ad(T)`
and `ad(x)` give 6x6 matrices; with a second argument, the matrix times that twist.  `coAd(T)` and `coad(x)`
are the transposes of `Ad(T)` and `ad(x)`, which act on wrenches (torque, force).

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

import numpy as np

from poinsot.core.lie import se3 as core
from poinsot.elementary.arrays import ArrayLike
from poinsot.lie.batch import POSE, TWIST, VECTOR, Array, by_kernel, described, real_array

__all__ = ["Ad", "ad", "apply", "cay", "coAd", "coad", "compose"]
__all__ += ["dexp", "dexpinv", "exp", "hat", "inverse", "log", "vee"]


def __dir__() -> list[str]:
    return __all__


WRENCH = "Wrenches (torque, force), or momenta [N m, N]"


@described(TWIST, POSE)
def hat(x: ArrayLike) -> Array:
    """Return the 4x4 matrix ((hat w, v), (0, 0)) of a twist (w, v).

    >>> ps.se3.hat([1, 2, 3, 4, 5, 6]) + 0.0
    array([[ 0., -3.,  2.,  4.],
           [ 3.,  0., -1.,  5.],
           [-2.,  1.,  0.,  6.],
           [ 0.,  0.,  0.,  0.]])
    """
    x = real_array("se3.hat", x, (6,))
    T = np.zeros((*x.shape[:-1], 4, 4))
    w1, w2, w3 = x[..., 0], x[..., 1], x[..., 2]
    T[..., 0, 1], T[..., 0, 2], T[..., 1, 2] = -w3, w2, -w1
    T[..., 1, 0], T[..., 2, 0], T[..., 2, 1] = w3, -w2, w1
    T[..., :3, 3] = x[..., 3:]
    return T


@described(POSE, TWIST, X="Matrices")
def vee(X: ArrayLike) -> Array:
    """Return the twist of a 4x4 matrix, the inverse of `hat`.

    The angular part is the vector of the skew-symmetric part of the upper left block.
    """
    X = real_array("se3.vee", X, (4, 4))
    w = [X[..., 2, 1] - X[..., 1, 2], X[..., 0, 2] - X[..., 2, 0], X[..., 1, 0] - X[..., 0, 1]]
    return np.concatenate([np.stack(w, axis=-1) / 2, X[..., :3, 3]], axis=-1)


@by_kernel(core.ad, TWIST, TWIST, TWIST)
def ad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the matrix of the Lie bracket of twists, or the bracket ad(x) y.

    >>> ps.se3.ad([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0])
    array([0., 0., 0., 0., 0., 1.])
    """


@by_kernel(core.coad, TWIST, TWIST, TWIST, F=WRENCH)
def coad(x: ArrayLike, F: ArrayLike | None = None) -> Array:
    """Return the transpose of the matrix of the Lie bracket, ad(x)ᵀ, or ad(x)ᵀ F.

    The momentum P = (angular, linear) of a free rigid body with the twist x, in body axes, has the rate
    coad(x, P).

    >>> ps.se3.coad([0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 2, 0])
    array([ 0., -1.,  0.,  2.,  0.,  0.])
    """


@by_kernel(core.exp, TWIST, POSE)
def exp(x: ArrayLike) -> Array:
    """Return the pose reached by a constant twist in unit time.

    >>> ps.se3.exp([0, 0, 0, 1, 2, 3])
    array([[1., 0., 0., 1.],
           [0., 1., 0., 2.],
           [0., 0., 1., 3.],
           [0., 0., 0., 1.]])
    """


@by_kernel(core.log, POSE, TWIST)
def log(T: ArrayLike) -> Array:
    """Return the twist whose exponential is a pose [rad, m], rotating by at most half a turn."""


@by_kernel(core.cay, TWIST, POSE)
def cay(x: ArrayLike) -> Array:
    """Return the Cayley transform of a twist, (1 - hat(x)/2)⁻¹ (1 + hat(x)/2).

    >>> X = ps.se3.hat([0.1, 0.2, 0.3, 1, 2, 3])
    >>> T = np.linalg.solve(np.eye(4) - X / 2, np.eye(4) + X / 2)
    >>> np.allclose(ps.se3.cay([0.1, 0.2, 0.3, 1, 2, 3]), T)
    True
    """


@by_kernel(core.dexp, TWIST, TWIST, TWIST)
def dexp(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the derivative of the exponential, space form: d exp(x) = hat(dexp(x) dx) exp(x)."""


@by_kernel(core.dexpinv, TWIST, TWIST, TWIST, x="Twists (w, v) that rotate by less than a full turn [rad, m]")
def dexpinv(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the inverse of `dexp`."""


@by_kernel(core.compose, POSE, POSE, POSE)
def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the product a b of poses: first b, then a."""


@by_kernel(core.inverse, POSE, POSE)
def inverse(T: ArrayLike) -> Array:
    """Return the inverse of a pose, (Rᵀ, -Rᵀ p).

    >>> ps.se3.inverse(ps.se3.exp([0, 0, 0, 1, 2, 3]))[:3, 3]
    array([-1., -2., -3.])
    """


@by_kernel(core.apply, POSE, VECTOR, VECTOR, x="Points [m]")
def apply(T: ArrayLike, x: ArrayLike) -> Array:
    """Return the moved point R x + p.

    >>> ps.se3.apply(ps.se3.exp([0, 0, 0, 1, 2, 3]), [10, 10, 10])
    array([11., 12., 13.])
    """


@by_kernel(core.Ad, POSE, TWIST, TWIST)
def Ad(T: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the 6x6 matrix of the adjoint action of a pose on twists, or Ad(T) x.

    >>> ps.se3.Ad(ps.se3.exp([0, 0, 0, 1, 0, 0]), [0, 0, 1, 0, 0, 0]) + 0.0
    array([ 0.,  0.,  1.,  0., -1.,  0.])
    """


@by_kernel(core.coAd, POSE, TWIST, TWIST, F=WRENCH)
def coAd(T: ArrayLike, F: ArrayLike | None = None) -> Array:
    """Return the matrix of the coadjoint action, Ad(T)ᵀ, or Ad(T)ᵀ F.

    If `T` is the pose of a body in space, it takes a wrench about the origin of space, in space axes, to the
    same wrench about the origin of the body, in body axes: (Rᵀ (m - p × f), Rᵀ f).  The power is the same:
    F · Ad(T) x = coAd(T, F) · x.

    >>> T = ps.se3.exp([0, 0, 0, 1, 0, 0])  # one meter along x
    >>> ps.se3.coAd(T, [0, 0, 0, 0, 0, 2])  # a force at the origin of space has a lever
    array([0., 2., 0., 0., 0., 2.])
    """
