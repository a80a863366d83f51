"""Rigid motions on NumPy arrays: poses (..., 4, 4), twists (..., 6) with the angular part first.

`hat vee exp log cay dexp dexpinv Ad ad coAd coad compose inverse apply`.  `dexp(x)`, `dexpinv(x)`, `Ad(T)`
and `ad(x)` give 6x6 matrices; with a second argument, the matrix times that twist.  `coAd(T)` and `coad(x)`
are the transposes of `Ad(T)` and `ad(x)`, which act on wrenches (torque, force).

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.lie import se3 as core
from poinsot.lie.batch import POSE, TWIST, VECTOR, Array, batched, checked, operator_of

__all__ = [
    "Ad",
    "ad",
    "apply",
    "cay",
    "coAd",
    "coad",
    "compose",
    "dexp",
    "dexpinv",
    "exp",
    "hat",
    "inverse",
    "log",
    "vee",
]


def _flat(name: str, T: ArrayLike) -> Array:
    """Return poses (..., 4, 4) as rows (R, p) of 12 numbers."""
    T = checked(name, T, (4, 4))
    return np.concatenate([T[..., :3, :3].reshape(*T.shape[:-2], 9), T[..., :3, 3]], axis=-1)


def _pose(rows: Array) -> Array:
    """Return rows (R, p) of 12 numbers as poses (..., 4, 4)."""
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
_Ad = operator_of("se3.Ad", core.Ad, POSE, TWIST)
_ad = operator_of("se3.ad", core.ad, TWIST, TWIST)
_coAd = operator_of("se3.coAd", core.coAd, POSE, TWIST)
_coad = operator_of("se3.coad", core.coad, TWIST, TWIST)
_dexp = operator_of("se3.dexp", core.dexp, TWIST, TWIST)
_dexpinv = operator_of("se3.dexpinv", core.dexpinv, TWIST, TWIST)


def hat(x: ArrayLike) -> Array:
    """Return the 4x4 matrix ((hat w, v), (0, 0)) of a twist (w, v).

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.

    Returns
    -------
    ndarray, shape (..., 4, 4)
        Matrices of the Lie algebra se(3).

    Raises
    ------
    ValueError
        If the last axis of `x` does not have six entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.hat([1, 2, 3, 4, 5, 6]) + 0.0
    array([[ 0., -3.,  2.,  4.],
           [ 3.,  0., -1.,  5.],
           [-2.,  1.,  0.,  6.],
           [ 0.,  0.,  0.,  0.]])
    """
    x = checked("se3.hat", x, (6,))
    T = np.zeros((*x.shape[:-1], 4, 4))
    w1, w2, w3 = x[..., 0], x[..., 1], x[..., 2]
    T[..., 0, 1], T[..., 0, 2], T[..., 1, 2] = -w3, w2, -w1
    T[..., 1, 0], T[..., 2, 0], T[..., 2, 1] = w3, -w2, w1
    T[..., :3, 3] = x[..., 3:]
    return T


def vee(X: ArrayLike) -> Array:
    """Return the twist of a 4x4 matrix, the inverse of `hat`.

    The angular part is the vector of the skew-symmetric part of the upper left block.

    Parameters
    ----------
    X : array_like, shape (..., 4, 4)
        Matrices.

    Returns
    -------
    ndarray, shape (..., 6)
        Twists (w, v), angular part first.

    Raises
    ------
    ValueError
        If the last two axes of `X` are not 4 by 4.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.vee(ps.se3.hat([1, 2, 3, 4, 5, 6]))
    array([1., 2., 3., 4., 5., 6.])
    """
    X = checked("se3.vee", X, (4, 4))
    w = [X[..., 2, 1] - X[..., 1, 2], X[..., 0, 2] - X[..., 2, 0], X[..., 1, 0] - X[..., 0, 1]]
    return np.concatenate([np.stack(w, axis=-1) / 2, X[..., :3, 3]], axis=-1)


def exp(x: ArrayLike) -> Array:
    """Return the pose reached by a constant twist in unit time.

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first: radians and metres.

    Returns
    -------
    ndarray, shape (..., 4, 4)
        Poses ((R, p), (0, 1)).

    Raises
    ------
    ValueError
        If the last axis of `x` does not have six entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.exp([0, 0, 0, 1, 2, 3])
    array([[1., 0., 0., 1.],
           [0., 1., 0., 2.],
           [0., 0., 1., 3.],
           [0., 0., 0., 1.]])
    """
    return _pose(_exp(x))


def log(T: ArrayLike) -> Array:
    """Return the twist whose exponential is a pose, rotating by at most half a turn.

    Parameters
    ----------
    T : array_like, shape (..., 4, 4)
        Poses.

    Returns
    -------
    ndarray, shape (..., 6)
        Twists (w, v), angular part first: radians and metres.

    Raises
    ------
    ValueError
        If the last two axes of `T` are not 4 by 4.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.log(ps.se3.exp([0.1, 0.2, 0.3, 1, 2, 3]))
    array([0.1, 0.2, 0.3, 1. , 2. , 3. ])
    """
    return _log(_flat("se3.log", T))


def cay(x: ArrayLike) -> Array:
    """Return the Cayley transform of a twist, (1 - hat(x)/2)⁻¹ (1 + hat(x)/2).

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.

    Returns
    -------
    ndarray, shape (..., 4, 4)
        Poses.

    Raises
    ------
    ValueError
        If the last axis of `x` does not have six entries.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> X = ps.se3.hat([0.1, 0.2, 0.3, 1, 2, 3])
    >>> T = np.linalg.solve(np.eye(4) - X / 2, np.eye(4) + X / 2)
    >>> np.allclose(ps.se3.cay([0.1, 0.2, 0.3, 1, 2, 3]), T)
    True
    """
    return _pose(_cay(x))


def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the product a b of poses: first b, then a.

    Parameters
    ----------
    a, b : array_like, shape (..., 4, 4)
        Poses; their leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., 4, 4)
        Poses.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> T = ps.se3.exp([0.1, 0.2, 0.3, 1, 2, 3])
    >>> np.allclose(ps.se3.compose(T, ps.se3.inverse(T)), np.eye(4))
    True
    """
    return _pose(_compose(_flat("se3.compose", a), _flat("se3.compose", b)))


