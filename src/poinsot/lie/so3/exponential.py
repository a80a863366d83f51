"""Rotation matrices of rotation vectors and back, and the derivatives of these maps."""

from numpy.typing import ArrayLike

from poinsot.core.lie import so3 as core
from poinsot.lie.batch import MATRIX, VECTOR, Array, batched, operator_of

_exp = batched("so3.exp", core.exp, [VECTOR], MATRIX)
_log = batched("so3.log", core.log, [MATRIX], VECTOR)
_cay = batched("so3.cay", core.cay, [VECTOR], MATRIX)
_dexp = operator_of("so3.dexp", core.dexp, VECTOR, VECTOR)
_dexpinv = operator_of("so3.dexpinv", core.dexpinv, VECTOR, VECTOR)


def exp(u: ArrayLike) -> Array:
    """Return the rotation matrix of a rotation vector.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors: axis times angle, in radians.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    See Also
    --------
    log : the inverse.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.so3.exp([0, 0, np.pi / 2]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _exp(u)


def log(R: ArrayLike) -> Array:
    """Return the rotation vector of a rotation matrix, at most half a turn long.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    ndarray, shape (..., 3)
        Rotation vectors in radians, of length at most pi.

    Raises
    ------
    ValueError
        If the last two axes of `R` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.log([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    array([0.      , 0.      , 1.570796])
    """
    return _log(R)


def cay(u: ArrayLike) -> Array:
    """Return the Cayley transform of a vector: a rotation by 2 arctan(|u| / 2) about u.

    It agrees with `exp` to second order in `u`.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Vectors.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.cay([0, 0, 2.0]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _cay(u)


def dexp(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the derivative of the exponential, space form: d exp(u) = hat(dexp(u) du) exp(u).

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors in radians.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix dexp(u), or dexp(u) x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.so3.dexp([0, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    >>> ps.so3.dexp([0, 0, np.pi], [1, 0, 2])
    array([0.     , 0.63662, 2.     ])
    """
    return _dexp(u, x)


def dexpinv(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the inverse of `dexp`.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors in radians, shorter than a full turn.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix dexp(u)⁻¹, or dexp(u)⁻¹ x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> u = [0.1, -0.2, 0.3]
    >>> ps.so3.dexpinv(u, ps.so3.dexp(u, [1, 2, 3]))
    array([1., 2., 3.])
    """
    return _dexpinv(u, x)
