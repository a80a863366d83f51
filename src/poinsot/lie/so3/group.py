"""The group: products, inverses, and how rotations act."""

from numpy.typing import ArrayLike

from poinsot.core.lie import so3 as core
from poinsot.lie.batch import MATRIX, VECTOR, Array, batched, checked

_compose = batched("so3.compose", core.compose, [MATRIX, MATRIX], MATRIX)
_inverse = batched("so3.inverse", core.inverse, [MATRIX], MATRIX)
_apply = batched("so3.apply", core.apply, [MATRIX, VECTOR], VECTOR)


def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the product a b of rotations: first b, then a.

    Parameters
    ----------
    a, b : array_like, shape (..., 3, 3)
        Rotation matrices; their leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> R = ps.so3.exp([0.1, 0.2, 0.3])
    >>> np.allclose(ps.so3.compose(R, ps.so3.inverse(R)), np.eye(3))
    True
    """
    return _compose(a, b)


def inverse(R: ArrayLike) -> Array:
    """Return the inverse of a rotation, which is its transpose.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last two axes of `R` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.inverse([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _inverse(R)


def apply(R: ArrayLike, x: ArrayLike) -> Array:
    """Rotate a vector: R x.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
    x : array_like, shape (..., 3)
        Vectors; the leading axes of both broadcast.

    Returns
    -------
    ndarray, shape (..., 3)
        The rotated vectors, in the unit of `x`.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.apply([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([-2.,  1.,  3.])
    """
    return _apply(R, x)


def Ad(R: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the matrix of the adjoint action, which is R itself, or R x.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        A copy of `R`, or R x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.Ad([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([-2.,  1.,  3.])
    """
    return checked("so3.Ad", R, (3, 3)).copy() if x is None else apply(R, x)


def coAd(R: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the matrix of the coadjoint action, Ad(R)ᵀ = Rᵀ, or Rᵀ x.

    If `R` is the attitude of a body, it takes a torque in space axes to the same torque in body axes.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
    x : array_like, shape (..., 3), optional
        Torques to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix Rᵀ, or Rᵀ x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.coAd([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([ 2., -1.,  3.])
    """
    turned = _inverse(checked("so3.coAd", R, (3, 3)))
    return turned if x is None else apply(turned, x)