def inverse(T: ArrayLike) -> Array:
    """Return the inverse of a pose, (Rᵀ, -Rᵀ p).

    Parameters
    ----------
    T : array_like, shape (..., 4, 4)
        Poses.

    Returns
    -------
    ndarray, shape (..., 4, 4)
        Poses.

    Raises
    ------
    ValueError
        If the last two axes of `T` are not 4 by 4.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.inverse(ps.se3.exp([0, 0, 0, 1, 2, 3]))[:3, 3]
    array([-1., -2., -3.])
    """
    return _pose(_inverse(_flat("se3.inverse", T)))


def apply(T: ArrayLike, x: ArrayLike) -> Array:
    """Move a point: R x + p.

    Parameters
    ----------
    T : array_like, shape (..., 4, 4)
        Poses.
    x : array_like, shape (..., 3)
        Points, in metres; the leading axes of both broadcast.

    Returns
    -------
    ndarray, shape (..., 3)
        The moved points.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.apply(ps.se3.exp([0, 0, 0, 1, 2, 3]), [10, 10, 10])
    array([11., 12., 13.])
    """
    return _apply(_flat("se3.apply", T), x)


def dexp(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the derivative of the exponential, space form: d exp(x) = hat(dexp(x) dx) exp(x).

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.
    y : array_like, shape (..., 6), optional
        Twists to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix dexp(x), or dexp(x) y if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> x = [0.1, 0.2, 0.3, 1, 2, 3]
    >>> ps.se3.dexp(x, x)
    array([0.1, 0.2, 0.3, 1. , 2. , 3. ])
    """
    return _dexp(x, y)


def dexpinv(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the inverse of `dexp`.

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v) that rotate by less than a full turn.
    y : array_like, shape (..., 6), optional
        Twists to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix dexp(x)⁻¹, or dexp(x)⁻¹ y if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> x = [0.1, 0.2, 0.3, 1, 2, 3]
    >>> ps.se3.dexpinv(x, ps.se3.dexp(x, [1, 2, 3, 4, 5, 6]))
    array([1., 2., 3., 4., 5., 6.])
    """
    return _dexpinv(x, y)


def ad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the matrix of the Lie bracket of twists, or the bracket of x and y.

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.
    y : array_like, shape (..., 6), optional
        Twists to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix ad(x), or ad(x) y if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.ad([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0])
    array([0., 0., 0., 0., 0., 1.])
    """
    return _ad(x, y)


def Ad(T: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the 6x6 matrix of the adjoint action of a pose on twists, or Ad(T) x.

    Parameters
    ----------
    T : array_like, shape (..., 4, 4)
        Poses.
    x : array_like, shape (..., 6), optional
        Twists (w, v) to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix Ad(T), or Ad(T) x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.Ad(ps.se3.exp([0, 0, 0, 1, 0, 0]), [0, 0, 1, 0, 0, 0]) + 0.0
    array([ 0.,  0.,  1.,  0., -1.,  0.])
    """
    return _Ad(_flat("se3.Ad", T), x)


def coAd(T: ArrayLike, F: ArrayLike | None = None) -> Array:
    """Return the matrix of the coadjoint action, Ad(T)ᵀ, or Ad(T)ᵀ F.

    If `T` is the pose of a body in space, it takes a wrench about the origin of space, in space axes, to the
    same wrench about the origin of the body, in body axes: (Rᵀ (m - p × f), Rᵀ f).  The power is the same:
    F · Ad(T) x = coAd(T, F) · x.

    Parameters
    ----------
    T : array_like, shape (..., 4, 4)
        Poses.
    F : array_like, shape (..., 6), optional
        Wrenches (torque, force) to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix Ad(T)ᵀ, or Ad(T)ᵀ F if `F` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> T = ps.se3.exp([0, 0, 0, 1, 0, 0])  # one metre along x
    >>> ps.se3.coAd(T, [0, 0, 0, 0, 0, 2])  # a force at the origin of space has a lever
    array([0., 2., 0., 0., 0., 2.])
    """
    rows = _flat("se3.coAd", T)
    return _coAd(rows, F)


def coad(x: ArrayLike, F: ArrayLike | None = None) -> Array:
    """Return the transpose of the matrix of the Lie bracket, ad(x)ᵀ, or ad(x)ᵀ F.

    The momentum P = (angular, linear) of a free rigid body with the twist x, in body axes, has the rate
    coad(x, P).

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.
    F : array_like, shape (..., 6), optional
        Wrenches (torque, force), or momenta, to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix ad(x)ᵀ, or ad(x)ᵀ F if `F` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.coad([0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 2, 0])
    array([ 0., -1.,  0.,  2.,  0.,  0.])
    """
    return _coad(x, F)
