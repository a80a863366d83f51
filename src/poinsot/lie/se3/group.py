"""The group: products, inverses, and how poses act."""

from numpy.typing import ArrayLike

from poinsot.core.lie import se3 as core
from poinsot.lie.batch import POSE, TWIST, VECTOR, Array, batched, operator_of
from poinsot.lie.se3.rows import flat, pose

_compose = batched("se3.compose", core.compose, [POSE, POSE], POSE)
_inverse = batched("se3.inverse", core.inverse, [POSE], POSE)
_apply = batched("se3.apply", core.apply, [POSE, VECTOR], VECTOR)
_Ad = operator_of("se3.Ad", core.Ad, POSE, TWIST)
_coAd = operator_of("se3.coAd", core.coAd, POSE, TWIST)


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
    return pose(_compose(flat("se3.compose", a), flat("se3.compose", b)))


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
    return pose(_inverse(flat("se3.inverse", T)))


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
    return _apply(flat("se3.apply", T), x)


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
    return _Ad(flat("se3.Ad", T), x)


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
    rows = flat("se3.coAd", T)
    return _coAd(rows, F)
